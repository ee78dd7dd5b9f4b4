import { beforeAll, describe, expect, test } from '@jest/globals';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  app,
  type Defined,
  define,
  isLive,
  machine,
  ofUser,
  own,
  targetOf,
} from '../../support/defined-apis.ts';
import { claimsOf, publicClient, register } from '../../support/running-auth.ts';
import { auth, setUpTwoProcesses, twin } from '../../support/two-processes.ts';
import { allow, deviceGrant, poll } from '../../support/waiting-device.ts';

// RFC 8707 and RFC 9068 §3: audience and scopes of the tokens of defined APIs.

setUpTwoProcesses();

let orders: Defined;
let bills: Defined;

beforeAll(async () => {
  orders = await define('orders');
  bills = await define('bills');
});

const error = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error];

describe('tokens of a client that acts for itself', () => {
  test('A scope determines the audience, and the token contains only scopes of that API.', async () => {
    const job = await machine({ own_scopes: [orders.read, orders.write, bills.read], scope: 'users:read' });
    const { body } = await own(job, { scope: orders.read });
    expect(body.scope).toBe(orders.read);
    expect(targetOf(body.access_token)).toEqual({ aud: orders.identifier, scope: orders.read });
    const named = await own(job, { resource: bills.identifier });
    expect(targetOf(named.body.access_token)).toEqual({ aud: bills.identifier, scope: bills.read });
    const both = await own(job, { resource: orders.identifier }, twin);
    expect(targetOf(both.body.access_token).scope).toBe(`${orders.read} ${orders.write}`);
  });

  test('Scopes of several APIs without resource are rejected with invalid_scope.', async () => {
    const job = await machine({ own_scopes: [orders.read, bills.read], scope: 'users:read' });
    for (const scope of [`${orders.read} ${bills.read}`, `${orders.read} users:read`]) {
      const answer = await own(job, { scope });
      expect(error(answer)).toEqual([400, 'invalid_scope']);
      expect(answer.body.error_description).toContain('resource');
    }
  });

  test('A request without scope and resource gets the built-in scopes, or those of the only API.', async () => {
    const mixed = await machine({ own_scopes: [orders.read], scope: 'users:read' });
    expect(targetOf((await own(mixed)).body.access_token)).toEqual({
      aud: auth.issuer('demo'),
      scope: 'users:read',
    });
    const single = await machine({ own_scopes: [orders.read] });
    expect(targetOf((await own(single)).body.access_token)).toEqual({
      aud: orders.identifier,
      scope: orders.read,
    });
  });

  test('A scope for users is no scope of the client itself, and the reverse.', async () => {
    const web = await machine({
      grant_types: ['client_credentials', 'authorization_code'],
      redirect_uris: ['https://app.example/cb'],
      scope: `openid ${orders.read}`,
      own_scopes: [orders.write],
    });
    expect(error(await own(web, { scope: orders.read }))).toEqual([400, 'invalid_scope']);
    expect((await own(web, { scope: orders.write })).status).toBe(200);
    const client = await auth.deps.clients.find('demo', web.clientId);
    expect([client?.scopes, client?.ownScopes]).toEqual([['openid', orders.read], [orders.write]]);
  });

  test('A scope of another API and a resource without scope are rejected.', async () => {
    const job = await machine({ own_scopes: [orders.read], resources: ['https://files.example/v1'] });
    const refusals: [object, string][] = [
      [{ scope: bills.read }, 'invalid_scope'],
      [{ resource: bills.identifier }, 'invalid_target'],
      [{ scope: orders.read, resource: auth.issuer('demo') }, 'invalid_scope'],
      [{ scope: orders.read, resource: 'https://files.example/v1' }, 'invalid_scope'],
      [{ resource: [orders.identifier, 'https://files.example/v1'], scope: orders.read }, 'invalid_target'],
    ];
    for (const [fields, code] of refusals) {
      const answer = await own(job, fields as never);
      expect([fields, answer.body.error]).toEqual([fields, code]);
    }
    const { body } = await own(job, { resource: 'https://files.example/v1' });
    expect(targetOf(body.access_token)).toEqual({ aud: 'https://files.example/v1', scope: undefined });
  });

  test('A client of the rival tenant gets no scope of the API, also under the same names.', async () => {
    await expect(machine({ own_scopes: [orders.read] }, 'rival')).rejects.toThrow(/own_scopes/);
    const theirs = await define('orders', { tenant: 'rival', as: orders });
    const job = await machine({ own_scopes: [theirs.read] }, 'rival');
    const { body } = await own(job, {}, auth, 'rival');
    expect(claimsOf(body.access_token).iss).toBe(auth.issuer('rival'));
    expect(await isLive(body.access_token)).toBe(false);
    expect(await isLive(body.access_token, auth, 'rival')).toBe(true);
    await auth.deps.apis.remove('rival', theirs.api.id);
    expect(await isLive(body.access_token, auth, 'rival')).toBe(false);
    expect((await auth.deps.apis.find('demo', orders.api.id))?.scopes).toHaveLength(2);
  });
});

