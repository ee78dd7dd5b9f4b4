/**
 * Tables of the service's specification: each test is named after its row. The provisioning service and e2e/ test the
 * rows about SCIM resources.
 */
import { describe, expect, test } from '@jest/globals';
import {
  challenge,
  createBackend,
  publicClient,
  register,
  signedIn,
  startAuth,
} from '../../support/running-auth.ts';
import { Browser } from '../../support/sign-in/browser.ts';
import { auth, backend, callback, deviceGrant, setUpSpecClients, web } from '../../support/spec-clients.ts';

setUpSpecClients();

/** Returns a browser with a signed-in user. */
async function person(at = auth): Promise<Browser> {
  const { subjectId } = await signedIn(at);
  const session = await at.deps.sessions.start(
    'demo',
    { subjectId, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
    undefined,
  );
  const browser = new Browser(at.origin);
  browser.cookies.set('__Host-ostiary-demo', session?.cookie ?? '');
  return browser;
}

const authorizePath = (change: Record<string, string | undefined> = {}, clientId = web): string => {
  const query = new URLSearchParams();
  const fields: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'openid profile',
    state: 'an unpredictable state',
    code_challenge: challenge('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...change,
  };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return `/t/demo/authorize?${query}`;
};

/** Returns the status and response parameters of a request that redirects to the client. */
async function authorized(
  change: Record<string, string | undefined> = {},
  o: { browser?: Browser; clientId?: string } = {},
): Promise<Record<string, string>> {
  const answer = await (o.browser ?? new Browser(auth.origin)).get(authorizePath(change, o.clientId));
  expect(answer.status).toBe(303);
  const location = new URL(answer.location ?? '');
  expect(location.origin + location.pathname).toBe(callback);
  return Object.fromEntries(location.searchParams);
}

const page = async (change: Record<string, string | undefined>) => {
  const { status, location } = await new Browser(auth.origin).get(authorizePath(change));
  return [status, location];
};

describe('GET /authorize parameters', () => {
  test('The parameter response_type is required, and response_type token is rejected as deprecated.', async () => {
    expect((await authorized({ response_type: undefined })).error).toBe('invalid_request');
    expect((await authorized({ response_type: 'token' })).error).toBe('unsupported_response_type');
  });

  test('The parameter client_id is required.', async () => {
    expect(await page({ client_id: undefined })).toEqual([400, undefined]);
  });

  test('The redirect_uri must equal a registered value, and is required when several are registered.', async () => {
    expect(await page({ redirect_uri: `${callback}/` })).toEqual([400, undefined]);
    const { client } = await register(auth, {
      ...publicClient,
      redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/other'],
    });
    expect(await page({ redirect_uri: undefined, client_id: client.clientId })).toEqual([400, undefined]);
  });

  test('The parameter scope is space-delimited, encoded as %20 or +.', async () => {
    const redirectUri = 'https://app.example/callback';
    const trusted = await register(auth, {
      ...publicClient,
      redirect_uris: [redirectUri],
      require_consent: false,
    });
    const browser = await person();
    const path = authorizePath({ scope: undefined, redirect_uri: redirectUri }, trusted.client.clientId);
    for (const scope of ['openid%20profile', 'openid+profile']) {
      const { location } = await browser.get(`${path}&scope=${scope}`);
      expect(new URL(location ?? '').searchParams.get('code')).toBeTruthy();
    }
  });

  test('The parameter state is returned unchanged.', async () => {
    const state = 'ä &=+%20"<>';
    expect((await authorized({ state, scope: 'nonsense' })).state).toBe(state);
  });

  test('The parameter code_challenge is required under OAuth 2.1.', async () => {
    expect((await authorized({ code_challenge: undefined })).error).toBe('invalid_request');
  });

  test('The code_challenge_method must be S256; plain and a missing value are rejected.', async () => {
    expect((await authorized({ code_challenge_method: 'plain' })).error).toBe('invalid_request');
    expect((await authorized({ code_challenge_method: undefined })).error).toBe('invalid_request');
  });
});

describe('Errors: authorization endpoint', () => {
  test.each([
    ['client_id', { client_id: 'nobody' }],
    ['redirect_uri', { redirect_uri: 'https://evil.example/' }],
  ])('An invalid %s is answered with an error page and never redirected.', async (_, change) => {
    expect(await page(change)).toEqual([400, undefined]);
  });

  const state = 'an unpredictable state';

  test('The error invalid_request is returned when parameters are missing or invalid.', async () => {
    expect(await authorized({ max_age: 'soon' })).toMatchObject({ error: 'invalid_request', state });
  });

  test('The error unauthorized_client is returned when the client may not use the response_type.', async () => {
    const { client } = await register(auth, {
      ...publicClient,
      grant_types: [deviceGrant],
      response_types: [],
    });
    expect(await authorized({}, { clientId: client.clientId })).toMatchObject({
      error: 'unauthorized_client',
      state,
    });
  });

  test('The error access_denied is returned when the user denies the request.', async () => {
    const browser = await person();
    const question = await browser.follow(await browser.get(authorizePath()));
    const { location } = await browser.submit(question, { action: 'deny' });
    const answer = Object.fromEntries(new URL(location ?? '').searchParams);
    expect(answer).toMatchObject({ error: 'access_denied', state });
  });

  test('The error access_denied is returned when the server denies the request.', async () => {
    const answer = await authorized({ scope: 'users:read' }, { browser: await person() });
    expect(answer).toMatchObject({ error: 'access_denied', state });
  });

  test('The error unsupported_response_type is returned when the response_type is not supported.', async () => {
    expect(await authorized({ response_type: 'code id_token' })).toMatchObject({
      error: 'unsupported_response_type',
      state,
    });
  });

  test('The error invalid_scope is returned when the scope is invalid.', async () => {
    expect(await authorized({ scope: 'openid nonsense' })).toMatchObject({ error: 'invalid_scope', state });
  });

  test('The error server_error is delivered by redirect on an internal error.', async () => {
    const own = await createBackend();
    const broken = await startAuth(own);
    try {
      const { client } = await register(broken, publicClient);
      const browser = await person(broken);
      await broken.database.sql.query('DROP TABLE auth.consents');
      const { status, location } = await browser.get(authorizePath({}, client.clientId));
      expect(status).toBe(303);
      const answer = Object.fromEntries(new URL(location ?? '').searchParams);
      expect(answer).toMatchObject({ error: 'server_error', state });
      expect(location).not.toMatch(/consents|relation|SELECT/i);
    } finally {
      await broken.stop();
      await own.drop();
    }
  });

  test('The error temporarily_unavailable is delivered by redirect during overload or maintenance.', async () => {
    const away = await startAuth(backend);
    try {
      const { client } = await register(away, { ...publicClient, require_consent: false });
      const browser = await person(away);
      away.deps.redis.disconnect();
      const { status, location } = await browser.get(authorizePath({}, client.clientId));
      expect(status).toBe(303);
      const answer = Object.fromEntries(new URL(location ?? '').searchParams);
      expect(answer).toMatchObject({ error: 'temporarily_unavailable', state });
    } finally {
      await away.stop();
    }
  });
});
