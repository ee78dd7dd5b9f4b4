import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { ownersOf } from '../../../src/access/ownership/data/credential-owners.ts';
import {
  admin,
  asking,
  column,
  newTeam,
  rivalAdmin,
  setUpChanging,
  unique,
} from '../../support/sign-in/changing.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

// Owners of clients, service accounts and API keys: set at creation, shown, filtered by, and changed by transfers.

setUpChanging();

type Kind = 'CLIENT' | 'SERVICE_ACCOUNT' | 'API_KEY';
const kinds: readonly Kind[] = ['CLIENT', 'SERVICE_ACCOUNT', 'API_KEY'];

const ownerFields = 'id owner { __typename ... on User { id } ... on Group { id } }';
const problems = 'problems { code path }';

async function ask(query: string, variables: object, token = admin) {
  const { data, errors } = await asking.ask(query, variables, token);
  expect(errors).toBeUndefined();
  return data;
}

/** Creates a user whose role permits managing all of it. */
async function manager(of = tenant): Promise<string> {
  const { id } = await asking.service.person(unique(), { tenant: of });
  await asking.service.internal('POST', `/tenants/${of}/roles`, { subject: id, role: 'tenant_admin' });
  return id;
}
const leave = (id: string) => asking.service.directory.change(tenant, id, 'user.deactivated');

/** Creates a credential of a kind; null with its problems if it is rejected. */
async function make(kind: Kind, ownerId?: string, token = admin) {
  const more = ownerId === undefined ? {} : { ownerId };
  if (kind === 'CLIENT') {
    const input = { name: unique(), grantTypes: ['client_credentials'], scopes: ['users:read'], ...more };
    const query = `mutation ($input: RegisterClientInput!) { it: registerClient(input: $input) { credential: client { ${ownerFields} } ${problems} } }`;
    return (await ask(query, { input: { ...input, tokenEndpointAuthMethod: 'CLIENT_SECRET_POST' } }, token))
      .it;
  }
  const account = { name: unique(), scopes: ['users:read'], ...(kind === 'API_KEY' ? {} : more) };
  const { it } = await ask(
    `mutation ($input: CreateServiceAccountInput!) { it: createServiceAccount(input: $input) { credential: serviceAccount { ${ownerFields} } ${problems} } }`,
    { input: account },
    token,
  );
  if (kind === 'SERVICE_ACCOUNT') return it;
  return (
    await ask(
      `mutation ($input: CreateApiKeyInput!) { it: createApiKey(input: $input) { credential: apiKey { ${ownerFields} } ${problems} } }`,
      { input: { serviceAccountId: it.credential.id, name: 'Key', ...more } },
      token,
    )
  ).it;
}
const made = async (kind: Kind, ownerId?: string, token = admin): Promise<string> =>
  (await make(kind, ownerId, token)).credential.id;

const transfer = async (input: object, token = admin) =>
  (
    await ask(
      `mutation ($input: TransferCredentialInput!) { transferCredential(input: $input) { credential { __typename
         ... on Client { ${ownerFields} version } ... on ServiceAccount { ${ownerFields} version } ... on ApiKey { ${ownerFields} } } repeated ${problems} } }`,
      { input },
      token,
    )
  ).transferCredential;

const user = (id: string) => ({ __typename: 'User', id });
const group = (id: string) => ({ __typename: 'Group', id });
const refusedOwner = [{ code: 'NOT_FOUND', path: ['input', 'ownerId'] }];
const stored = { CLIENT: 'client', SERVICE_ACCOUNT: 'service_account', API_KEY: 'api_key' } as const;
const ownerOf = async (kind: Kind, id: string) =>
  (await ownersOf(asking.service.deps.database.sql, tenant, stored[kind], [id])).get(id);
const isDisabled = async (client: string) =>
  (await asking.service.deps.clients.find(tenant, client))?.disabled === true;

describe.each(kinds)('owner of a new %s', (kind) => {
  test('The owner is the named user or group, and a credential created by a program has none.', async () => {
    const [person, team] = [await manager(), await newTeam()];
    expect((await make(kind, person)).credential.owner).toEqual(user(person));
    expect((await make(kind, team)).credential.owner).toEqual(group(team));
    expect((await make(kind)).credential.owner).toBeNull();
  });

  test('An owner who is unknown, inactive, without the role or of another tenant is rejected, and nothing is created.', async () => {
    const gone = await manager();
    await leave(gone);
    await eventually(async () => (await asking.service.deps.subjects.find(tenant, gone))?.active === false);
    const plain = (await asking.service.person(unique())).id;
    const rivals = asking.service.directory.groups.create(rival);
    for (const id of [uuidv7(), 'no id', gone, plain, rivals, await manager(rival)]) {
      expect(await make(kind, id)).toEqual({ credential: null, problems: refusedOwner });
    }
  });
});