describe('tokens of users', () => {
  const granted = () => ({
    scopes: ['openid', 'offline_access', 'users:read', orders.read, bills.read],
    resources: [orders.identifier, bills.identifier, auth.issuer('demo')],
  });

  test('A token contains the scopes of its API and of OpenID Connect, and refreshed tokens follow resource.', async () => {
    const client = await app(`openid offline_access users:read ${orders.read} ${bills.read}`);
    const { body, refresh } = await ofUser(client, granted());
    expect(targetOf(body.access_token)).toEqual({
      aud: orders.identifier,
      scope: `openid offline_access ${orders.read}`,
    });
    expect(body.scope).toBe(`openid offline_access ${orders.read}`);
    expect(body.id_token).toBeDefined();
    const second = await refresh({ resource: bills.identifier }, twin);
    expect(targetOf(second.body.access_token)).toEqual({
      aud: bills.identifier,
      scope: `openid offline_access ${bills.read}`,
    });
  });

  test('A token request that names several resources with a defined API is rejected.', async () => {
    const client = await app(`openid offline_access ${orders.read} ${bills.read}`);
    const answer = await ofUser(client, granted(), { resource: [orders.identifier, bills.identifier] });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_target']);
  });

  test('A token for the API of the tenant contains no scope of a defined API.', async () => {
    const client = await app(`openid offline_access ${orders.read}`);
    const { body } = await ofUser(
      client,
      { scopes: ['openid', orders.read], resources: [orders.identifier, auth.issuer('demo')] },
      { resource: auth.issuer('demo') },
    );
    expect(targetOf(body.access_token)).toEqual({ aud: auth.issuer('demo'), scope: 'openid' });
  });

  test('A grant without a scope of the API yields no token for it.', async () => {
    const client = await app(`openid offline_access ${orders.read}`);
    const answer = await ofUser(client, { scopes: ['openid'], resources: [orders.identifier] });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_scope']);
  });

  test('A client that lists the identifier among its resources keeps tokens without a scope of the API.', async () => {
    const client = await app('openid', { resources: [orders.identifier] });
    const { body } = await ofUser(client, { scopes: ['openid'], resources: [orders.identifier] });
    expect(targetOf(body.access_token)).toEqual({ aud: orders.identifier, scope: 'openid' });
  });

  test('A device gets a token for the API of its scope.', async () => {
    const client = await app(`openid ${orders.read}`, { grant_types: [deviceGrant], redirect_uris: [] });
    const { body } = await auth.post('/t/demo/device_authorization', {
      client_id: client,
      scope: `openid ${orders.read}`,
    });
    await allow(String(body.user_code), auth, ['openid', orders.read]);
    const answer = await poll(String(body.device_code), { client });
    expect(targetOf(answer.body.access_token)).toEqual({
      aud: orders.identifier,
      scope: `openid ${orders.read}`,
    });
  });

  test('A pushed request for scopes of several APIs without resource is rejected.', async () => {
    const client = await app(`openid ${orders.read} ${bills.read}`);
    const push = (fields: object) =>
      auth.post('/t/demo/par', {
        client_id: client,
        response_type: 'code',
        redirect_uri: 'http://127.0.0.1:8123/callback',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        scope: `openid ${orders.read} ${bills.read}`,
        ...fields,
      });
    expect(error(await push({}))).toEqual([400, 'invalid_scope']);
    expect((await push({ resource: [orders.identifier, bills.identifier] })).status).toBe(201);
    expect(error(await push({ resource: orders.identifier }))).toEqual([400, 'invalid_scope']);
  });
});

test('An exchanged token has at most the scopes and the audience of the subject token.', async () => {
  const web = await app(`openid ${orders.read} ${orders.write}`);
  const exchanging = async (scope: string) => {
    const { client, clientSecret = '' } = await register(auth, {
      grant_types: [exchangeGrant],
      redirect_uris: [],
      scope,
      token_exchange_subject_clients: [web],
    });
    return [client.clientId, clientSecret] as const;
  };
  const { body } = await ofUser(web, {
    scopes: ['openid', orders.read, orders.write],
    resources: [orders.identifier],
  });
  const exchange = (basic: readonly [string, string], fields: object = {}) =>
    auth.post(
      '/t/demo/token',
      {
        grant_type: exchangeGrant,
        subject_token: String(body.access_token),
        subject_token_type: accessTokenType,
        ...fields,
      },
      { basic },
    );
  const narrow = await exchange(await exchanging(`openid ${orders.read} ${bills.read}`));
  expect(targetOf(narrow.body.access_token)).toEqual({
    aud: orders.identifier,
    scope: `openid ${orders.read}`,
  });
  const other = await exchanging(`openid ${bills.read}`);
  expect(error(await exchange(other))).toEqual([400, 'invalid_target']);
  expect(error(await exchange(other, { resource: bills.identifier }))).toEqual([400, 'invalid_target']);
});

