import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  acme,
  admin,
  ask,
  harness,
  problems,
  rival,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) {
  user { id userName title version createdAt } problems { __typename code message path ... on VersionConflict { currentVersion }
    ... on NotUnique { attribute } ... on InvalidInput { attribute } } } }`;
const update = create
  .replaceAll('reateUser', 'pdateUser')
  .replace('($input: C', '($input: U')
  .replace('{ c', '{ u');
const payload = (body: Json): Json => Object.values<Json>(body.data)[0];
const countOf = async (userName: string): Promise<number> =>
  (
    await harness.sql<Json>('SELECT count(*)::int AS n FROM directory.users WHERE user_name = $1', [userName])
  )[0].n;
const eventsOf = async (id: string): Promise<number> =>
  (
    await harness.sql<Json>('SELECT count(*)::int AS n FROM directory.outbox_events WHERE subject = $1', [id])
  )[0].n;
const fresh = () => ({ userName: `once-${randomUUID()}`, idempotencyKey: randomUUID() });

describe('Problems in mutation payloads', () => {
  test('A problem is an error of the request for a caller that does not select problems.', async () => {
    const { id, userName } = await user();
    const codeOf = async (query: string, input: object): Promise<unknown> => {
      const answer = await ask(query, { input });
      return answer.errors?.[0]?.extensions?.code;
    };
    const bareCreate = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }';
    const bareUpdate = 'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }';
    expect(await codeOf(bareCreate, { userName })).toBe('CONFLICT');
    expect(await codeOf(bareUpdate, { id, version: 9, title: 'x' })).toBe('CONFLICT');
    expect(await codeOf(bareUpdate, { id: randomUUID(), title: 'x' })).toBe('NOT_FOUND');
    expect(await codeOf(bareUpdate, { id, userName: '' })).toBe('BAD_USER_INPUT');
    const throughAFragment =
      'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { ...P } } fragment P on UserPayload { problems { code } }';
    expect(problems(await ask(throughAFragment, { input: { id, version: 9, title: 'x' } }))).toEqual([
      'VERSION_CONFLICT',
    ]);
    // A caller that selects problems and skips them does not receive them.
    for (const directive of ['@skip(if: true)', '@include(if: $no)']) {
      const skipped = `mutation ($input: UpdateUserInput!, $no: Boolean! = false) { updateUser(input: $input) { user { id @include(if: $no) } problems ${directive} { code } } }`;
      expect(await codeOf(skipped, { id, version: 9, title: 'x' })).toBe('CONFLICT');
    }
  });

  test('A problem states its solution: it has a type, a code and a path.', async () => {
    const { id, userName } = await user();
    expect(payload(await ask(create, { input: { userName: userName.toUpperCase() } }))).toEqual({
      user: null,
      problems: [
        {
          __typename: 'NotUnique',
          code: 'NOT_UNIQUE',
          message: 'This userName is taken.',
          path: ['input', 'userName'],
          attribute: 'userName',
        },
      ],
    });
    expect(payload(await ask(update, { input: { id, version: 9, title: 'x' } }))).toMatchObject({
      user: null,
      problems: [{ __typename: 'VersionConflict', currentVersion: 1, path: ['input', 'version'] }],
    });
    expect(payload(await ask(update, { input: { id: randomUUID(), title: 'x' } })).problems).toMatchObject([
      { __typename: 'NotFound', path: ['input', 'id'] },
    ]);
    expect(payload(await ask(update, { input: { id, title: 'x' } }, rivalAdmin)).problems).toMatchObject([
      { __typename: 'NotFound' },
    ]);
    expect(payload(await ask(update, { input: { id } })).problems).toMatchObject([
      { __typename: 'InvalidInput' },
    ]);
  });

  test('A problem with an extension has a path into the extensions.', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const pathOf = async (extensions: object) => {
      const input = { userName: `${randomUUID()}@acme.test`, extensions };
      return payload(await ask(create, { input })).problems[0].path;
    };
    expect(await pathOf({ [enterprise]: { hobby: 'chess' } })).toEqual([
      'input',
      'extensions',
      enterprise,
      'hobby',
    ]);
    expect(await pathOf({ 'urn:nobody:2.0:User': {} })).toEqual(['input', 'extensions']);
  });

  test('A missing scope is an error and not a problem.', async () => {
    const reader = harness.issuer.token(acme.tenant, { clientId: 'reader', scopes: ['users:read'] });
    const body = await ask(create, { input: fresh() }, reader);
    expect(body.errors[0]).toMatchObject({ path: ['createUser'], extensions: { code: 'FORBIDDEN' } });
    expect(body.data.createUser).toBeNull();
  });
});

describe('Idempotency keys of mutations', () => {
  test('An idempotency key makes a change once and repeats its response, even when the resource has changed since.', async () => {
    const input = fresh();
    const first = await ask(create, { input });
    const { id } = payload(first).user;
    await ask(update, { input: { id, title: 'later' } });
    expect(await ask(create, { input })).toEqual(first);
    expect(await countOf(input.userName)).toBe(1);
    expect(await eventsOf(id)).toBe(2);
  });

  test('An idempotency key has one effect for any number of concurrent requests.', async () => {
    const input = fresh();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(create, { input })));
    expect(answers[0].errors).toBeUndefined();
    expect(payload(answers[0]).user.userName).toBe(input.userName);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await countOf(input.userName)).toBe(1);
    expect(await eventsOf(payload(answers[0]).user.id)).toBe(1);
  });

  test('Thirty concurrent requests with different idempotency keys all succeed.', async () => {
    const inputs = Array.from({ length: 30 }, fresh);
    const answers = await Promise.all(inputs.map((input) => ask(create, { input })));
    expect(answers.flatMap(problems)).toEqual([]);
  });

  test('An idempotency key with another input, or another mutation, is rejected without an effect.', async () => {
    const input = fresh();
    const made = payload(await ask(create, { input })).user;
    const other = `other-${randomUUID()}`;
    expect(problems(await ask(create, { input: { ...input, userName: other } }))).toEqual([
      'IDEMPOTENCY_KEY_REUSED',
    ]);
    expect(await countOf(other)).toBe(0);
    const { idempotencyKey } = input;
    expect(problems(await ask(update, { input: { id: made.id, title: 'x', idempotencyKey } }))).toEqual([
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  test('An idempotency key belongs to its caller: the key of another client or another tenant is a different key.', async () => {
    const input = fresh();
    const mine = payload(await ask(create, { input }));
    const app = harness.issuer.token(acme.tenant, {
      clientId: 'other-app',
      scopes: ['users:read', 'users:write'],
    });
    expect(problems(await ask(create, { input }, app))).toEqual(['NOT_UNIQUE']);
    const theirs = payload(await ask(create, { input }, rivalAdmin));
    expect(theirs.problems).toEqual([]);
    expect(theirs.user.id).not.toBe(mine.user.id);
    const [{ tenant }] = await harness.sql<Json>('SELECT tenant FROM directory.users WHERE id = $1', [
      theirs.user.id,
    ]);
    expect(tenant).toBe(rival.tenant);
  });

  test('An idempotency key repeats the response to a problem and to a request that had no effect.', async () => {
    const { userName } = await user();
    const input = { userName, idempotencyKey: randomUUID() };
    const refused = await ask(create, { input });
    expect(problems(refused)).toEqual(['NOT_UNIQUE']);
    await harness.sql('DELETE FROM directory.users WHERE user_name = $1', [userName]);
    expect(await ask(create, { input })).toEqual(refused);
    expect(await countOf(userName)).toBe(0);
    const { id } = await user();
    const idle = { id, idempotencyKey: randomUUID() };
    const query =
      'mutation ($input: UserVersionInput!) { reactivateUser(input: $input) { user { version } problems { code } } }';
    expect(payload(await ask(query, { input: idle })).user.version).toBe(1);
    expect(payload(await ask(query, { input: idle })).user.version).toBe(1);
  });

  test('An idempotency key is stored for a day and then deleted.', async () => {
    const input = fresh();
    const { id } = payload(await ask(create, { input })).user;
    await harness.sql(
      "UPDATE directory.idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1",
      [input.idempotencyKey],
    );
    expect(problems(await ask(create, { input }))).toEqual(['NOT_UNIQUE']);
    await harness.sql(
      "UPDATE directory.idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1",
      [input.idempotencyKey],
    );
    await harness.tidy();
    expect(
      await harness.sql('SELECT 1 FROM directory.idempotency_keys WHERE key = $1', [input.idempotencyKey]),
    ).toEqual([]);
    expect(await eventsOf(id)).toBe(1);
  });

  test('An idempotency key works for groups, schemas and deletions too, each in one transaction.', async () => {
    const { id } = await user();
    const token = harness.issuer.token(acme.tenant, {
      clientId: 'schema-app',
      scopes: ['tenants:read', 'tenants:write', 'groups:read', 'groups:write', 'users:read', 'users:write'],
    });
    const mutations: [string, string, object, string][] = [
      ['createGroup', 'CreateGroupInput', { displayName: 'Once', memberIds: [id] }, 'group { id }'],
      [
        'createSchema',
        'CreateSchemaInput',
        { id: 'urn:example:once:2.0:User', name: 'Once', attributes: [{ name: 'a' }] },
        'schema { id version createdAt }',
      ],
      ['updateTenant', 'UpdateTenantInput', { name: 'Once' }, 'tenant { name version updatedAt }'],
      ['deleteUser', 'UserVersionInput', { id }, 'id'],
    ];
    for (const [name, type, input, selection] of mutations) {
      const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} problems { code } } }`;
      const keyed = { input: { ...input, idempotencyKey: `key-${name}` } };
      const first = await ask(query, keyed, token);
      expect([name, problems(first), first.errors]).toEqual([name, [], undefined]);
      expect(await ask(query, keyed, token)).toEqual(first);
    }
  });

  test('An idempotency key is any text that a caller chooses, the same in every part of the graph.', async () => {
    for (const idempotencyKey of [` ${randomUUID()} ä`, `${randomUUID()}${'x'.repeat(164)}`]) {
      const keyed = { input: { ...fresh(), idempotencyKey } };
      const first = await ask(create, keyed, admin);
      expect(problems(first)).toEqual([]);
      expect(await ask(create, keyed, admin)).toEqual(first);
    }
  });

  test('An invalid idempotency key is rejected.', async () => {
    for (const idempotencyKey of ['', 'x'.repeat(201), 'a\u0000', '\ud800']) {
      expect(problems(await ask(create, { input: { ...fresh(), idempotencyKey } }, admin))).toEqual([
        'INVALID_INPUT',
      ]);
    }
  });
});
