import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import {
  allow,
  allowOn,
  asking,
  documents,
  newPath,
  open,
  redeemed,
  refreshed,
  service,
  setUpDocuments,
  signedIn,
  stored,
  tokensOf,
} from '../../support/document-client.ts';
import { PublishedDocuments } from '../../support/published-documents.ts';
import { rival, tenant, token } from '../../support/sign-in/service.ts';

setUpDocuments();

const scopes = ['openid', 'profile', 'email', 'offline_access'];
let admin: string;
let rivalAdmin: string;
beforeAll(async () => {
  admin = await asking.machine('tenants:write clients:write audit:read');
  rivalAdmin = await asking.machine('tenants:write clients:write audit:read', rival);
});

const change = async (input: object, token = admin) => {
  const { data, errors } = await asking.ask(
    `mutation ($input: UpdateClientDocumentPolicyInput!) { updateClientDocumentPolicy(input: $input) {
       clientDocumentPolicy { hosts scopes apiIds version } problems { code message path } } }`,
    { input },
    token,
  );
  return { ...data?.updateClientDocumentPolicy, errors };
};
const read = async (token = admin) =>
  (await asking.ask('{ clientDocumentPolicy { hosts scopes apiIds version } }', {}, token)).data
    ?.clientDocumentPolicy;

const newApi = (name: string, scopeNames: string[], of = tenant) =>
  service.deps.apis.register(of, {
    identifier: `https://${name}.example`,
    name,
    scopes: scopeNames.map((scope) => ({ name: scope, descriptions: {} })),
    roles: [],
    tokenLifetimeSeconds: null,
    tokenFormat: 'jwt',
  });

const isLive = async (token: unknown): Promise<boolean> =>
  (await service.deps.introspection.liveAccessToken(tenant, String(token))) !== null;

