import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from './support/harness.ts';
import { hr, type SchemaApp, schemaApp } from './support/schemas.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;
let app: SchemaApp;
let rivalApp: SchemaApp;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  app = schemaApp(harness, acme.tenant);
  rivalApp = schemaApp(harness, rival.tenant);
});

let counter = 0;
const userName = () => `schema-user-${++counter}`;
const create = (extension: object, client = acme) =>
  client.create('Users', { userName: userName(), [hr]: extension });
const made = async (extension: object, client = acme): Promise<Json> => {
  const answer = await create(extension, client);
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  return answer.body;
};
const refusal = ({ status, body }: Json) => ({ status, scimType: body?.scimType });
const invalidValue = { status: 400, scimType: 'invalidValue' };
const taken = { status: 409, scimType: 'uniqueness' };

describe('a schema is defined', () => {
  test('with every characteristic, listed as it was given, and recorded', async () => {
    const schema = await app.define({
      id: hr,
      description: 'What HR says.',
      attributes: [
        { name: 'badge', uniqueness: 'SERVER', caseExact: true, mutability: 'IMMUTABLE', required: true },
        { name: 'level', type: 'INTEGER', returned: 'REQUEST' },
        { name: 'grade', canonicalValues: ['junior', 'senior'] },
        { name: 'pin', mutability: 'WRITE_ONLY' },
        { name: 'buddies', type: 'REFERENCE', referenceTypes: ['User'], multiValued: true },
        {
          name: 'desks',
          type: 'COMPLEX',
          multiValued: true,
          subAttributes: [{ name: 'value' }, { name: 'primary', type: 'BOOLEAN' }],
        },
      ],
    });
    expect(schema).toMatchObject({ id: hr, resourceType: 'USER', required: false, version: 1 });
    expect(schema.attributes).toMatchObject([
      {
        name: 'badge',
        type: 'STRING',
        required: true,
        caseExact: true,
        mutability: 'IMMUTABLE',
        uniqueness: 'SERVER',
      },
      { name: 'level', type: 'INTEGER', returned: 'REQUEST', multiValued: false },
      { name: 'grade', canonicalValues: ['junior', 'senior'], restrictToCanonicalValues: true },
      { name: 'pin', mutability: 'WRITE_ONLY', returned: 'NEVER' },
      { name: 'buddies', type: 'REFERENCE', referenceTypes: ['User'], caseExact: true, multiValued: true },
      {
        name: 'desks',
        type: 'COMPLEX',
        subAttributes: [{ name: 'value' }, { name: 'primary', type: 'BOOLEAN' }],
      },
    ]);
    expect(await app.list()).toEqual([schema]);
    const log = await app.ask('{ auditLog { edges { node { action resourceId changes { attribute } } } } }');
    expect(log.data.auditLog.edges[0].node).toMatchObject({ action: 'schema.created', resourceId: hr });
  });

  test('for one tenant only: the rival neither sees nor changes it, and may use the same URN for its own', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge' }] });
    expect(await rivalApp.list()).toEqual([]);
    expect((await rivalApp.ask(`{ schema(id: "${hr}") { id } }`)).data.schema).toBeNull();
    expect((await rivalApp.remove(hr)).code).toBe('NOT_FOUND');
    expect((await rivalApp.update({ id: hr, name: 'Stolen' })).code).toBe('NOT_FOUND');
    await rivalApp.define({ id: hr, attributes: [{ name: 'badge', type: 'INTEGER' }] });
    expect((await made({ badge: 'A1' }))[hr]).toEqual({ badge: 'A1' });
    expect((await made({ badge: 7 }, rival))[hr]).toEqual({ badge: 7 });
    expect(refusal(await create({ badge: 'A1' }, rival))).toEqual(invalidValue);
  });

  test('only with the scope, and not by a person without a role', async () => {
    const reader = harness.issuer.token(acme.tenant, {
      clientId: 'reader',
      scopes: ['tenants:read', 'users:write'],
    });
    const input = { id: hr, name: 'HR', attributes: [{ name: 'badge' }] };
    const mutation =
      'mutation ($input: CreateSchemaInput!) { createSchema(input: $input) { schema { id } } }';
    const { body } = await harness.graph(mutation, { input }, reader);
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await app.list()).toEqual([]);
  });

  test.each([
    ['a URN of the RFC', { id: 'urn:ietf:params:scim:schemas:core:2.0:User' }],
    ['a URN of the protocol', { id: 'urn:ietf:params:scim:api:messages:2.0:Error' }],
    ['no URN', { id: 'badge' }],
    ['a URN with NUL', { id: 'urn:example:\u0000' }],
    [
      'a URN that reads like an attribute of another schema',
      {
        id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
      },
    ],
    ['no attributes', { attributes: [] }],
    [
      'a hundred and one attributes',
      { attributes: Array.from({ length: 101 }, (_, i) => ({ name: `a${i}` })) },
    ],
    ['two attributes of one name in another case', { attributes: [{ name: 'badge' }, { name: 'BADGE' }] }],
    ['__proto__', { attributes: [{ name: '__proto__' }] }],
    ['constructor', { attributes: [{ name: 'Constructor' }] }],
    ['a name with a dot', { attributes: [{ name: 'a.b' }] }],
    [
      'complex in complex',
      {
        attributes: [
          {
            name: 'a',
            type: 'COMPLEX',
            subAttributes: [{ name: 'b', type: 'COMPLEX', subAttributes: [{ name: 'c' }] }],
          },
        ],
      },
    ],
    ['complex without parts', { attributes: [{ name: 'a', type: 'COMPLEX' }] }],
    ['parts of what is not complex', { attributes: [{ name: 'a', subAttributes: [{ name: 'b' }] }] }],
    ['a reference to anything', { attributes: [{ name: 'a', type: 'REFERENCE' }] }],
    [
      'a reference to an unknown type',
      { attributes: [{ name: 'a', type: 'REFERENCE', referenceTypes: ['Device'] }] },
    ],
    ['reference types of a text', { attributes: [{ name: 'a', referenceTypes: ['User'] }] }],
    [
      'writeOnly that is returned',
      { attributes: [{ name: 'a', mutability: 'WRITE_ONLY', returned: 'DEFAULT' }] },
    ],
    ['readOnly that is required', { attributes: [{ name: 'a', mutability: 'READ_ONLY', required: true }] }],
    ['a unique boolean', { attributes: [{ name: 'a', type: 'BOOLEAN', uniqueness: 'SERVER' }] }],
    [
      'canonical values of a number',
      { attributes: [{ name: 'a', type: 'INTEGER', canonicalValues: ['1'] }] },
    ],
    ['a canonical value twice', { attributes: [{ name: 'a', canonicalValues: ['x', 'X'] }] }],
    ['an empty name', { name: '' }],
    ['an endless description', { description: 'x'.repeat(1001) }],
  ])('not with %s', async (_what, wrong) => {
    const answer = await app.create({ id: hr, name: 'HR', attributes: [{ name: 'badge' }], ...wrong });
    expect(answer.code).toBe('INVALID_INPUT');
    expect(await app.list()).toEqual([]);
  });

  test('once: fifty at a time make one, in any case of the URN', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        app.create({
          id: i % 2 ? hr : hr.toUpperCase().replace('URN', 'urn'),
          name: 'HR',
          attributes: [{ name: 'a' }],
        }),
      ),
    );
    expect(answers.filter((answer) => !answer.errors)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.code).filter(Boolean))).toEqual(new Set(['NOT_UNIQUE']));
    expect(await app.list()).toHaveLength(1);
  });

  test('as required only where no resource lacks it', async () => {
    const schema = { id: hr, name: 'HR', required: true, attributes: [{ name: 'badge', required: true }] };
    await acme.create('Users', { userName: userName() });
    expect((await app.create(schema)).code).toBe('CONFLICT');
    expect((await rivalApp.create(schema)).errors).toBeUndefined();
    expect(refusal(await rival.create('Users', { userName: userName() }))).toEqual(invalidValue);
    expect(refusal(await create({}, rival))).toEqual(invalidValue);
    await made({ badge: '1' }, rival);
  });
});

