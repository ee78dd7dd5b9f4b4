import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Backend,
  claimsOf,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../support/running-auth.ts';
import { Browser } from '../support/sign-in/browser.ts';

let backend: Backend;
let auth: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const published = async (tenant: string): Promise<string[]> => {
  const { body } = await auth.get(`/t/${tenant}/jwks`);
  return (body.keys as { alg: string }[]).map(({ alg }) => alg).toSorted();
};

describe('signing keys', () => {
  test('A tenant has only the signing keys for which its clients are registered, and publishes each key before it signs.', async () => {
    expect(await published('rival')).toEqual(['ES256', 'RS256']);
    const { client } = await register(
      auth,
      { ...publicClient, id_token_signed_response_alg: 'EdDSA' },
      'rival',
    );
    expect(await published('rival')).toEqual(['ES256', 'EdDSA', 'RS256']);
    await auth.deps.clientRegistry.update('rival', client.clientId, (current) => ({
      ...current,
      userinfo_signed_response_alg: 'PS256',
    }));
    expect(await published('rival')).toEqual(['ES256', 'EdDSA', 'PS256', 'RS256']);
    expect(await published('demo')).toEqual(['ES256', 'RS256']);
  });

  test('Two processes that need the same signing key at the same time create one key.', async () => {
    const keys = auth.deps.signingKeys;
    const signers = await Promise.all(Array.from({ length: 10 }, () => keys.signer('demo', 'PS256')));
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
    expect((await published('demo')).filter((alg) => alg === 'PS256')).toHaveLength(1);
  });
});

describe('a signed userinfo response (OpenID Connect Core §5.3.2)', () => {
  test('A signed userinfo response is not accepted at userinfo, at introspection or as an id_token_hint.', async () => {
    const { client } = await register(auth, { ...publicClient, userinfo_signed_response_alg: 'ES256' });
    const { body } = await auth.post('/t/demo/token', (await issueCode(auth, client.clientId)).form);
    const answer = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
    const jwt = String(answer.body.text);
    expect(claimsOf(jwt).sub).toBe(claimsOf(body.id_token).sub);
    expect((await auth.get('/t/demo/userinfo', { authorization: `Bearer ${jwt}` })).status).toBe(401);
    expect(await auth.deps.idTokens.readHint('demo', jwt)).toBeNull();
    const refused = await auth.get('/t/demo/userinfo', { authorization: 'Bearer nothing' });
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

const authorize = async (clientId: string, browser: Browser, changes: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'https://app.example/cb',
    scope: 'openid',
    ...changes,
  });
  const { location = '' } = await browser.get(`/t/demo/authorize?${query}`);
  return new URL(location, auth.origin);
};

async function person(): Promise<Browser> {
  const { subjectId } = await signedIn(auth);
  const session = await auth.deps.sessions.start(
    'demo',
    { subjectId, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
    undefined,
  );
  const browser = new Browser(auth.origin);
  browser.cookies.set('__Host-ostiary-demo', session?.cookie ?? '');
  return browser;
}

describe('default_max_age (OpenID Connect Registration §2)', () => {
  const pkce = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };

  test('The default_max_age applies to a request without max_age, and a max_age in the request overrides it.', async () => {
    const { client } = await register(auth, {
      require_consent: false,
      default_max_age: 0,
      require_auth_time: true,
    });
    const browser = await person();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const silent = await authorize(client.clientId, browser, { ...pkce, prompt: 'none' });
    expect(silent.searchParams.get('error')).toBe('login_required');
    const said = await authorize(client.clientId, browser, { ...pkce, max_age: '1000' });
    expect(said.searchParams.get('code')).toBeTruthy();
  });

  const never = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12, 31_536_001, '60', '', true, [60], {}];
  test.each(never)('A registration with default_max_age %p is rejected.', async (seconds) => {
    await expect(register(auth, { default_max_age: seconds as number })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });
});

describe('a client without PKCE and nonce', () => {
  test('Only an administrator registers a client without PKCE and nonce, and only with both members.', async () => {
    const exempt = await register(auth, { require_consent: false, require_pkce: false });
    const browser = await person();
    const refused = await authorize(exempt.client.clientId, browser);
    expect(refused.searchParams.get('error')).toBe('invalid_request');
    const { client, clientSecret } = await register(auth, {
      require_consent: false,
      require_pkce: false,
      require_nonce: false,
    });
    const code = (await authorize(client.clientId, browser)).searchParams.get('code') ?? '';
    const answer = await auth.post(
      '/t/demo/token',
      { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/cb' },
      { basic: [client.clientId, clientSecret ?? ''] },
    );
    expect(answer.status).toBe(200);
    expect(claimsOf(answer.body.id_token).nonce).toBeUndefined();
    await expect(register(auth, { require_nonce: false })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });

  test('Requiring PKCE again removes the nonce waiver from the client metadata.', async () => {
    const { mergeMetadata } = await import('../../src/clients/domain/client-metadata.ts');
    const merged = mergeMetadata(
      { client_name: 'x', require_pkce: false, require_nonce: false },
      { require_pkce: true },
    );
    expect(merged.require_nonce).toBeUndefined();
  });

  test('A client that registers itself cannot waive PKCE or the nonce.', async () => {
    const { token } = await auth.deps.registrations.createToken('demo', {
      name: 'tests',
      scopes: ['openid'],
      uses: 1,
      lifetimeSeconds: 60,
    });
    const response = await fetch(`${auth.issuer('demo')}/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://app.example/cb'],
        require_pkce: false,
        require_nonce: false,
        scope: 'openid',
      }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body.require_nonce, body.require_pkce]).toEqual([201, undefined, undefined]);
  });

  test('The waiver of the nonce is recorded in the security log.', async () => {
    const { client } = await register(auth, { require_pkce: false });
    await auth.deps.clientRegistry.update('demo', client.clientId, (current) => ({
      ...current,
      require_nonce: false,
    }));
    const { rows } = await auth.database.sql.query<{ changes: object }>(
      `SELECT changes FROM auth.security_log WHERE tenant = 'demo' AND resource_id = $1 AND action = 'client.updated'`,
      [client.clientId],
    );
    expect(rows[0]?.changes).toMatchObject({ require_nonce: { after: false } });
  });
});
