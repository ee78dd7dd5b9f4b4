import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { ownersOf } from '../../../src/access/ownership/data/credential-owners.ts';
import type { StoredKind } from '../../../src/access/ownership/domain/credential-owner.ts';
import { Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

// Creations of a program belong to the owner of the program, through any number of programs.

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

const ownerOf = async (kind: StoredKind, id: string, of = tenant) =>
  (await ownersOf(service.deps.database.sql, of, kind, [id])).get(id);
const leave = (id: string, of = tenant) => service.directory.change(of, id, 'user.deactivated');
const isLive = async (secret: string) =>
  (await service.deps.introspection.liveAccessToken(tenant, secret)) !== null;

async function createAll(accessToken: string) {
  const client = await programs.register(accessToken);
  const { createServiceAccount } = await programs.ask(
    accessToken,
    'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
    { name: 'Job', scopes: ['users:read', 'clients:write'] },
  );
  const account: string = createServiceAccount.serviceAccount.id;
  const { createApiKey } = await programs.ask(
    accessToken,
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token apiKey { id } } }',
    { serviceAccountId: account, name: 'Key' },
  );
  const { createInitialAccessToken } = await programs.ask(
    accessToken,
    `mutation ($input: CreateInitialAccessTokenInput!) {
       createInitialAccessToken(input: $input) { token initialAccessToken { id } } }`,
    { name: 'Software', scopes: ['users:read'], uses: 5 },
  );
  return {
    client,
    key: createApiKey.token as string,
    registrations: createInitialAccessToken.token as string,
    ids: {
      client: client.id,
      service_account: account,
      api_key: createApiKey.apiKey.id,
      initial_access_token: createInitialAccessToken.initialAccessToken.id,
    },
  };
}

const registerItself = (bearer: string) =>
  fetch(`${service.origin}/t/${tenant}/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' }),
  });

const connectorOwner = (callers: unknown, of = tenant, as: 'gateway' | 'provisioning' = 'provisioning') =>
  service.internal('POST', `/tenants/${of}/connector-callers`, { callers }, as);

describe('owners of creations of programs', () => {
  test('The creations of a program and of the program that it created belong to the user and end with them.', async () => {
    const { id, accessToken } = await programs.administrator('creator');
    const first = await createAll(accessToken);
    const second = await createAll(await programs.accessToken(first.client));
    const third = await createAll(await programs.accessToken(second.client));
    for (const made of [first, second, third]) {
      for (const [kind, credential] of Object.entries(made.ids))
        expect(await ownerOf(kind as StoredKind, credential)).toEqual({ kind: 'user', id });
    }
    const itself = (await (await registerItself(third.registrations)).json()) as { client_id: string };
    expect(await ownerOf('client', itself.client_id)).toEqual({ kind: 'user', id });
    const issued = await programs.accessToken(third.client);
    await leave(id);
    await eventually(async () => (await programs.authenticate(third.client)).status === 401);
    expect((await programs.authenticate(second.client)).status).toBe(401);
    expect([await isLive(issued), await isLive(second.key), await isLive(third.key)]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await registerItself(third.registrations)).status).toBe(401);
  });

  test('Creations with an API key belong to the owner of the key.', async () => {
    const [host, guest] = [await programs.administrator('host'), await programs.administrator('guest')];
    const { ids } = await createAll(host.accessToken);
    const { createApiKey } = await programs.ask(
      guest.accessToken,
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token } }',
      { serviceAccountId: ids.service_account, name: 'Key of a guest' },
    );
    const made = await programs.register(createApiKey.token, { scopes: ['users:read'] });
    expect(await ownerOf('client', made.id)).toEqual({ kind: 'user', id: guest.id });
  });

  test('Creations of a program of the platform operator have no owner.', async () => {
    const operated = await service.client({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'clients:write users:read',
    });
    const program = { id: operated.clientId, secret: operated.secret ?? '' };
    const made = await programs.register(await programs.accessToken(program), { scopes: ['users:read'] });
    expect(await ownerOf('client', made.id)).toBeUndefined();
  });

  test('A program creates nothing that outlives a concurrent offboarding of its owner.', async () => {
    const { id, accessToken } = await programs.administrator('racing');
    const program = await programs.accessToken(await programs.register(accessToken));
    const attempts = Array.from({ length: 16 }, () =>
      programs.register(program, { scopes: ['users:read'] }).catch(() => undefined),
    );
    const [made] = await Promise.all([Promise.all(attempts), leave(id)]);
    await eventually(async () => !(await isLive(program)));
    for (const client of made) if (client) expect((await programs.authenticate(client)).status).toBe(401);
  });
});

describe('owners of connectors of programs', () => {
  test('A connector belongs to the owner of the program, and the operator creates connectors without an owner.', async () => {
    const { id, accessToken } = await programs.administrator('of-connectors');
    const { id: program } = await programs.register(accessToken);
    const owner = { kind: 'user', id };
    for (const caller of [
      { kind: 'user', id },
      { kind: 'program', id: program },
    ])
      expect(await connectorOwner([caller])).toMatchObject({ status: 200, body: { owner } });
    expect((await connectorOwner([])).body).toEqual({ owner: null, knownTo: [] });
    await leave(id);
    const refused = async () => (await connectorOwner([{ kind: 'program', id: program }])).status === 409;
    await eventually(refused);
  });

  test('A program of another tenant, a revoked token and other services are refused.', async () => {
    const { accessToken } = await programs.administrator('at-home');
    const { id } = await programs.register(accessToken);
    expect((await connectorOwner([{ kind: 'program', id }], rival)).status).toBe(409);
    await service.deps.clientRegistry.disable(tenant, id);
    expect((await connectorOwner([{ kind: 'program', id, epoch: 0 }])).status).toBe(409);
    expect((await connectorOwner([{ kind: 'program', id: 7 }])).status).toBe(400);
    expect((await connectorOwner([], tenant, 'gateway')).status).toBe(403);
  });
});

test('The migration gives creations of earlier releases to the owner of the program, also through chains.', async () => {
  const { database } = service.deps;
  const { id, accessToken } = await programs.administrator('before-owners');
  const first = await programs.register(accessToken);
  const second = await createAll(await programs.accessToken(first));
  const third = await createAll(await programs.accessToken(second.client));
  const departed = await programs.administrator('left-before');
  const theirs = await programs.register(
    await programs.accessToken(await programs.register(departed.accessToken)),
  );
  await leave(departed.id);
  await eventually(async () => (await service.deps.subjects.find(tenant, departed.id))?.active === false);
  const without = [...Object.values(second.ids), ...Object.values(third.ids), theirs.id];
  await database.sql.query(
    'DELETE FROM auth.credential_owners WHERE tenant = $1 AND credential_id = ANY($2)',
    [tenant, without],
  );
  const file = '../../../prisma/migrations/20261129090000_owners_of_programs_creations/migration.sql';
  const migration = readFileSync(new URL(file, import.meta.url), 'utf8');
  await database.transaction(async (tx) => {
    await tx.query('SET LOCAL search_path TO auth');
    await tx.query(migration);
  });
  for (const made of [second, third])
    for (const [kind, credential] of Object.entries(made.ids))
      expect(await ownerOf(kind as StoredKind, credential)).toEqual({ kind: 'user', id });
  expect(await ownerOf('client', theirs.id)).toBeUndefined();
});
