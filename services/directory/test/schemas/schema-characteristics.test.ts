import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
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
  taken,
  userName,
} from '../support/schema-tenants.ts';
import { hr } from '../support/schemas.ts';

setUpSchemas();

describe("Characteristics of a tenant's attributes", () => {
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
  ])(
    'An invalid value (%s) is rejected in POST, PUT, PATCH and the graph.',
    async (_what, attribute, value) => {
      await define([attribute, { name: 'other' }]);
      expect(refusal(await create({ a: value }))).toEqual(invalidValue);
      const { id, userName } = await made({ other: 'x' });
      expect(refusal(await acme.replace('Users', id, { userName, [hr]: { a: value } }))).toEqual(
        invalidValue,
      );
      // Where there is no list yet, PATCH accepts one value for a list of one (RFC 7644 §3.5.2.1).
      if ('multiValued' in attribute && !Array.isArray(value)) return;
      const operations = [{ op: 'add', path: `${hr}:a`, value }];
      expect(refusal(await acme.patch('Users', id, operations))).toEqual(invalidValue);
      const extensions = { [hr]: { a: value } };
      const answer = await app.mutate('updateUser', 'UpdateUserInput', { id, extensions }, 'user { id }');
      expect(answer.code).toBe('INVALID_INPUT');
    },
  );

  test('Canonical values take on their canonical spelling; unrestricted attributes accept other values.', async () => {
    await define([
      { name: 'grade', canonicalValues: ['Junior', 'Senior'] },
      { name: 'hint', canonicalValues: ['A'], restrictToCanonicalValues: false },
    ]);
    expect((await made({ grade: 'sENIOR', hint: 'other' }))[hr]).toEqual({ grade: 'Senior', hint: 'other' });
  });

  test('A required attribute must be present with its extension and cannot be removed.', async () => {
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

  test('An immutable attribute is set once, at first or later, and is then kept by PUT, PATCH, removal and the graph.', async () => {
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

  test('A readOnly attribute is ignored in POST and PUT, rejected in PATCH and maintained by the clients of the tenant.', async () => {
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

  test('Attributes that are writeOnly or never returned are kept, not returned, not compared and not logged.', async () => {
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

  test('A sub-attribute that is never returned is not revealed by filters on its attribute.', async () => {
    const subAttributes = [{ name: 'value', returned: 'NEVER' }, { name: 'level' }];
    await define([
      { name: 'pass', type: 'COMPLEX', subAttributes },
      { name: 'codes', type: 'COMPLEX', multiValued: true, subAttributes },
    ]);
    const secret = await made({ pass: { value: 'tango' }, codes: [{ value: 'tango' }] });
    const shown = await made({
      pass: { value: 'tango', level: '1' },
      codes: [{ value: 'tango', level: '1' }],
    });
    for (const name of ['pass', 'codes']) {
      const present = await acme.search('Users', { filter: `${hr}:${name} pr` });
      expect(present.body.Resources.map((user: Json) => user.id)).toEqual([shown.id]);
      const absent = await acme.search('Users', { filter: `not (${hr}:${name} pr)` });
      expect(absent.body.Resources.map((user: Json) => user.id)).toContain(secret.id);
      for (const filter of [`${hr}:${name} sw "t"`, `${hr}:${name}.value sw "t"`]) {
        expect(refusal(await acme.search('Users', { filter })).scimType).toBe('invalidFilter');
        const { errors } = await app.ask(`{ users(filter: ${JSON.stringify(filter)}) { totalCount } }`);
        expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
      }
    }
  });

  test('An attribute returned always is in every response; one on request by name, or when the request writes it.', async () => {
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

  test('A unique attribute follows its case rule within the tenant, in lists and parts, and a freed value is reusable.', async () => {
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

  test('Fifty parallel writers of a unique value make one creation and one change, and no deadlock occurs.', async () => {
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

  test('A reference needs a target in the tenant, in any address form; the id of another tenant counts as made up.', async () => {
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
    // A valid reference stays, and prevents no change, when its target is deleted.
    const holder = await made({ buddy: target });
    await acme.remove('Users', target);
    const renamed = await acme.patch('Users', holder.id, [
      { op: 'replace', path: 'displayName', value: 'X' },
    ]);
    expect(renamed.body[hr]).toEqual({ buddy: `../Users/${target}` });
    expect(refusal(await create({ buddy: target }))).toEqual(invalidValue);
  });

  test('A manager must be an existing user of the tenant; a value that is no id is accepted as it is.', async () => {
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

  test('The characteristics are enforced for attributes of groups too.', async () => {
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
    // An extension without values counts as absent.
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