describe.each(kinds)('transferCredential of a %s', (kind) => {
  test('A transfer changes the owner with one log entry, and happens once under an idempotency key.', async () => {
    const [first, next] = [await manager(), await newTeam()];
    const id = await made(kind, first);
    const input = { kind, id, ownerId: next, idempotencyKey: uuidv7() };
    const answers = await Promise.all([transfer(input), transfer(input), transfer(input)]);
    for (const { credential, problems: none } of answers) {
      expect([credential.owner, none]).toEqual([group(next), []]);
    }
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    const logged = await column(
      `SELECT count(*)::text || ' ' || min(changes->'owner'->'before'->>'id') AS value FROM auth.security_log
        WHERE tenant = $1 AND resource_id = $2 AND changes->'owner'->'after'->>'id' = $3`,
      [tenant, id, next],
    );
    expect(logged).toBe(`1 ${first}`);
    await leave(first);
    await asking.service.directory.groups.delete(next);
    await eventually(async () => {
      const ended = `SELECT count(*)::text AS value FROM auth.security_log WHERE tenant = $1 AND resource_id = $2
        AND changes->'reason'->>'after' = 'owner: group deleted'`;
      return (await column(ended, [tenant, id])) === '1';
    });
  });

  test('A transfer to an ineligible owner is rejected, and so is one of an unknown or foreign credential.', async () => {
    const mine = await manager();
    const id = await made(kind, mine);
    const rivals = await manager(rival);
    for (const ownerId of [rivals, uuidv7(), 'no id']) {
      expect(await transfer({ kind, id, ownerId })).toEqual({
        credential: null,
        repeated: null,
        problems: refusedOwner,
      });
    }
    const nothing = { credential: null, problems: [{ code: 'NOT_FOUND', path: ['input', 'id'] }] };
    expect(await transfer({ kind, id, ownerId: rivals }, rivalAdmin)).toMatchObject(nothing);
    expect(await transfer({ kind, id: uuidv7(), ownerId: mine })).toMatchObject(nothing);
    expect(await ownerOf(kind, id)).toEqual({ kind: 'user', id: mine });
  });

  test('A transfer requires the caller to have all scopes of the credential.', async () => {
    const id = await made(kind, await manager());
    const narrow = await asking.machine('clients:read clients:write');
    const { errors } = await asking.ask(
      'mutation ($input: TransferCredentialInput!) { transferCredential(input: $input) { repeated } }',
      { input: { kind, id, ownerId: await newTeam() } },
      narrow,
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', scopes: ['users:read'] });
  });

  test('A transfer to the current owner changes nothing.', async () => {
    const mine = await manager();
    const id = await made(kind, mine);
    const logged = () =>
      column('SELECT count(*)::text AS value FROM auth.security_log WHERE resource_id = $1', [id]);
    const before = await logged();
    expect((await transfer({ kind, id, ownerId: mine.toUpperCase() })).credential.owner).toEqual(user(mine));
    expect(await logged()).toBe(before);
  });
});

test('A transfer with an old version is a conflict; API keys have no version, and a revoked key is not found.', async () => {
  const [client, key] = [await made('CLIENT'), await made('API_KEY')];
  const ownerId = await newTeam();
  expect((await transfer({ kind: 'CLIENT', id: client, ownerId, version: 7 })).problems).toMatchObject([
    { code: 'VERSION_CONFLICT' },
  ]);
  const { credential } = await transfer({ kind: 'CLIENT', id: client, ownerId, version: 1 });
  expect(credential.version).toBe(2);
  await ask('mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { id } }', {
    input: { id: key },
  });
  expect((await transfer({ kind: 'API_KEY', id: key, ownerId })).problems).toMatchObject([
    { code: 'NOT_FOUND' },
  ]);
});

test('A credential created for or transferred to an owner during the owner’s offboarding is rejected or ends.', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => manager()));
  const theirs = await Promise.all(people.map(() => made('CLIENT')));
  await Promise.all(
    people.map(async (id, n) => {
      const given = theirs[n] as string;
      const [, one, two] = await Promise.all([
        leave(id),
        make('CLIENT', id),
        transfer({ kind: 'CLIENT', id: given, ownerId: id }),
      ]);
      const clients = [one.credential?.id, two.credential && given].filter((client) => client);
      for (const client of clients) await eventually(() => isDisabled(client));
      if (!two.credential) expect(await ownerOf('CLIENT', given)).toBeUndefined();
    }),
  );
});

describe('filters of lists', () => {
  const lists = [
    ['clients', 'ClientFilter', 'CLIENT'],
    ['serviceAccounts', 'ServiceAccountFilter', 'SERVICE_ACCOUNT'],
    ['apiKeys', 'ApiKeyFilter', 'API_KEY'],
  ] as const;
  test.each(lists)(
    'The list %s can be filtered by owner or by having none, within one tenant only.',
    async (list, type, kind) => {
      const mine = await manager();
      const id = await made(kind, mine);
      const nobodys = await made(kind);
      const read = async (filter: object, token = admin) => {
        const { it } = await ask(
          `query ($filter: ${type}) { it: ${list}(first: 100, filter: $filter) { totalCount edges { node { ${ownerFields} } } } }`,
          { filter },
          token,
        );
        expect(it.totalCount).toBe(it.edges.length);
        return it.edges.map(({ node }: { node: { id: string } }) => node.id);
      };
      expect(await read({ ownerId: mine })).toEqual([id]);
      expect(await read({ ownerId: mine.toUpperCase(), hasOwner: true })).toEqual([id]);
      expect(await read({ ownerId: mine, hasOwner: false })).toEqual([]);
      expect(await read({ ownerId: 'no id' })).toEqual([]);
      expect(await read({ ownerId: mine }, rivalAdmin)).toEqual([]);
      const [owned, unowned] = [await read({ hasOwner: true }), await read({ hasOwner: false })];
      expect([owned.includes(id), owned.includes(nobodys)]).toEqual([true, false]);
      expect([unowned.includes(id), unowned.includes(nobodys)]).toEqual([false, true]);
    },
  );
});