test('A built-in scope among the own scopes of a client confers nothing in an exchange.', async () => {
  const source = await machine({ scope: 'users:read' });
  const exchanging = await machine({
    grant_types: ['client_credentials', exchangeGrant],
    scope: 'roles:read',
    token_exchange_subject_clients: [source.clientId],
  });
  // A row of an earlier version.
  await auth.database.sql.query(
    "UPDATE auth.clients SET own_scopes = '{users:read}' WHERE tenant = 'demo' AND client_id = $1",
    [exchanging.clientId],
  );
  await auth.deps.clientRegistry.changed('demo', exchanging.clientId);
  const { body } = await own(source);
  const subject = { subject_token: String(body.access_token), subject_token_type: accessTokenType };
  expect(error(await own(exchanging, { grant_type: exchangeGrant, ...subject }))).toEqual([
    400,
    'invalid_scope',
  ]);
});

describe('lifetime and format', () => {
  test('The lifetime of the API limits the token, and never exceeds that of the installation.', async () => {
    const brief = await define('brief', { tokenLifetimeSeconds: 90 });
    const job = await machine({ own_scopes: [brief.read, orders.read] });
    const { body } = await own(job, { scope: brief.read });
    const { exp, iat } = claimsOf(body.access_token) as { exp: number; iat: number };
    expect([body.expires_in, exp - iat]).toEqual([90, 90]);
    expect((await own(job, { scope: orders.read })).body.expires_in).toBe(600);
    await expect(define('long', { tokenLifetimeSeconds: 601 })).rejects.toThrow('between 60 and 600');
    await auth.deps.apis.update('demo', brief.api.id, { tokenLifetimeSeconds: 120 });
    expect((await own(job, { scope: brief.read })).body.expires_in).toBe(120);
  });

  test('An opaque token is accepted by introspection and revocation of its tenant, and is no JWT.', async () => {
    const secret = await define('secret', { tokenFormat: 'opaque' });
    const job = await machine({ own_scopes: [secret.read] });
    const server = await machine({ protected_resources: [secret.identifier] });
    const stranger = await machine({ protected_resources: [orders.identifier] });
    const token = String((await own(job)).body.access_token);
    expect(token).toMatch(/^ost_at_[\w-]+$/);
    await expect(auth.deps.verifier.verify(token, { audience: secret.identifier })).rejects.toMatchObject({
      error: 'invalid_token',
    });
    const introspect = async (basic: readonly [string, string], text = token, at = auth) =>
      (await at.post('/t/demo/introspect', { token: text }, { basic })).body;
    expect(await introspect(server.basic, token, twin)).toMatchObject({
      active: true,
      aud: secret.identifier,
      scope: secret.read,
      client_id: job.clientId,
      // Revocations of the signing key match it.
      kid: (await auth.deps.signingKeys.signer('demo', 'ES256')).kid,
    });
    expect(await introspect(stranger.basic)).toEqual({ active: false });
    const forged = `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}${token.slice(-1)}`;
    for (const text of [forged, token.slice(0, -1), `${token}A`, 'ost_at_', `ost_at_${'A'.repeat(200)}`])
      expect(await introspect(server.basic, text)).toEqual({ active: false });
    expect(await isLive(token, auth, 'rival')).toBe(false);
    await auth.post('/t/demo/revoke', { token }, { basic: job.basic });
    expect(await introspect(server.basic)).toEqual({ active: false });
  });

  test('A user’s opaque token ends with the grant.', async () => {
    const secret = await define('secret', { tokenFormat: 'opaque' });
    const client = await app(`openid offline_access ${secret.read}`, {
      ...publicClient,
      scope: `openid offline_access ${secret.read}`,
    });
    const { body } = await ofUser(client, {
      scopes: ['openid', 'offline_access', secret.read],
      resources: [secret.identifier],
    });
    expect(await isLive(body.access_token)).toBe(true);
    await auth.post('/t/demo/revoke', { token: String(body.refresh_token), client_id: client });
    expect(await isLive(body.access_token)).toBe(false);
  });
});
