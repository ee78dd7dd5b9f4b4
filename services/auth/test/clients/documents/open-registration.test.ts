import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  alice,
  allow,
  allowOn,
  asking,
  loopback,
  open,
  redeemed,
  refreshed,
  service,
  setUpDocuments,
  signedIn,
  stored,
  tokensOf,
} from '../../support/document-client.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpDocuments();

const native = {
  client_name: 'Assistant',
  redirect_uris: ['http://localhost/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

const openTenant = (more: object = {}, of = tenant) => allow([], { registration: 'open', ...more }, of);
beforeAll(() => openTenant());

/** Registers over HTTP. */
async function post(body: object, o: { of?: string; token?: string } = {}) {
  const response = await fetch(`${service.origin}/t/${o.of ?? tenant}/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(o.token === undefined ? {} : { authorization: `Bearer ${o.token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown> & { client_id: string };
  return { status: response.status, headers: response.headers, body: answer };
}

/** Registers without the limit of requests. */
const register = async (changes: object = {}, of = tenant) => {
  const client = await service.deps.documentClientStore.register(of, { ...native, ...changes });
  if (!client) throw new Error('The policy does not allow the registration.');
  return client.clientId;
};

const isLive = async (token: unknown): Promise<boolean> =>
  (await service.deps.introspection.liveAccessToken(tenant, String(token))) !== null;

const metadataOf = async () =>
  (await (await fetch(`${service.origin}/t/${tenant}/.well-known/openid-configuration`)).json()) as Record<
    string,
    unknown
  >;

test('A client registers without a token as a public client, and signs users in at any loopback port.', async () => {
  const { status, body } = await post({ ...native, token_endpoint_auth_method: 'client_secret_post' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    client_id: expect.stringMatching(/^open-/),
    token_endpoint_auth_method: 'none',
    redirect_uris: native.redirect_uris,
    scope: 'openid profile email offline_access',
  });
  for (const name of ['client_secret', 'registration_access_token', 'registration_client_uri'])
    expect(body).not.toHaveProperty(name);
  const browser = await signedIn();
  const page = await open(browser, body.client_id);
  expect(page.text).toContain('The app registered itself, and its name is not verified.');
  expect(page.text).toContain('other programs can use its name');
  const answer = await redeemed(body.client_id, await allowOn(browser, page));
  expect(decodeJwt(String(answer.body.access_token))).toMatchObject({ sub: alice.id });
  expect((await refreshed(body.client_id, answer.body.refresh_token)).status).toBe(200);
  // The consent for a loopback address is not remembered.
  expect((await open(browser, body.client_id)).text).toContain('action="/t/demo/consent"');
});

test('A registration ignores secrets, links, logos and the members of administrators.', async () => {
  const { body } = await post({
    ...native,
    client_id: 'console',
    client_secret: 'chosen',
    require_consent: false,
    resources: ['https://api.example'],
    client_uri: 'https://bank.example',
    logo_uri: 'https://bank.example/logo.png',
    tos_uri: 'https://bank.example/terms',
    scope: 'openid users:write',
    backchannel_logout_uri: 'https://bank.example/logout',
  });
  expect(body).toMatchObject({ require_consent: true, resources: [], scope: 'openid' });
  for (const name of ['client_uri', 'logo_uri', 'tos_uri', 'client_secret', 'backchannel_logout_uri'])
    expect(body).not.toHaveProperty(name);
  expect(body.client_id).not.toBe('console');
});

test.each([
  ['another host', { redirect_uris: ['https://app.example/cb'] }, 'invalid_redirect_uri'],
  ['plain http', { redirect_uris: ['http://app.example/cb'] }, 'invalid_redirect_uri'],
  [
    'a host that begins like localhost',
    { redirect_uris: ['http://localhost.example/cb'] },
    'invalid_redirect_uri',
  ],
  ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ['a private-use scheme', { redirect_uris: ['com.example.app:/cb'] }, 'invalid_redirect_uri'],
  [
    'one usable address of two',
    { redirect_uris: [loopback, 'https://app.example/cb'] },
    'invalid_redirect_uri',
  ],
  ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['a grant without users', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  ['keys that are missing', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
])('An open registration with %s is rejected.', async (_, change, code) => {
  await expect(register(change)).rejects.toMatchObject({ code });
});

test('A redirect URI on an allowed host is accepted, and the clients on a removed host are deleted with their tokens.', async () => {
  await openTenant({ redirectHosts: ['app.example', 'other.example:8443'] });
  const fields = { redirect_uri: 'https://app.example/cb' };
  const [removed, kept] = [
    await register({ redirect_uris: ['https://app.example/cb'] }),
    await register({ redirect_uris: ['https://other.example:8443/cb'] }),
  ];
  await expect(register({ redirect_uris: ['https://other.example/cb'] })).rejects.toMatchObject({
    code: 'invalid_redirect_uri',
  });
  const browser = await signedIn();
  const answer = await allowOn(browser, await open(browser, removed, fields));
  const { body } = await redeemed(removed, answer, {}, fields.redirect_uri);
  expect(await isLive(body.access_token)).toBe(true);
  await openTenant({ redirectHosts: ['other.example:8443'] });
  expect(await isLive(body.access_token)).toBe(false);
  expect([await stored(removed), (await stored(kept))?.clientId]).toEqual([null, kept]);
  await openTenant({ redirectHosts: [] });
});

test('A registration names its keys by value, so that callers without a token do not choose where requests go.', async () => {
  const registration = { ...native, token_endpoint_auth_method: 'private_key_jwt' };
  const { status, body } = await post({ ...registration, jwks_uri: 'https://any.example/jwks' });
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
  expect(body.error_description).toContain('Use jwks instead');
});

test('A scope that is removed from the policy ends the access tokens of open registrations with it.', async () => {
  const clientId = await register();
  const tokens = await tokensOf(clientId, { scope: 'openid email offline_access' });
  await openTenant({ scopes: ['openid', 'offline_access'] });
  expect(await isLive(tokens.access_token)).toBe(false);
  const { body } = await refreshed(clientId, tokens.refresh_token);
  expect(body.scope).toBe('openid offline_access');
  await openTenant({ scopes: ['openid', 'profile', 'email', 'offline_access'] });
});

describe('the mode of registration', () => {
  test('By default a registration needs a token, and open registrations of another tenant do not change that.', async () => {
    const { status, body } = await post(native, { of: rival });
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    const clientId = await register();
    expect(await stored(clientId, rival)).toBeNull();
    await openTenant({}, rival);
    expect((await post(native, { of: rival })).status).toBe(201);
    await allow([], { registration: 'token' }, rival);
    expect(await stored(clientId)).not.toBeNull();
  });

  test('While it is open, an initial access token registers confidential clients, and a wrong token is rejected.', async () => {
    const { token } = await service.deps.registrations.createToken(tenant, {
      name: 'tests',
      scopes: ['openid'],
      uses: 1,
      lifetimeSeconds: 60,
    });
    const confidential = { client_name: 'Notes', redirect_uris: ['https://notes.example/cb'] };
    expect((await post(confidential, { token })).body).toHaveProperty('client_secret');
    expect((await post(native, { token: 'oit_unknown' })).status).toBe(401);
  });

  test('While it is off, every registration is rejected, and the metadata names no endpoint.', async () => {
    const { token } = await service.deps.registrations.createToken(tenant, {
      name: 'tests',
      scopes: ['openid'],
      uses: 1,
      lifetimeSeconds: 60,
    });
    expect(await metadataOf()).toHaveProperty('registration_endpoint');
    await allow([], { registration: 'off' });
    for (const o of [{}, { token }]) {
      const { status, body } = await post(native, o);
      expect([status, body.error]).toEqual([403, 'access_denied']);
    }
    expect(await metadataOf()).not.toHaveProperty('registration_endpoint');
    await openTenant();
  });

  test('Clients register in parallel with the end of open registration: none remains.', async () => {
    const registering = Array.from({ length: 6 }, () => register().catch(() => undefined));
    await allow([], { registration: 'token' });
    const ids = await Promise.all(registering);
    for (const id of ids) if (id !== undefined) expect(await stored(id)).toBeNull();
    await openTenant();
  });
});

test('An administrator can disable and delete an open registration, but neither change it nor use such an id.', async () => {
  const admin = await asking.machine('clients:write clients:read');
  const clientId = await register();
  const mutate = async (mutation: string) => (await asking.ask(`mutation { ${mutation} }`, {}, admin)).data;
  const { updateClient } = await mutate(
    `updateClient(input: { id: "${clientId}", name: "Bank" }) { problems { message } }`,
  );
  expect(updateClient.problems).toMatchObject([{ message: expect.stringContaining('can only be disabled') }]);
  await mutate(`disableClient(input: { id: "${clientId}" }) { problems { message } }`);
  expect(await stored(clientId)).toMatchObject({ disabled: true });
  await mutate(`deleteClient(input: { id: "${clientId}" }) { problems { message } }`);
  expect(await stored(clientId)).toBeNull();
  await expect(
    service.deps.clientRegistry.register(tenant, { ...native, require_consent: false }, { clientId }),
  ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
});

describe('the number of open registrations', () => {
  const sql = () => service.deps.database.sql;
  const age = (clientId: string, days: number) =>
    sql().query("UPDATE auth.clients SET updated_at = now() - $2 * interval '1 day' WHERE client_id = $1", [
      clientId,
      days,
    ]);

  test('A registration without grants is deleted after 7 days, when another client registers.', async () => {
    const [unused, used, recent] = [await register(), await register(), await register()];
    await tokensOf(used);
    for (const [clientId, days] of [
      [unused, 8],
      [used, 8],
      [recent, 6],
    ] as const)
      await age(clientId, days);
    await register();
    expect(await stored(unused)).toBeNull();
    expect([await stored(used), await stored(recent)]).not.toContain(null);
  });

  test('A tenant with 1,000 open registrations replaces the oldest without grants, and no other client.', async () => {
    await allow([], { registration: 'token' });
    await openTenant();
    const [used, app] = [await register(), await service.client()];
    await tokensOf(used);
    await age(used, 30);
    const { rows } = await sql().query<{ id: string }>(
      `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, redirect_uris, grant_types,
                                 response_types, scopes, own_scopes, resources, metadata, updated_at)
       SELECT tenant, 'open-' || gen_random_uuid(), name, type, token_endpoint_auth_method, redirect_uris, grant_types,
              response_types, scopes, own_scopes, resources, metadata, now() - n * interval '1 minute'
         FROM auth.clients, generate_series(1, 1000) n WHERE tenant = $1 AND client_id = $2
       RETURNING client_id AS id`,
      [tenant, used],
    );
    const added = await register();
    expect(await stored(rows.at(-1)?.id ?? '')).toBeNull();
    expect([await stored(added), await stored(used), await stored(app.clientId)]).not.toContain(null);
    await sql().query('DELETE FROM auth.clients WHERE client_id = ANY($1)', [rows.map(({ id }) => id)]);
  });

  test('Registrations from one network are limited, and are answered with 429 and a waiting time.', async () => {
    let answer = await post(native);
    for (let turn = 0; turn < 40 && answer.status === 201; turn += 1) answer = await post(native);
    expect([answer.status, answer.body.error]).toEqual([429, 'slow_down']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
