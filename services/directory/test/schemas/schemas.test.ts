import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '../support/harness.ts';
import {
  acme,
  app,
  create,
  harness,
  invalidValue,
  made,
  refusal,
  rival,
  rivalApp,
  setUpSchemas,
  userName,
} from '../support/schema-tenants.ts';
import { hr } from '../support/schemas.ts';

setUpSchemas();

describe('Definition of a schema', () => {
  test('A schema is defined with every characteristic, listed as it was given and recorded.', async () => {
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

  test('A schema applies to one tenant only: another tenant neither sees nor changes it, and may use the same URN.', async () => {
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

  test('A schema is defined only with the scope, and not by a user without a role.', async () => {
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
  ])('A schema with %s is rejected.', async (_what, wrong) => {
    const answer = await app.create({ id: hr, name: 'HR', attributes: [{ name: 'badge' }], ...wrong });
    expect(answer.code).toBe('INVALID_INPUT');
    expect(await app.list()).toEqual([]);
  });

  test('Fifty parallel definitions make one schema, in any case of the URN.', async () => {
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

  test('A schema is defined as required only where no resource lacks it.', async () => {
    const schema = { id: hr, name: 'HR', required: true, attributes: [{ name: 'badge', required: true }] };
    await acme.create('Users', { userName: userName() });
    expect((await app.create(schema)).code).toBe('CONFLICT');
    expect((await rivalApp.create(schema)).errors).toBeUndefined();
    expect(refusal(await rival.create('Users', { userName: userName() }))).toEqual(invalidValue);
    expect(refusal(await create({}, rival))).toEqual(invalidValue);
    await made({ badge: '1' }, rival);
  });
});

describe('Attributes of a tenant', () => {
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

  test('Attributes of a tenant are used in filters of every kind, by their case rules, and in sorting.', async () => {
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

  test('Attributes of a tenant are changed by every form of PATCH, and cleared by PUT.', async () => {
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

  test('Attributes of a tenant are written as JSON in the graph, read whole and by path, and found by filter.', async () => {
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