describe('the policy in the graph', () => {
  test('A tenant accepts no documents by default, and an administrator changes the policy with its version.', async () => {
    expect(await read(rivalAdmin)).toEqual({ hosts: [], scopes, apiIds: [], version: 0 });
    const changed = await change({ hosts: ['app.example'], version: 0 }, rivalAdmin);
    expect(changed.clientDocumentPolicy).toEqual({ hosts: ['app.example'], scopes, apiIds: [], version: 1 });
    expect((await change({ hosts: ['*'], version: 0 }, rivalAdmin)).problems).toMatchObject([
      { code: 'VERSION_CONFLICT' },
    ]);
    expect(await read(rivalAdmin)).toMatchObject({ hosts: ['app.example'], version: 1 });
    expect((await change({ hosts: null }, rivalAdmin)).clientDocumentPolicy).toMatchObject({ hosts: [] });
    expect(await read()).toMatchObject({ hosts: [documents.host] });
  });

  test('A repeated change with the same idempotency key is made once.', async () => {
    const input = { scopes: ['openid'], idempotencyKey: 'policy' };
    const [first, second] = [await change(input, rivalAdmin), await change(input, rivalAdmin)];
    expect(second.clientDocumentPolicy).toEqual(first.clientDocumentPolicy);
  });

  test('Unusable hosts and scopes, and APIs of another tenant, are problems of their fields.', async () => {
    const foreign = await newApi('foreign', [], rival);
    for (const input of [
      { hosts: ['https://app.example'] },
      { scopes: ['users:read'] },
      { apiIds: [foreign.id] },
    ])
      expect((await change(input)).problems).toMatchObject([
        { code: 'INVALID_INPUT', path: ['input', ...Object.keys(input)] },
      ]);
    expect(await read()).toMatchObject({ hosts: [documents.host], scopes, apiIds: [] });
  });

  test('A change requires tenants:write and clients:write, and is in the security log of the tenant.', async () => {
    for (const scopes of ['clients:write clients:read', 'tenants:write tenants:read']) {
      const caller = await asking.machine(scopes);
      expect((await change({ hosts: [] }, caller)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      expect(await read(caller)).toMatchObject({ hosts: [documents.host] });
    }
    await change({ hosts: ['logged.example'] }, rivalAdmin);
    const { data } = await asking.ask(
      '{ securityLog(filter: { action: "tenant.client_documents_updated" }, first: 1) { edges { node { resourceId changes { attribute after } } } } }',
      {},
      rivalAdmin,
    );
    expect(data?.securityLog.edges[0]?.node).toMatchObject({
      resourceId: rival,
      changes: [{ attribute: 'hosts', after: '["logged.example"]' }],
    });
  });

  test('Of parallel changes based on one version, one is made; without a version, each is.', async () => {
    const before: number = (await read(rivalAdmin)).version;
    const parallel = (more: object) =>
      Promise.all(['a', 'b', 'c'].map((name) => change({ hosts: [`${name}.example`], ...more }, rivalAdmin)));
    const based = await parallel({ version: before });
    expect(based.flatMap(({ problems }) => problems)).toMatchObject([
      { code: 'VERSION_CONFLICT' },
      { code: 'VERSION_CONFLICT' },
    ]);
    const unbased = await parallel({});
    const versions = unbased.map(({ clientDocumentPolicy }) => clientDocumentPolicy.version);
    expect(versions.toSorted()).toEqual([before + 2, before + 3, before + 4]);
  });
});

describe('a change of the policy', () => {
  test('A client whose host is no longer allowed is deleted with its tokens and consents, and others stay.', async () => {
    const other = await new PublishedDocuments().start();
    await allow([documents.host, other.host]);
    const [kept, removed] = [documents.publish(newPath()), other.publish(newPath())];
    const [stays, ends] = [await tokensOf(kept), await tokensOf(removed)];
    await change({ hosts: [documents.host] });
    expect(await stored(removed)).toBeNull();
    expect(await isLive(ends.access_token)).toBe(false);
    expect((await refreshed(removed, ends.refresh_token)).status).toBe(401);
    expect((await open(await signedIn(), removed)).text).toContain('Unknown app');
    expect(await isLive(stays.access_token)).toBe(true);
    expect((await refreshed(kept, stays.refresh_token)).status).toBe(200);
    // Tokens of the deleted client stay revoked when its host is allowed again.
    await change({ hosts: [documents.host, other.host] });
    const again = await tokensOf(removed);
    expect(await isLive(again.access_token)).toBe(true);
    expect(await isLive(ends.access_token)).toBe(false);
    await allow([documents.host]);
    await other.stop();
  });

  test('A user can allow an app in parallel with the removal of its host: no client without policy remains.', async () => {
    const other = await new PublishedDocuments().start();
    for (let round = 0; round < 3; round += 1) {
      await allow([documents.host, other.host]);
      const clientId = other.publish(newPath());
      const browser = await signedIn();
      const page = await open(browser, clientId);
      const [answer] = await Promise.all([
        browser.submit(page, { action: 'allow' }),
        change({ hosts: [documents.host] }),
      ]);
      expect(await stored(clientId)).toBeNull();
      if (answer.location?.includes('code='))
        expect((await redeemed(clientId, new URL(answer.location))).status).toBe(401);
    }
    await other.stop();
  });

  test('An allowed API gives tokens for it; without it the access tokens end and the client loses its scopes.', async () => {
    const api = await newApi('orders', ['orders:read', 'orders:write']);
    const bare = await newApi('bare', []);
    await change({ apiIds: [api.id, bare.id] });
    const clientId = documents.publish(newPath(), { scope: 'openid offline_access orders:read' });
    const browser = await signedIn();
    const fields = { scope: 'openid offline_access orders:read', resource: 'https://orders.example/' };
    const page = await open(browser, clientId, fields);
    expect(page.text).toContain('orders:read');
    const { body } = await redeemed(clientId, await allowOn(browser, page));
    expect(decodeJwt(String(body.access_token))).toMatchObject({
      aud: 'https://orders.example',
      scope: 'openid offline_access orders:read',
    });
    const forBare = await open(browser, clientId, { scope: 'openid', resource: 'https://bare.example' });
    expect(forBare.text).toContain('https://bare.example');
    expect(forBare.text).toContain('Use it on your behalf');
    const { body: tokens } = await redeemed(clientId, await allowOn(browser, forBare));
    expect(decodeJwt(String(tokens.access_token)).aud).toBe('https://bare.example');
    expect((await open(browser, clientId, { scope: 'openid orders:write' })).location).toContain(
      'invalid_scope',
    );

    await change({ apiIds: null });
    expect(await isLive(body.access_token)).toBe(false);
    expect(await isLive(tokens.access_token)).toBe(false);
    expect(await stored(clientId)).toMatchObject({ scopes: ['openid', 'offline_access'], resources: [] });
    expect((await refreshed(clientId, body.refresh_token)).status).toBe(400);
    expect((await open(browser, clientId, fields)).location).toContain('error=');
  });

  test('A scope that is removed from the policy leaves grants with the remaining scopes.', async () => {
    await change({ scopes: ['openid', 'email', 'offline_access'] });
    const clientId = documents.publish(newPath());
    const { refresh_token: token, access_token: access } = await tokensOf(clientId, {
      scope: 'openid email offline_access',
    });
    await change({ scopes: ['openid', 'offline_access'] });
    expect(await isLive(access)).toBe(false);
    const { status, body } = await refreshed(clientId, token);
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'openid offline_access' });
    await change({ scopes: null });
  });

  test('A deleted API ends its tokens, and a scope of the same name of a new API is not allowed.', async () => {
    const api = await newApi('stock', ['stock:read']);
    await change({ apiIds: [api.id] });
    const clientId = documents.publish(newPath());
    const tokens = await tokensOf(clientId, { scope: 'openid stock:read' });
    await service.deps.apis.remove(tenant, api.id);
    expect(await isLive(tokens.access_token)).toBe(false);
    await newApi('stocks', ['stock:read']);
    expect((await open(await signedIn(), clientId, { scope: 'openid stock:read' })).location).toContain(
      'invalid_scope',
    );
    await change({ apiIds: [] });
  });
});

test('A change locks the owner of its caller before the clients, in the order of an offboarding.', async () => {
  const { database } = service.deps;
  const clientId = documents.publish(newPath());
  await tokensOf(clientId);
  const owner = await service.person('owner');
  const owned = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'tenants:write clients:write',
  });
  await database.transaction((tx) =>
    setOwner(tx, tenant, 'client', owned.clientId, { kind: 'user', id: owner.id }),
  );
  const { body } = await token(service, owned, {
    grant_type: 'client_credentials',
    client_secret: owned.secret ?? '',
  });
  let changing: ReturnType<typeof change> | undefined;
  await database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM auth.subjects WHERE tenant = $1 AND id = $2 FOR UPDATE', [
      tenant,
      owner.id,
    ]);
    changing = change({ hosts: [] }, body.access_token);
    await eventually(async () => {
      const { rows } = await database.sql.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%auth.subjects%'`,
        [],
      );
      return rows.length > 0;
    });
    await tx.query('SELECT 1 FROM auth.clients WHERE tenant = $1 AND client_id = $2 FOR UPDATE NOWAIT', [
      tenant,
      clientId,
    ]);
  });
  expect((await changing)?.problems).toEqual([]);
  expect(await stored(clientId)).toBeNull();
  await allow([documents.host]);
});