describe('attributes of a tenant are used like core ones', () => {
  beforeEach(async () => {
    await app.define({
      id: hr,
      attributes: [
        { name: 'badge' },
        { name: 'code', caseExact: true },
        { name: 'level', type: 'INTEGER' },
        { name: 'since', type: 'DATE_TIME' },
        { name: 'remote', type: 'BOOLEAN' },
        { name: 'tags', multiValued: true },
        {
          name: 'desks',
          type: 'COMPLEX',
          multiValued: true,
          subAttributes: [
            { name: 'value' },
            { name: 'type', canonicalValues: ['office', 'home'] },
            { name: 'primary', type: 'BOOLEAN' },
          ],
        },
        {
          name: 'car',
          type: 'COMPLEX',
          subAttributes: [{ name: 'plate' }, { name: 'electric', type: 'BOOLEAN' }],
        },
      ],
    });
  });

  test('in filters of every kind, by their case rules, and in sorting', async () => {
    const a = await made({
      badge: 'Alpha',
      code: 'x',
      level: 3,
      since: '2020-01-01T00:00:00+01:00',
      tags: ['Red'],
    });
    const b = await made({
      badge: 'beta',
      code: 'X',
      level: 20,
      remote: true,
      desks: [{ value: 'D1', type: 'Office' }],
    });
    const c = await made({ badge: 'gamma', level: 100, car: { plate: 'W-1', electric: true } });
    const found = async (filter: string, more: object = {}) =>
      (await acme.search('Users', { filter, ...more })).body.Resources.map((user: Json) => user.id);
    expect(await found(`${hr}:badge eq "ALPHA"`)).toEqual([a.id]);
    expect(await found(`${hr.toUpperCase()}:Badge sw "BE"`)).toEqual([b.id]);
    expect(await found(`${hr}:code eq "x"`)).toEqual([a.id]);
    expect(await found(`${hr}:level gt 3 and ${hr}:level lt 100`)).toEqual([b.id]);
    expect(await found(`${hr}:since eq "2019-12-31T23:00:00Z"`)).toEqual([a.id]);
    expect(await found(`${hr}:remote eq true`)).toEqual([b.id]);
    expect(await found(`${hr}:tags eq "red"`)).toEqual([a.id]);
    expect(await found(`${hr}:desks[type eq "office" and value sw "d"]`)).toEqual([b.id]);
    expect(await found(`${hr}:car.plate ew "1"`)).toEqual([c.id]);
    expect(await found(`${hr}:car pr`)).toEqual([c.id]);
    expect(await found(`schemas eq "${hr}"`)).toHaveLength(3);
    const bySort = { sortBy: `${hr}:level`, sortOrder: 'descending' };
    expect(await found(`${hr}:level pr`, bySort)).toEqual([c.id, b.id, a.id]);
    expect(refusal(await acme.search('Users', { filter: `${hr}:level co "1"` }))).toEqual({
      status: 400,
      scimType: 'invalidFilter',
    });
    expect(refusal(await rival.search('Users', { filter: `${hr}:badge eq "ALPHA"` }))).toEqual({
      status: 400,
      scimType: 'invalidFilter',
    });
  });

  test('in every form of PATCH, and cleared by PUT', async () => {
    const { id } = await made({ badge: 'b1', tags: ['one'] });
    const patched = async (operation: object) => (await acme.patch('Users', id, [operation])).body[hr];
    expect(await patched({ op: 'replace', path: `${hr}:badge`, value: 'b2' })).toEqual({
      badge: 'b2',
      tags: ['one'],
    });
    expect(await patched({ op: 'add', path: `${hr}:tags`, value: ['two'] })).toMatchObject({
      tags: ['one', 'two'],
    });
    expect(await patched({ op: 'replace', value: { [hr]: { level: 4 } } })).toMatchObject({
      badge: 'b2',
      level: 4,
    });
    expect(await patched({ op: 'replace', value: { [`${hr}:level`]: 5 } })).toMatchObject({ level: 5 });
    expect(
      await patched({ op: 'add', path: `${hr}:desks`, value: [{ value: 'D1', type: 'office' }] }),
    ).toMatchObject({
      desks: [{ value: 'D1', type: 'office' }],
    });
    expect(
      await patched({ op: 'replace', path: `${hr}:desks[type eq "office"].value`, value: 'D2' }),
    ).toMatchObject({
      desks: [{ value: 'D2', type: 'office' }],
    });
    expect(await patched({ op: 'replace', path: `${hr}:car.plate`, value: 'W-1' })).toMatchObject({
      car: { plate: 'W-1' },
    });
    expect(await patched({ op: 'remove', path: `${hr}:desks[value eq "D2"]` })).not.toHaveProperty('desks');
    const left = await acme.patch('Users', id, [{ op: 'remove', path: hr }]);
    expect(left.body).not.toHaveProperty([hr]);
    expect(left.body.schemas).toEqual(['urn:ietf:params:scim:schemas:core:2.0:User']);
    await patched({ op: 'replace', path: hr, value: { badge: 'b3' } });
    const name = userName();
    expect((await acme.replace('Users', id, { userName: name })).body).not.toHaveProperty([hr]);
    expect(refusal(await acme.patch('Users', id, [{ op: 'add', path: `${hr}:wrong`, value: 1 }]))).toEqual({
      status: 400,
      scimType: 'invalidPath',
    });
  });

  test('through the graph: written as JSON, read whole and by path, found by filter', async () => {
    const input = {
      userName: userName(),
      extensions: { [hr]: { badge: 'g1', tags: ['x'], car: { plate: 'G' } } },
    };
    const added = await app.mutate('createUser', 'CreateUserInput', input, 'user { id extensions }');
    expect(added.data.user.extensions).toEqual({ [hr]: { badge: 'g1', tags: ['x'], car: { plate: 'G' } } });
    const { id } = added.data.user;
    const extensions = { [hr]: { badge: 'g2', tags: null } };
    const selection = `user { extensions plate: attribute(path: "${hr}:car.plate") name: attribute(path: "username") }`;
    const changed = await app.mutate('updateUser', 'UpdateUserInput', { id, extensions }, selection);
    expect(changed.data.user).toEqual({
      extensions: { [hr]: { badge: 'g2', car: { plate: 'G' } } },
      plate: 'G',
      name: input.userName,
    });
    const found = await app.ask(
      'query ($filter: String) { users(filter: $filter) { edges { node { id } } } }',
      {
        filter: `${hr}:badge eq "G2"`,
      },
    );
    expect(found.data.users.edges).toEqual([{ node: { id } }]);
    const cleared = await app.mutate(
      'updateUser',
      'UpdateUserInput',
      { id, extensions: { [hr]: null } },
      'user { extensions }',
    );
    expect(cleared.data.user.extensions).toEqual({});
    for (const wrong of [{ 'urn:unknown': {} }, { [hr]: { unknown: 1 } }, { [hr]: 'text' }, 'text', [1]]) {
      const answer = await app.mutate(
        'updateUser',
        'UpdateUserInput',
        { id, extensions: wrong },
        'user { id }',
      );
      expect(answer.code).toBe('INVALID_INPUT');
    }
    const path = await app.ask(`{ user(id: "${id}") { attribute(path: "nothing") } }`);
    expect(path.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe("the characteristics of a tenant's attributes are enforced", () => {
  const define = (attributes: object[]) => app.define({ id: hr, attributes });

  test.each([
    ['a text for a number', { name: 'a', type: 'INTEGER' }, 'x'],
    ['a fraction for a whole number', { name: 'a', type: 'INTEGER' }, 1.5],
    ['a number for a text', { name: 'a' }, 5],
    ['a text for a boolean', { name: 'a', type: 'BOOLEAN' }, 'true'],
    ['no instant', { name: 'a', type: 'DATE_TIME' }, '2020-13-01T00:00:00Z'],
    ['no base64', { name: 'a', type: 'BINARY' }, '*'],
    ['half of base64', { name: 'a', type: 'BINARY' }, 'AAAAA'],
    ['a list for a single value', { name: 'a' }, ['x']],
    ['a single value for a list', { name: 'a', multiValued: true }, 'x'],
    ['a text for an object', { name: 'a', type: 'COMPLEX', subAttributes: [{ name: 'b' }] }, 'x'],
    [
      'a missing part',
      { name: 'a', type: 'COMPLEX', subAttributes: [{ name: 'b', required: true }, { name: 'c' }] },
      { c: 'x' },
    ],
    ['a value beyond the canonical ones', { name: 'a', canonicalValues: ['x', 'y'] }, 'z'],
    ['a unique value that no index holds', { name: 'a', uniqueness: 'SERVER' }, 'x'.repeat(513)],
    [
      'two primaries',
      {
        name: 'a',
        type: 'COMPLEX',
        multiValued: true,
        subAttributes: [{ name: 'value' }, { name: 'primary', type: 'BOOLEAN' }],
      },
      [
        { value: '1', primary: true },
        { value: '2', primary: true },
      ],
    ],
    [
      'an address of nothing of ours',
      { name: 'a', type: 'REFERENCE', referenceTypes: ['User'] },
      'https://example.com/',
    ],
    ['a user that is not there', { name: 'a', type: 'REFERENCE', referenceTypes: ['User'] }, randomUUID()],
  ])('%s is refused in POST, PUT, PATCH and the graph', async (_what, attribute, value) => {
    await define([attribute, { name: 'other' }]);
    expect(refusal(await create({ a: value }))).toEqual(invalidValue);
    const { id, userName } = await made({ other: 'x' });
    expect(refusal(await acme.replace('Users', id, { userName, [hr]: { a: value } }))).toEqual(invalidValue);
    // Where there is no list yet, PATCH takes one value for a list of one (RFC 7644 section 3.5.2.1).
    if ('multiValued' in attribute && !Array.isArray(value)) return;
    const operations = [{ op: 'add', path: `${hr}:a`, value }];
    expect(refusal(await acme.patch('Users', id, operations))).toEqual(invalidValue);
    const extensions = { [hr]: { a: value } };
    const answer = await app.mutate('updateUser', 'UpdateUserInput', { id, extensions }, 'user { id }');
    expect(answer.code).toBe('INVALID_INPUT');
  });

  test('canonical values take on their spelling; unrestricted ones may be others', async () => {
    await define([
      { name: 'grade', canonicalValues: ['Junior', 'Senior'] },
      { name: 'hint', canonicalValues: ['A'], restrictToCanonicalValues: false },
    ]);
    expect((await made({ grade: 'sENIOR', hint: 'other' }))[hr]).toEqual({ grade: 'Senior', hint: 'other' });
  });

  test('required: with the extension, and not to be removed', async () => {
    await define([
      { name: 'badge', required: true },
      { name: 'level', type: 'INTEGER' },
    ]);
    expect(refusal(await create({ level: 1 }))).toEqual(invalidValue);
    const plain = (await acme.create('Users', { userName: userName() })).body;
    const add = [{ op: 'add', path: `${hr}:level`, value: 1 }];
    expect(refusal(await acme.patch('Users', plain.id, add))).toEqual(invalidValue);
    const { id } = await made({ badge: 'x', level: 1 });
    const remove = (path: string) => acme.patch('Users', id, [{ op: 'remove', path }]);
    expect(refusal(await remove(`${hr}:badge`))).toEqual(invalidValue);
    expect((await remove(hr)).status).toBe(200);
  });

  test('immutable: set once, later or at first, and then kept by PUT, PATCH, removal and the graph', async () => {
    await define([
      { name: 'badge', mutability: 'IMMUTABLE' },
      {
        name: 'car',
        type: 'COMPLEX',
        subAttributes: [{ name: 'plate', mutability: 'IMMUTABLE' }, { name: 'colour' }],
      },
    ]);
    const mutability = { status: 400, scimType: 'mutability' };
    const { id, userName } = await made({ car: { colour: 'red' } });
    const patch = (op: string, path: string, value?: unknown) =>
      acme.patch('Users', id, [{ op, path: `${hr}:${path}`, ...(value !== undefined && { value }) }]);
    expect((await patch('add', 'badge', '1')).status).toBe(200);
    expect((await patch('add', 'car.plate', 'W')).status).toBe(200);
    expect((await patch('replace', 'badge', '1')).status).toBe(200);
    expect((await patch('replace', 'car.colour', 'blue')).status).toBe(200);
    expect(refusal(await patch('replace', 'badge', '2'))).toEqual(mutability);
    expect(refusal(await patch('remove', 'badge'))).toEqual(mutability);
    expect(refusal(await patch('remove', 'car'))).toEqual(mutability);
    expect(refusal(await patch('remove', 'car.plate'))).toEqual(mutability);
    expect(refusal(await acme.replace('Users', id, { userName }))).toEqual(mutability);
    const same = { [hr]: { badge: '1', car: { plate: 'W' } } };
    expect((await acme.replace('Users', id, { userName, ...same })).status).toBe(200);
    const extensions = { [hr]: { badge: '2' } };
    expect((await app.mutate('updateUser', 'UpdateUserInput', { id, extensions }, 'user { id }')).code).toBe(
      'INVALID_INPUT',
    );
  });

  test("readOnly: ignored in POST and PUT, refused in PATCH, and kept by the tenant's apps", async () => {
    await define([{ name: 'score', type: 'DECIMAL', mutability: 'READ_ONLY' }, { name: 'badge' }]);
    const created = await made({ score: 9, badge: 'x' });
    expect(created[hr]).toEqual({ badge: 'x' });
    const { id, userName } = created;
    const operations = [{ op: 'replace', path: `${hr}:score`, value: 9 }];
    expect(refusal(await acme.patch('Users', id, operations))).toEqual({
      status: 400,
      scimType: 'mutability',
    });
    const extensions = { [hr]: { score: 0.5 } };
    const kept = await app.mutate('updateUser', 'UpdateUserInput', { id, extensions }, 'user { extensions }');
    expect(kept.data.user.extensions).toEqual({ [hr]: { badge: 'x', score: 0.5 } });
    const replaced = await acme.replace('Users', id, { userName, [hr]: { score: 7 } });
    expect(replaced.body[hr]).toEqual({ score: 0.5 });
    const removed = await acme.patch('Users', id, [{ op: 'remove', path: hr }]);
    expect(removed.body[hr]).toEqual({ score: 0.5 });
  });

  test('writeOnly and never: kept, not returned, not compared, not told in the log', async () => {
    await define([
      { name: 'pin', mutability: 'WRITE_ONLY' },
      { name: 'hash', returned: 'NEVER' },
      { name: 'badge' },
    ]);
    const secret = `secret-${randomUUID()}`;
    const created = await made({ pin: secret, hash: `${secret}2`, badge: 'x' });
    const { id, userName } = created;
    const second = await acme.patch('Users', id, [{ op: 'replace', path: `${hr}:pin`, value: `${secret}3` }]);
    const third = await acme.replace('Users', id, { userName, [hr]: { badge: 'y' } });
    const asked = await acme.read('Users', id, `?attributes=${hr}:pin,${hr}:hash,${hr}:badge`);
    const graph = await app.ask(`{ user(id: "${id}") { extensions } }`);
    const log = await app.ask('{ auditLog { edges { node { changes { attribute before after } } } } }');
    for (const seen of [created, second.body, third.body, asked.body, graph, log]) {
      expect(JSON.stringify(seen)).not.toContain('secret');
    }
    expect(JSON.stringify(log)).toContain('never returned, changed');
    const [row] = await harness.sql<{ data: Json }>('SELECT data FROM directory.users WHERE id = $1', [id]);
    expect(row?.data[hr]).toEqual({ pin: `${secret}3`, hash: `${secret}2`, badge: 'y' });
    for (const attribute of ['pin', 'hash']) {
      const filter = `${hr}:${attribute} eq "x"`;
      expect(refusal(await acme.search('Users', { filter })).scimType).toBe('invalidFilter');
      expect(refusal(await acme.search('Users', { sortBy: `${hr}:${attribute}` })).scimType).toBe(
        'invalidPath',
      );
      const path = await app.ask(`{ user(id: "${id}") { attribute(path: "${hr}:${attribute}") } }`);
      expect(path.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
    const events = await harness.sql('SELECT payload FROM directory.outbox_events WHERE subject = $1', [id]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('always, and on request: by name, or when the request has written it', async () => {
    await define([
      { name: 'badge', returned: 'ALWAYS' },
      { name: 'note', returned: 'REQUEST' },
      { name: 'level' },
    ]);
    const created = await made({ badge: 'b', note: 'n', level: '1' });
    expect(created[hr]).toEqual({ badge: 'b', note: 'n', level: '1' });
    const { id } = created;
    expect((await acme.read('Users', id)).body[hr]).toEqual({ badge: 'b', level: '1' });
    expect((await acme.read('Users', id, '?attributes=userName')).body[hr]).toEqual({ badge: 'b' });
    expect((await acme.read('Users', id, `?excludedAttributes=${hr}`)).body[hr]).toEqual({ badge: 'b' });
    expect((await acme.read('Users', id, `?attributes=${hr}:note`)).body[hr]).toEqual({
      badge: 'b',
      note: 'n',
    });
    const patch = async (path: string, value: string) =>
      (await acme.patch('Users', id, [{ op: 'replace', path: `${hr}:${path}`, value }])).body[hr];
    expect(await patch('level', '2')).toEqual({ badge: 'b', level: '2' });
    expect(await patch('note', 'm')).toEqual({ badge: 'b', note: 'm', level: '2' });
    const read = await app.ask(`{ user(id: "${id}") { extensions attribute(path: "${hr}:note") } }`);
    expect(read.data.user).toEqual({ extensions: { [hr]: { badge: 'b', level: '2' } }, attribute: 'm' });
  });

  test('unique: by the case rule, within the tenant, in lists and parts, and free again when it is given up', async () => {
    const attributes = [
      { name: 'badge', uniqueness: 'SERVER' },
      { name: 'code', uniqueness: 'GLOBAL', caseExact: true },
      { name: 'keys', uniqueness: 'SERVER', multiValued: true, type: 'INTEGER' },
      {
        name: 'cards',
        type: 'COMPLEX',
        multiValued: true,
        subAttributes: [{ name: 'number', uniqueness: 'SERVER' }],
      },
    ];
    await define(attributes);
    await rivalApp.define({ id: hr, attributes });
    const values = { badge: 'Éa', code: 'x', keys: [1, 2], cards: [{ number: 'N1' }, { number: 'N2' }] };
    const first = await made(values);
    await made(values, rival);
    for (const value of [{ badge: 'éA' }, { code: 'x' }, { keys: [3, 2] }, { cards: [{ number: 'n2' }] }]) {
      const answer = await create(value);
      expect(refusal(answer)).toEqual(taken);
      expect(answer.body.detail).toContain(hr);
    }
    const second = await made({ code: 'X', keys: [3] });
    const patch = (id: string, path: string, value: unknown) =>
      acme.patch('Users', id, [{ op: 'replace', path: `${hr}:${path}`, value }]);
    expect(refusal(await patch(second.id, 'badge', 'ÉA'))).toEqual(taken);
    expect((await patch(first.id, 'badge', 'éa')).status).toBe(200);
    expect((await patch(first.id, 'badge', 'other')).status).toBe(200);
    expect((await patch(second.id, 'badge', 'ÉA')).status).toBe(200);
    expect((await acme.remove('Users', second.id)).status).toBe(204);
    await made({ badge: 'éa', code: 'X', keys: [3] });
  });

  test('unique under fifty writers at a time: one creation, one change, and no deadlock over several values', async () => {
    await define([
      { name: 'badge', uniqueness: 'SERVER' },
      { name: 'keys', uniqueness: 'SERVER', multiValued: true },
    ]);
    const creations = await Promise.all(
      Array.from({ length: 50 }, (_, i) => create({ badge: i % 2 ? 'Race' : 'rACE' })),
    );
    expect(creations.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
    const people = await Promise.all(Array.from({ length: 20 }, () => made({})));
    const changes = await Promise.all(
      people.map(({ id }) => acme.patch('Users', id, [{ op: 'add', path: `${hr}:badge`, value: 'second' }])),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const keys = ['a', 'b', 'c', 'd'];
    const lists = await Promise.all(
      people.map(({ id }, i) =>
        acme.patch('Users', id, [{ op: 'add', path: `${hr}:keys`, value: i % 2 ? keys : keys.toReversed() }]),
      ),
    );
    expect(lists.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const rows = await harness.sql('SELECT 1 FROM directory.unique_values WHERE tenant = $1', [acme.tenant]);
    expect(rows).toHaveLength(6);
  });

  test("references: to what exists in the tenant, in any form of address; the rival's id is like one made up", async () => {
    await define([
      { name: 'buddy', type: 'REFERENCE', referenceTypes: ['User'] },
      { name: 'links', type: 'REFERENCE', referenceTypes: ['User', 'Group', 'external'], multiValued: true },
    ]);
    const target = (await acme.create('Users', { userName: userName() })).body.id;
    const group = (await acme.create('Groups', { displayName: 'G' })).body.id;
    const foreign = (await rival.create('Users', { userName: userName() })).body.id;
    for (const form of [
      target,
      `Users/${target}`,
      `../Users/${target}`,
      `https://x.example/t/a/scim/v2/users/${target}`,
    ]) {
      expect((await made({ buddy: form }))[hr]).toEqual({ buddy: `../Users/${target}` });
    }
    const { id } = await made({ links: [`../Groups/${group}`, 'https://example.com/'] });
    const filter = `${hr}:links eq "https://other.example/Groups/${group}"`;
    expect((await acme.search('Users', { filter })).body.Resources).toMatchObject([{ id }]);
    const answers = await Promise.all([foreign, randomUUID(), group].map((buddy) => create({ buddy })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(refusal(answers[0])).toEqual(invalidValue);
    // A reference that was good stays, and stands in nobody's way, when its target goes.
    const holder = await made({ buddy: target });
    await acme.remove('Users', target);
    const renamed = await acme.patch('Users', holder.id, [
      { op: 'replace', path: 'displayName', value: 'X' },
    ]);
    expect(renamed.body[hr]).toEqual({ buddy: `../Users/${target}` });
    expect(refusal(await create({ buddy: target }))).toEqual(invalidValue);
  });

  test('a manager is an existing user of the tenant; what is no id is taken as it is', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const employ = (value: string) =>
      acme.create('Users', { userName: userName(), [enterprise]: { manager: { value } } });
    const boss = (await acme.create('Users', { userName: userName() })).body.id;
    const foreign = (await rival.create('Users', { userName: userName() })).body.id;
    expect((await employ(boss)).status).toBe(201);
    expect((await employ('boss@example.com')).status).toBe(201);
    const [made, theirs] = await Promise.all([employ(randomUUID()), employ(foreign)]);
    expect(refusal(made)).toEqual(invalidValue);
    expect(theirs.body).toEqual(made.body);
  });

  test('of groups too', async () => {
    const urn = 'urn:example:hr:2.0:Group';
    const attributes = [
      { name: 'cost', uniqueness: 'SERVER', required: true },
      { name: 'owner', type: 'REFERENCE', referenceTypes: ['User'] },
      { name: 'score', type: 'INTEGER', mutability: 'READ_ONLY' },
    ];
    await app.define({ id: urn, resourceType: 'GROUP', attributes });
    const group = (extension: object) => acme.create('Groups', { displayName: 'G', [urn]: extension });
    const { body } = await group({ cost: '1' });
    expect(body[urn]).toEqual({ cost: '1' });
    expect(refusal(await group({ cost: '1' }))).toEqual(taken);
    // An extension without values isn't there.
    expect((await group({})).status).toBe(201);
    expect(refusal(await group({ cost: '2', owner: randomUUID() }))).toEqual(invalidValue);
    const input = { id: body.id, extensions: { [urn]: { score: 3 } } };
    const kept = await app.mutate('updateGroup', 'UpdateGroupInput', input, 'group { extensions }');
    expect(kept.data.group.extensions[urn]).toEqual({ cost: '1', score: 3 });
    const replaced = await acme.replace('Groups', body.id, { displayName: 'H', [urn]: { cost: '1' } });
    expect(replaced.body[urn]).toEqual({ cost: '1', score: 3 });
    const found = await acme.search('Groups', { filter: `${urn}:cost eq "1"` });
    expect(found.body.Resources).toHaveLength(1);
    expect(refusal(await acme.create('Users', { userName: userName(), schemas: [urn] }))).toMatchObject({
      status: 400,
    });
  });
});
