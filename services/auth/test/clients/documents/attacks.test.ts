import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import {
  allow,
  allowOn,
  bob,
  documents,
  fetchedElsewhere,
  newPath,
  open,
  redeemed,
  service,
  setUpDocuments,
  signedIn,
  stored,
  tokensOf,
} from '../../support/document-client.ts';
import { PublishedDocuments } from '../../support/published-documents.ts';
import { rival, signIn, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

setUpDocuments();

const rejected = { status: 400, location: undefined };

/** Opens a sign-in whose document cannot be used: the user sees an error page and the client no response. */
async function expectRejected(clientId: string, reason: string, fields: Record<string, string> = {}) {
  const page = await open(await signedIn(), clientId, fields);
  expect(page).toMatchObject(rejected);
  expect(page.text).toContain('can’t verify this app');
  const logged = service.logs.filter((line) => line.includes('client_document.rejected'));
  expect(logged.at(-1)).toContain(reason);
  expect(await stored(clientId)).toBeNull();
}

describe('a server of documents', () => {
  test.each([301, 302, 303, 307, 308])('A redirect with status %i is not followed.', async (status) => {
    const [from, to] = [newPath(), newPath()];
    const target = documents.publish(to, { client_id: `${documents.origin}${from}` });
    documents.answer(from, (_request, response) => response.writeHead(status, { location: target }).end());
    await expectRejected(`${documents.origin}${from}`, `status ${status}`);
    expect(documents.asked(to)).toBe(0);
  });

  test('A document of more than 5 KB is rejected.', async () => {
    await expectRejected(documents.publish(newPath(), { padding: 'x'.repeat(5_120) }), 'too large');
  });

  test('A document whose server states no length and does not end is rejected.', async () => {
    const path = newPath();
    documents.answer(path, (_request, response) => {
      response.setHeader('content-type', 'application/json');
      const timer = setInterval(() => response.write(' '.repeat(1_024)), 10);
      response.on('close', () => clearInterval(timer));
    });
    await expectRejected(`${documents.origin}${path}`, 'too large');
  });

  test('A server that does not respond ends the request with an error page.', async () => {
    const path = newPath();
    documents.answer(path, () => {});
    await expectRejected(`${documents.origin}${path}`, 'timed out');
  });

  test('A document with another client_id, a secret or symmetric authentication is rejected.', async () => {
    await expectRejected(documents.publish(newPath(), { client_id: 'https://app.example/c' }), 'client_id');
    await expectRejected(documents.publish(newPath(), { client_secret: 'x' }), 'client_secret');
    await expectRejected(
      documents.publish(newPath(), { token_endpoint_auth_method: 'client_secret_basic' }),
      'token_endpoint_auth_method',
    );
  });

  test('A symmetric or private key in a document is rejected.', async () => {
    for (const jwk of [
      { kty: 'oct', k: 'AAAA' },
      { kty: 'OKP', crv: 'Ed25519', x: 'AAAA', d: 'AAAA' },
    ]) {
      const members = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
      await expectRejected(documents.publish(newPath(), members), 'key');
    }
  });
});

describe('a request of a client with a metadata document', () => {
  test.each([
    'https://attacker.example/callback',
    'http://localhost.attacker.example/callback',
    'http://127.0.0.1@attacker.example/callback',
    'javascript:alert(1)',
  ])('The redirect URI %s gets no response.', async (uri) => {
    const clientId = documents.publish(newPath(), { redirect_uris: ['http://localhost/callback', uri] });
    expect(await open(await signedIn(), clientId, { redirect_uri: uri })).toMatchObject(rejected);
  });

  test('Scopes beyond the policy are rejected, also those of APIs and of the tenant.', async () => {
    await service.deps.apis.register(tenant, {
      identifier: 'https://secret.example',
      name: 'Secret',
      scopes: [{ name: 'secret:read', descriptions: {} }],
      roles: [],
      tokenLifetimeSeconds: null,
      tokenFormat: 'jwt',
    });
    const clientId = documents.publish(newPath(), { scope: 'openid groups users:read secret:read' });
    for (const scope of ['openid groups', 'openid users:read', 'openid secret:read']) {
      const { location } = await open(await signedIn(), clientId, { scope });
      expect(location).toMatch(/^http:\/\/localhost:43217\/callback\?error=invalid_scope/);
    }
    const { location } = await open(await signedIn(), clientId, {
      scope: 'openid',
      resource: 'https://secret.example',
    });
    expect(location).toContain('error=invalid_target');
  });

  test('A host that the policy does not name is unknown, and its document is not fetched.', async () => {
    const other = await new PublishedDocuments().start();
    const path = newPath();
    const page = await open(await signedIn(), other.publish(path));
    expect(page).toMatchObject(rejected);
    expect(page.text).toContain('Unknown app');
    expect(other.asked(path)).toBe(0);
    await other.stop();
  });

  test('The rival tenant does not know the clients of a tenant, and its policy opens only itself.', async () => {
    const path = newPath();
    const clientId = documents.publish(path);
    const { refresh_token: refreshToken = '' } = await tokensOf(clientId);
    expect((await open(service.browser(), clientId, {}, rival)).text).toContain('Unknown app');
    expect(documents.asked(path)).toBe(1);
    const redeem = (of: string) =>
      fetch(`${service.origin}/t/${of}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: refreshToken,
        }),
      }).then(({ status }) => status);
    expect(await redeem(rival)).toBe(401);
    await allow([documents.host], {}, rival);
    expect(await redeem(rival)).toBe(400);
    await allow([], {}, rival);
    expect(await redeem(tenant)).toBe(200);
  });

  test('The client gets no token for itself, no device code and no introspection.', async () => {
    const clientId = documents.publish(newPath(), {
      grant_types: [
        'authorization_code',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
    });
    await tokensOf(clientId, { scope: 'openid' });
    const post = async (path: string, fields: Record<string, string>) =>
      (
        await fetch(`${service.origin}/t/${tenant}/${path}`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: clientId, ...fields }),
        })
      ).status;
    expect(await post('token', { grant_type: 'client_credentials' })).toBe(400);
    expect(await post('device_authorization', { scope: 'openid' })).toBe(400);
    expect(await post('introspect', { token: 'x' })).toBe(401);
  });

  test('A code that was sent to a redirect URI which the document removed in the meantime is not issued.', async () => {
    const path = newPath();
    const clientId = documents.publish(path);
    const atHost = `${documents.origin}/callback`;
    const browser = await signedIn();
    const page = await open(browser, clientId, { redirect_uri: atHost });
    await tokensOf(clientId);
    documents.publish(path, { redirect_uris: ['http://localhost/callback'] });
    await fetchedElsewhere(clientId, { redirect_uris: ['http://localhost/callback'] });
    expect(await browser.submit(page, { action: 'allow' })).toMatchObject(rejected);
  });

  test('A code of one client is not redeemed by another one of the same host.', async () => {
    const [mine, other] = [documents.publish(newPath()), documents.publish(newPath())];
    await tokensOf(other);
    const browser = await signedIn();
    const page = await open(browser, mine);
    const { location = '' } = await browser.submit(page, { action: 'allow' });
    expect((await redeemed(other, new URL(location))).body.error).toBe('invalid_grant');
  });
});

describe('an unapproved website', () => {
  const atHost = () => `${documents.origin}/callback`;

  test('It gets no error by redirect before the user allowed it, so that links do not lead to any site.', async () => {
    const clientId = documents.publish(newPath());
    const fields = { redirect_uri: atHost() };
    for (const more of [{ scope: 'openid unknown' }, { prompt: 'none' }, { response_type: 'token' }]) {
      for (const browser of [service.browser(), await signedIn()]) {
        const page = await open(browser, clientId, { ...fields, ...more });
        expect(page).toMatchObject(rejected);
        expect(page.text).toContain('The app sent an invalid request');
      }
    }
    expect(service.logs.filter((line) => line.includes('authorization.error_not_redirected'))).toHaveLength(
      6,
    );
    const browser = await signedIn();
    await browser.submit(await open(browser, clientId, fields), { action: 'allow' });
    const { location } = await open(browser, clientId, { ...fields, scope: 'openid unknown' });
    expect(location).toContain(`${atHost()}?error=invalid_scope`);
    expect(await open(await signedIn(bob), clientId, { ...fields, prompt: 'none' })).toMatchObject(rejected);
  });

  test('Keys at another origin are not fetched.', async () => {
    const other = await new PublishedDocuments().start();
    const jwksUri = `${other.origin}/jwks`;
    await expectRejected(
      documents.publish(newPath(), { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri }),
      'jwks_uri must have the origin of the document',
    );
    expect(other.hits).toEqual([]);
    await other.stop();
  });
});

test('A user allows a limited number of such clients for the first time, and other users are not affected.', async () => {
  const eve = await service.person('eve');
  await signIn(service.browser(), await service.client({ require_consent: false }), 'eve');
  const asked = async (person: typeof eve, clientId = documents.publish(newPath())) => {
    const browser = await signedIn(person);
    const page = await open(browser, clientId);
    return async () => (await browser.submit(page, { action: 'allow' })).status;
  };
  const allowFor = async (...request: Parameters<typeof asked>) => (await asked(...request))();
  const first = documents.publish(newPath());
  const browser = await signedIn(eve);
  const granted = await allowOn(browser, await open(browser, first));
  expect((await redeemed(first, granted)).status).toBe(200);
  const approvals: (() => Promise<number>)[] = [];
  while (approvals.length < 32) approvals.push(await asked(eve));
  const statuses = await Promise.all(approvals.map((approve) => approve()));
  expect(statuses.filter((status) => status === 303)).toHaveLength(29);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  expect([await allowFor(eve), await allowFor(eve, first), await allowFor(bob)]).toEqual([429, 303, 303]);
});

describe('a service that may not send requests to private networks', () => {
  let closed: TestService;
  beforeAll(async () => {
    closed = await startTestService();
    await closed.deps.documentClientStore.changePolicy(tenant, { hosts: ['*'] });
  });
  afterAll(() => closed?.stop());

  test('A document at a private name is not fetched.', async () => {
    const path = newPath();
    for (const clientId of [
      documents.publish(path),
      'https://metadata.internal/client',
      'https://router/client',
    ]) {
      const page = await open(closed.browser(), clientId);
      expect(page).toMatchObject(rejected);
      expect(page.text).toContain('can’t verify this app');
    }
    expect(documents.asked(path)).toBe(0);
    await eventually(async () => closed.logs.some((line) => line.includes('not public')));
  });
});

describe('a service with a limit of fetches', () => {
  let limited: TestService;
  beforeEach(async () => {
    limited = await startTestService({
      env: { OUTGOING_ALLOW_PRIVATE: 'true', REQUEST_URIS_PER_MINUTE: '3' },
    });
    await limited.deps.documentClientStore.changePolicy(tenant, { hosts: [documents.host] });
  });
  afterEach(() => limited?.stop());

  test('Invented URLs at an allowed host cause only a limited number of requests to it.', async () => {
    const paths = Array.from({ length: 8 }, newPath);
    const pages = [];
    for (const path of paths) pages.push(await open(limited.browser(), `${documents.origin}${path}`));
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 400, 429, 429, 429, 429, 429]);
    expect(paths.filter((path) => documents.asked(path) > 0)).toHaveLength(3);
  });

  test('Assertions of a client that no user allowed are verified and stored a limited number of times.', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' };
    const clientId = documents.publish(newPath(), {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    });
    const push = async () => {
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(limited.deps.issuer(tenant))
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey);
      const response = await fetch(`${limited.origin}/t/${tenant}/par`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: clientId,
          response_type: 'code',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        }),
      });
      return response.status;
    };
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await push());
    expect(statuses.slice(3)).toEqual([429, 429, 429]);
    const { rows } = await limited.deps.database.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM auth.used_values',
    );
    expect(rows[0]?.n).toBe(3);
  });
});
