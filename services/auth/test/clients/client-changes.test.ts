import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import * as oauth4webapi from 'oauth4webapi';
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

const token = (fields: Parameters<RunningAuth['post']>[1], o?: Parameters<RunningAuth['post']>[2]) =>
  auth.post('/t/demo/token', fields, o);
const callback = 'https://app.example/cb';

describe('changing and deleting clients', () => {
  test('A change keeps the members that it does not name, and two concurrent changes both take effect.', async () => {
    const { client } = await register(auth, { scope: 'openid email' });
    const { clientRegistry } = auth.deps;
    await Promise.all([
      clientRegistry.update('demo', client.clientId, (current) => ({ ...current, client_name: 'Renamed' })),
      clientRegistry.update('demo', client.clientId, (current) => ({ ...current, scope: 'openid profile' })),
    ]);
    expect(await auth.deps.clients.find('demo', client.clientId)).toMatchObject({
      name: 'Renamed',
      scopes: ['openid', 'profile'],
      redirectUris: [callback],
    });
  });

  test('An invalid change changes nothing, and a client of another tenant is not found.', async () => {
    const { client } = await register(auth);
    const { clientRegistry } = auth.deps;
    await expect(
      clientRegistry.update('demo', client.clientId, (current) => ({
        ...current,
        redirect_uris: ['http://x'],
      })),
    ).rejects.toMatchObject({ code: 'invalid_redirect_uri' });
    expect(await clientRegistry.update('rival', client.clientId, (current) => current)).toBeNull();
    expect(await clientRegistry.delete('rival', client.clientId)).toBe(false);
    expect(await clientRegistry.delete('demo', 'nobody')).toBe(false);
    expect(await clientRegistry.delete('platform', 'directory')).toBe(false);
    expect(await auth.deps.clients.find('demo', client.clientId)).toMatchObject({ redirectUris: [callback] });
  });

  test('A client that becomes confidential loses everything that was issued to it as a public client.', async () => {
    const { client } = await register(auth, publicClient);
    const { form } = await issueCode(auth, client.clientId);
    const { body } = await token(form);
    const changed = await auth.deps.clientRegistry.update('demo', client.clientId, (current) => ({
      ...current,
      token_endpoint_auth_method: 'client_secret_basic',
    }));
    expect(changed).toMatchObject({
      client: { type: 'confidential', epoch: 1 },
      clientSecret: expect.any(String),
    });
    const basic = { basic: [client.clientId, changed?.clientSecret ?? ''] as const };
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    expect((await token(refresh, basic)).body.error).toBe('invalid_grant');
    const userinfo = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` });
    expect(userinfo.status).toBe(401);
  });

  test('Nothing of a deleted client becomes valid again when its client_id is registered again.', async () => {
    const metadata = { client_name: 'App', ...publicClient };
    const { clientRegistry } = auth.deps;
    await clientRegistry.register('demo', metadata, { clientId: 'phoenix' });
    const { subjectId, sessionId } = await signedIn(auth);
    await auth.database.sql.query(
      `INSERT INTO auth.consents (tenant, subject_id, client_id, scopes) VALUES ('demo', $1, 'phoenix', '{openid}')`,
      [subjectId],
    );
    const { form } = await issueCode(auth, 'phoenix', { subjectId, sessionId });
    const { body } = await token(form);
    expect(await clientRegistry.delete('demo', 'phoenix')).toBe(true);
    const reborn = await clientRegistry.register('demo', metadata, { clientId: 'phoenix' });
    expect(reborn.client.epoch).toBe(1);
    const userinfo = (accessToken: unknown) =>
      auth.get('/t/demo/userinfo', { authorization: `Bearer ${accessToken}` });
    expect((await userinfo(body.access_token)).status).toBe(401);
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
      client_id: 'phoenix',
    };
    expect((await token(refresh)).body.error).toBe('invalid_grant');
    const { rows } = await auth.database.sql.query(`SELECT 1 FROM auth.consents WHERE client_id = 'phoenix'`);
    expect(rows).toHaveLength(0);
    // The new client works although a revocation of its id is still in the feed.
    const next = await issueCode(auth, 'phoenix', { subjectId, sessionId });
    const fresh = (await token(next.form)).body;
    expect(claimsOf(fresh.access_token).client_epoch).toBe(1);
    expect((await userinfo(fresh.access_token)).status).toBe(200);
  });
});

describe('PKCE', () => {
  const exempt = async () => {
    const { client, clientSecret } = await register(auth, { require_pkce: false, scope: 'openid profile' });
    return { id: client.clientId, basic: { basic: [client.clientId, clientSecret ?? ''] as const } };
  };
  const withoutVerifier = ({ code_verifier: _, ...form }: Record<string, unknown>) =>
    form as Record<string, string>;

  test.each([
    ['a public client', publicClient],
    ['a client without openid', { scope: 'profile' }],
    ['a machine', { grant_types: ['client_credentials'], redirect_uris: [] }],
  ])('The registration of %s as exempt from PKCE is rejected.', async (_, metadata) => {
    await expect(register(auth, { ...metadata, require_pkce: false })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });

  test('An exempt client redeems a code that has no challenge without a verifier.', async () => {
    const { id, basic } = await exempt();
    const { form } = await issueCode(auth, id, { codeChallenge: '', redirectUri: callback });
    const answer = await token(withoutVerifier(form), basic);
    expect(answer.status).toBe(200);
    expect(claimsOf(answer.body.id_token).nonce).toBe('n-1');
  });

  test('A code with a challenge needs its verifier from an exempt client too, so PKCE is not downgraded.', async () => {
    const { id, basic } = await exempt();
    const { form } = await issueCode(auth, id, { redirectUri: callback });
    expect((await token(withoutVerifier(form), basic)).body.error).toBe('invalid_grant');
    expect((await token(form, basic)).status).toBe(200);
  });

  test('A verifier for a code without a challenge is rejected, so PKCE is not downgraded in the other direction.', async () => {
    const { id, basic } = await exempt();
    const { form } = await issueCode(auth, id, { codeChallenge: '', redirectUri: callback });
    expect((await token(form, basic)).body.error).toBe('invalid_grant');
  });

  test('A code without a challenge is rejected once its client is no longer exempt.', async () => {
    const { id, basic } = await exempt();
    const { form } = await issueCode(auth, id, { codeChallenge: '', redirectUri: callback });
    await auth.deps.clientRegistry.update('demo', id, ({ require_pkce: _, ...current }) => current);
    expect((await token(withoutVerifier(form), basic)).body.error).toBe('invalid_request');
    expect((await token(form, basic)).body.error).toBe('invalid_grant');
  });

  test('An empty verifier counts as a missing verifier.', async () => {
    const { client, clientSecret } = await register(auth, { scope: 'openid' });
    const { form } = await issueCode(auth, client.clientId, { codeChallenge: '', redirectUri: callback });
    const answer = await token(
      { ...form, code_verifier: '' },
      { basic: [client.clientId, clientSecret ?? ''] as const },
    );
    expect(answer.body.error).toBe('invalid_request');
  });
});

describe('signed introspection (RFC 9701)', () => {
  const accept = 'application/token-introspection+jwt';

  async function caller(metadata: object = {}) {
    const { client, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
      protected_resources: ['urn:ostiary:tenant-api'],
      ...metadata,
    });
    return { id: client.clientId, basic: [client.clientId, clientSecret ?? ''] as const };
  }
  const issued = async (fields: Record<string, string> = {}, metadata: object = {}) => {
    const owner = await caller(metadata);
    const { body } = await token({ grant_type: 'client_credentials', ...fields }, { basic: owner.basic });
    return String(body.access_token);
  };
  const introspect = async (
    as: { basic: readonly [string, string] },
    accessToken: string,
    headers: Record<string, string> = { accept },
  ) => auth.post('/t/demo/introspect', { token: accessToken }, { basic: as.basic, headers });

  test('The signed introspection response passes the validation of oauth4webapi.', async () => {
    const as = await caller({ introspection_signed_response_alg: 'ES256' });
    const accessToken = await issued();
    const insecure = { [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(auth.issuer('demo'));
    const server = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, insecure),
    );
    expect(server.introspection_signing_alg_values_supported).toContain('ES256');
    const client = { client_id: as.id, introspection_signed_response_alg: 'ES256' };
    const response = await oauth4webapi.introspectionRequest(
      server,
      client,
      oauth4webapi.ClientSecretBasic(as.basic[1]),
      accessToken,
      { ...insecure, requestJwtResponse: true },
    );
    const answer = await oauth4webapi.processIntrospectionResponse(server, client, response);
    await oauth4webapi.validateApplicationLevelSignature(server, response, insecure);
    expect(answer).toMatchObject({ active: true, scope: 'users:read' });
  });

  test.each([undefined, 'RS256', 'ES256', 'EdDSA'])(
    'The introspection response is signed with the registered algorithm: %s.',
    async (alg) => {
      const as = await caller(alg === undefined ? {} : { introspection_signed_response_alg: alg });
      const { status, headers, body } = await introspect(as, await issued());
      expect([status, headers.get('content-type')]).toEqual([200, accept]);
      expect(headers.get('cache-control')).toBe('no-store');
      const jwt = String(body.text);
      expect(decodeProtectedHeader(jwt)).toMatchObject({
        typ: 'token-introspection+jwt',
        alg: alg ?? 'RS256',
      });
      const jwks = (await auth.get('/t/demo/jwks')).body as unknown as JSONWebKeySet;
      await compactVerify(jwt, createLocalJWKSet(jwks));
      const claims = decodeJwt(jwt);
      expect(claims).toMatchObject({
        iss: auth.issuer('demo'),
        aud: as.id,
        iat: expect.any(Number),
        token_introspection: { active: true },
      });
      // §5: no top-level claims that would make it valid as another kind of token.
      expect(Object.keys(claims).sort()).toEqual(['aud', 'iat', 'iss', 'token_introspection']);
    },
  );

  test('A signed introspection response is not accepted as an access token.', async () => {
    const as = await caller();
    const jwt = String((await introspect(as, await issued())).body.text);
    const userinfo = await auth.get('/t/demo/userinfo', { authorization: `Bearer ${jwt}` });
    expect(userinfo.status).toBe(401);
    expect((await introspect(as, jwt, {})).body).toEqual({ active: false });
  });

  test('A signed response contains only active: false for invalid tokens and for tokens of other resource servers.', async () => {
    const as = await caller({ resources: ['https://api.example'] });
    const entitled = await caller({ protected_resources: ['https://api.example'] });
    const elsewhere = await issued(
      { resource: 'https://api.example' },
      { resources: ['https://api.example'] },
    );
    const about = async (who: typeof as, accessToken: string) =>
      decodeJwt(String((await introspect(who, accessToken)).body.text)).token_introspection;
    expect(await about(as, 'nonsense')).toEqual({ active: false });
    expect(await about(as, elsewhere)).toEqual({ active: false });
    expect(await about(entitled, elsewhere)).toMatchObject({ active: true, aud: 'https://api.example' });
  });

  test.each([
    ['application/json', false],
    ['*/*', false],
    ['text/html', false],
    [`${accept};q=0`, false],
    [`application/json, ${accept};q=0.5`, false],
    [`${accept};q=nonsense`, false],
    ['Application/Token-Introspection+JWT', true],
    [`application/json;q=0.5, ${accept}`, true],
  ])(
    'The header Accept: %s decides whether the introspection response is signed.',
    async (header, isSigned) => {
      const { status, headers } = await introspect(await caller(), 'x', { accept: header });
      expect([status, headers.get('content-type')?.startsWith(accept)]).toEqual([200, isSigned]);
    },
  );

  test('A public client that requests signed introspection is rejected.', async () => {
    const { client } = await register(auth, publicClient);
    const answer = await auth.post(
      '/t/demo/introspect',
      { token: 'x', client_id: client.clientId },
      { headers: { accept } },
    );
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});
