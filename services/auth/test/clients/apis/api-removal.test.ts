import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { app, define, isLive, machine, named, ofUser, own, targetOf } from '../../support/defined-apis.ts';
import { issueCode, signedIn } from '../../support/running-auth.ts';
import { auth, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

// An API or scope that ends (`deleteApi`, `updateApi`) is removed from clients, consents and grants, and reaches issued
// tokens.

setUpTwoProcesses();

const clientOf = async (id: string) => {
  const client = await auth.deps.clients.find('demo', id);
  if (!client) throw new Error('the client is missing');
  return client;
};

const consent = (subjectId: string, clientId: string, scopes: string[]) =>
  auth.database.sql.query(
    'INSERT INTO auth.consents (tenant, subject_id, client_id, scopes) VALUES ($1, $2, $3, $4)',
    ['demo', subjectId, clientId, scopes],
  );

const consented = async (subjectId: string, clientId: string): Promise<string[]> => [
  ...(await auth.deps.consents.given('demo', subjectId, clientId)),
];

test('A deleted API ends its tokens, its grants and its traces in clients, in both processes.', async () => {
  const orders = await define('orders');
  const other = await define('bills');
  const client = await app(`openid offline_access ${orders.read} ${other.read}`);
  const job = await machine({
    own_scopes: [orders.write],
    resources: [orders.identifier],
  });
  const unrelated = await machine({ own_scopes: [other.read] });
  const user = await ofUser(client, {
    scopes: ['openid', 'offline_access', orders.read],
    resources: [orders.identifier],
  });
  const shared = await ofUser(client, {
    scopes: ['openid', 'offline_access', orders.read, other.read],
    resources: [orders.identifier, other.identifier],
  });
  await consent(user.person.subjectId, client, ['openid', orders.read, other.read]);
  const tokens = [user.body.access_token, shared.body.access_token, (await own(job)).body.access_token];
  const kept = (await own(unrelated)).body.access_token;
  for (const token of tokens) expect(await isLive(token, twin)).toBe(true);

  expect(await auth.deps.apis.remove('rival', orders.api.id)).toBe(false);
  expect(await auth.deps.apis.remove('demo', orders.api.id)).toBe(true);

  for (const token of tokens) {
    expect(await isLive(token)).toBe(false);
    await eventually(
      () => twin.deps.introspection.followedAccessToken('demo', String(token)),
      (found) => found === null,
    );
  }
  expect(await isLive(kept)).toBe(true);
  expect((await clientOf(client)).scopes).toEqual(['openid', 'offline_access', other.read]);
  expect(await clientOf(job.clientId)).toMatchObject({ ownScopes: [], resources: [] });
  expect(await consented(user.person.subjectId, client)).toEqual(['openid', other.read]);
  expect((await user.refresh()).body.error).toBe('invalid_grant');
  const refreshed = await shared.refresh({}, twin);
  expect(targetOf(refreshed.body.access_token)).toEqual({
    aud: other.identifier,
    scope: `openid offline_access ${other.read}`,
  });
  expect((await own(job, { scope: orders.write })).body.error).toBe('invalid_scope');
});

describe('an API whose identifier differs from that of another API by its last slash', () => {
  test('A deleted API leaves the resources, tokens and grants of the other API.', async () => {
    const orders = await define('orders');
    const other = await define('orders', { as: { ...named('orders'), identifier: `${orders.identifier}/` } });
    const job = await machine({ own_scopes: [other.read], resources: [other.identifier] });
    const client = await app(`openid offline_access ${other.read}`, { resources: [other.identifier] });
    const user = await ofUser(client, {
      scopes: ['openid', 'offline_access', other.read],
      resources: [other.identifier],
    });
    expect((await clientOf(job.clientId)).apis).toMatchObject([{ identifier: other.identifier }]);
    const { access_token: token } = (await own(job)).body;
    await auth.deps.apis.remove('demo', orders.api.id);
    expect((await clientOf(job.clientId)).resources).toEqual([other.identifier]);
    for (const kept of [token, user.body.access_token]) expect(await isLive(kept)).toBe(true);
    expect(targetOf((await user.refresh()).body.access_token).aud).toBe(other.identifier);
  });

  test('A deleted API with an empty path is removed from clients that list it with a slash.', async () => {
    const as = { ...named('orders'), identifier: 'https://empty-path.example' };
    const orders = await define('orders', { as });
    const job = await machine({ own_scopes: [orders.read], resources: [`${orders.identifier}/`] });
    await auth.deps.apis.remove('demo', orders.api.id);
    expect(await clientOf(job.clientId)).toMatchObject({ ownScopes: [], resources: [] });
  });
});

test('A removed scope ends the access tokens of its clients; refreshed tokens lack it.', async () => {
  const orders = await define('orders');
  const client = await app(`openid offline_access ${orders.read} ${orders.write}`);
  const { body, refresh, person } = await ofUser(client, {
    scopes: ['openid', 'offline_access', orders.read, orders.write],
    resources: [orders.identifier],
  });
  await consent(person.subjectId, client, [orders.write]);
  const { scopes } = orders.api;
  const updated = await auth.deps.apis.update('demo', orders.api.id, {
    scopes: scopes.filter(({ name }) => name === orders.read),
  });
  expect(updated).toMatchObject({ version: 2, scopes: [{ name: orders.read }] });
  expect(await isLive(body.access_token)).toBe(false);
  expect(await consented(person.subjectId, client)).toEqual([]);
  const refreshed = await refresh();
  expect(targetOf(refreshed.body.access_token).scope).toBe(`openid offline_access ${orders.read}`);
  expect(await isLive(refreshed.body.access_token, twin)).toBe(true);
});

describe('an API that is registered again under the same names', () => {
  test('A grant, a code, a consent and a client of the former API give nothing of the new one.', async () => {
    const orders = await define('orders');
    const other = await define('bills');
    const scopes = ['openid', 'offline_access', orders.read];
    const client = await app(`openid offline_access ${orders.read} ${other.read}`);
    const resources = [orders.identifier];
    const alone = await ofUser(client, { scopes, resources });
    const shared = await ofUser(client, {
      scopes: [...scopes, other.read],
      resources: [orders.identifier, other.identifier],
    });
    const { form } = await issueCode(auth, client, { scopes, resources });
    await consent(alone.person.subjectId, client, [orders.read]);
    await auth.deps.apis.remove('demo', orders.api.id);
    const again = await define('orders', { as: orders });
    expect(again.api.id).not.toBe(orders.api.id);
    expect((await clientOf(client)).scopes).not.toContain(orders.read);
    await auth.deps.clientRegistry.update('demo', client, (current) => ({
      ...current,
      scope: `${current.scope} ${orders.read}`,
    }));

    expect((await auth.post('/t/demo/token', form)).body.error).toBe('invalid_grant');
    expect((await alone.refresh()).body.error).toBe('invalid_grant');
    const refreshed = await shared.refresh();
    expect(targetOf(refreshed.body.access_token).aud).toBe(other.identifier);
    expect(String(refreshed.body.scope)).not.toContain(orders.read);
    expect(await consented(alone.person.subjectId, client)).toEqual([]);
    for (const { body } of [alone, shared]) expect(await isLive(body.access_token)).toBe(false);
  });

  test('A consent to a client that lost the scope before does not return with the API.', async () => {
    const orders = await define('orders');
    const client = await app(`openid ${orders.read}`);
    const { subjectId } = await signedIn(auth);
    await consent(subjectId, client, ['openid', orders.read]);
    await auth.deps.clientRegistry.update('demo', client, (current) => ({ ...current, scope: 'openid' }));
    await auth.deps.apis.remove('demo', orders.api.id);
    await define('orders', { as: orders });
    expect(await consented(subjectId, client)).toEqual(['openid']);
  });
});

test('A change of an API invalidates the cached clients of its tenant, and no others, in both processes.', async () => {
  const ours = await app('openid');
  const theirs = await machine({ scope: 'users:read' }, 'rival');
  const cachedBy = (at: typeof auth) => ({
    ours: () => at.deps.clients.find('demo', ours),
    theirs: () => at.deps.clients.find('rival', theirs.clientId),
  });
  for (const clients of [cachedBy(auth), cachedBy(twin)]) {
    // A cached client is valid for a second, so on a busy machine both may be read again without a change.
    const onlyOursIsReadAgain = async () => {
      const before = { ours: await clients.ours(), theirs: await clients.theirs() };
      const { api } = await define('orders');
      await eventually(
        () => clients.ours(),
        (client) => client !== before.ours,
      );
      const isKept = (await clients.theirs()) === before.theirs;
      await auth.deps.apis.remove('demo', api.id);
      return isKept && (await clients.theirs()) === before.theirs;
    };
    expect(await eventually(onlyOursIsReadAgain, (isKept) => isKept)).toBe(true);
  }
});

describe('parallel requests', () => {
  const settled = async (work: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(work)).filter(({ status }) => status === 'fulfilled').length;
  const at = (n: number) => (n % 2 === 0 ? auth : twin).deps.apis;

  test('Of parallel registrations of one identifier exactly one succeeds.', async () => {
    const { identifier } = named('orders');
    const register = (_: unknown, n: number) =>
      at(n).register('demo', {
        identifier,
        name: 'Orders',
        scopes: [{ name: `${identifier}${n}`, descriptions: {} }],
        roles: [],
        tokenLifetimeSeconds: null,
        tokenFormat: 'jwt',
      });
    expect(await settled(Array.from({ length: 8 }, register))).toBe(1);
  });

  test('Of parallel registrations and updates with one scope exactly one succeeds.', async () => {
    const { read } = named('orders');
    const scopes = [{ name: read, descriptions: {} }];
    const existing = await Promise.all([1, 2, 3].map(() => define('bills')));
    const work = Array.from({ length: 8 }, (_, n) => {
      const api = existing[n]?.api;
      return api
        ? at(n).update('demo', api.id, { scopes })
        : at(n).register('demo', {
            identifier: named('orders').identifier,
            name: 'Orders',
            scopes,
            roles: [],
            tokenLifetimeSeconds: null,
            tokenFormat: 'jwt',
          });
    });
    expect(await settled(work)).toBe(1);
  });

  test('A deletion beside registrations and updates of clients leaves no client with the scope.', async () => {
    const orders = await define('orders');
    const existing = await Promise.all([1, 2, 3].map(() => app('openid')));
    const work: Promise<unknown>[] = [
      ...existing.map((id, n) =>
        (n % 2 === 0 ? auth : twin).deps.clientRegistry.update('demo', id, (current) => ({
          ...current,
          scope: `openid ${orders.read}`,
        })),
      ),
      ...[1, 2, 3].map(() => machine({ own_scopes: [orders.read] })),
      auth.deps.apis.remove('demo', orders.api.id),
    ];
    await Promise.allSettled(work);
    const { rows } = await auth.database.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM auth.clients WHERE scopes || own_scopes && $1`,
      [[orders.read]],
    );
    expect(rows[0]?.count).toBe(0);
    expect(await auth.deps.apis.find('demo', orders.api.id)).toBeUndefined();
  });

  test('Of parallel updates of one version exactly one succeeds.', async () => {
    const { api } = await define('orders');
    const work = Array.from({ length: 8 }, (_, n) =>
      at(n).update('demo', api.id, { name: `Orders ${n}` }, { version: 1 }),
    );
    expect(await settled(work)).toBe(1);
    expect((await auth.deps.apis.find('demo', api.id))?.version).toBe(2);
  });
});

test('A client that changes its own registration keeps scopes of APIs and adds none.', async () => {
  const orders = await define('orders');
  const client = await app(`openid ${orders.read}`);
  const change = (scope: string) =>
    auth.deps.clientRegistry.update('demo', client, (current) => ({ ...current, scope }), { byItself: true });
  await expect(change(`openid ${orders.read} ${orders.write}`)).rejects.toThrow('does not exist');
  expect((await change(`openid ${orders.read}`))?.client.scopes).toContain(orders.read);
  await change('openid');
  await expect(change(`openid ${orders.read}`)).rejects.toThrow('does not exist');
});
