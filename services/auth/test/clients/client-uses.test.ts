import { expect, test } from '@jest/globals';
import { touchClients } from '../../src/clients/data/client-uses.ts';
import { pruneExpired } from '../../src/maintenance.ts';
import { admin, asking, rivalAdmin, run, setUpChanging, unique } from '../support/sign-in/changing.ts';
import { rival, tenant } from '../support/sign-in/service.ts';

setUpChanging();

const lastUse = async (id: string, token = admin): Promise<string | null | undefined> =>
  (await asking.ask('query ($id: ID!) { client(id: $id) { lastUsedAt } }', { id }, token)).data.client
    ?.lastUsedAt;

async function newMachine(protectedResources: string[] = []) {
  const { client, clientSecret } = await run('registerClient', {
    name: unique(),
    kind: 'MACHINE',
    scopes: ['users:read'],
    protectedResources,
  });
  return { id: client.id as string, secret: clientSecret as string };
}

/** Sends a request to an endpoint of the tenant as a client. Returns its status. */
async function request(path: 'token' | 'introspect', body: object, { id, secret } = { id: '', secret: '' }) {
  const { status } = await fetch(`${asking.service.origin}/t/${tenant}/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ ...body }),
  });
  return status;
}

const stored = async (): Promise<void> => asking.service.deps.clientUses.flush();

test('A client has a last use after its first token response, and after an introspection.', async () => {
  const [machine, server] = [await newMachine(), await newMachine(['https://used.example'])];
  expect(await request('token', { grant_type: 'client_credentials' }, { ...machine, secret: 'wrong' })).toBe(
    401,
  );
  await stored();
  expect(await lastUse(machine.id)).toBeNull();
  const before = Date.now();
  expect(await request('token', { grant_type: 'client_credentials' }, machine)).toBe(200);
  expect(await request('introspect', { token: 'unknown' }, server)).toBe(200);
  await stored();
  for (const { id } of [machine, server]) {
    const used = Date.parse((await lastUse(id)) ?? '');
    expect(used).toBeGreaterThanOrEqual(before - 1);
    expect(used).toBeLessThanOrEqual(Date.now());
  }
  expect(await lastUse(machine.id, rivalAdmin)).toBeUndefined();
});

test('An earlier use does not replace a later one, and a client of another tenant with the same id is another one.', async () => {
  const { sql } = asking.service.deps.database;
  const { id } = await newMachine();
  const [later, earlier] = [new Date(Date.now() + 60_000), new Date(Date.now() + 30_000)];
  await touchClients(sql, [{ tenant: rival, id, at: later }]);
  expect(await lastUse(id)).toBeNull();
  await touchClients(sql, [{ tenant, id, at: later }]);
  await touchClients(sql, [{ tenant, id, at: earlier }]);
  expect(await lastUse(id)).toBe(later.toISOString());
  // The client of the console is registered when it is first read.
  expect(await Promise.all([lastUse('console'), lastUse('console', rivalAdmin)])).toEqual([null, null]);
  asking.service.deps.clientUses.note(tenant, 'console');
  asking.service.deps.clientUses.note(rival, 'console');
  await stored();
  const uses = await Promise.all([lastUse('console'), lastUse('console', rivalAdmin)]);
  expect(uses.map((at) => typeof at)).toEqual(['string', 'string']);
});

test('A use from before the registration does not count, and that of a deleted client is deleted.', async () => {
  const { database } = asking.service.deps;
  const { id } = await newMachine();
  await touchClients(database.sql, [{ tenant, id, at: new Date(Date.now() - 60_000) }]);
  expect(await lastUse(id)).toBeNull();
  await run('deleteClient', { id });
  await pruneExpired(database.sql, { securityLogSeconds: 1e9 });
  const { rows } = await database.sql.query(
    'SELECT FROM auth.client_uses WHERE tenant = $1 AND client_id = $2',
    [tenant, id],
  );
  expect(rows).toEqual([]);
});

test('Uses of clients are stored without a wait for a transaction that changes one of them.', async () => {
  const { database } = asking.service.deps;
  const [free, locked] = [await newMachine(), await newMachine()];
  const at = new Date(Date.now() + 60_000);
  await database.transaction(async (tx) => {
    await tx.query('SELECT FROM auth.clients WHERE client_id = $1 FOR UPDATE', [locked.id]);
    await touchClients(
      database.sql,
      [free, locked].map(({ id }) => ({ tenant, id, at })),
    );
  });
  expect(await Promise.all([lastUse(free.id), lastUse(locked.id)])).toEqual([
    at.toISOString(),
    at.toISOString(),
  ]);
});
