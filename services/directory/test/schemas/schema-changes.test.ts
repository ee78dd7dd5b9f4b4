import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PostgresSchemaStore } from '../../src/schemas/data/schemas.ts';
import { Registries } from '../../src/schemas/domain/registries.ts';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { hr, type SchemaApp, schemaApp } from '../support/schemas.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;
let app: SchemaApp;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  app = schemaApp(harness, acme.tenant);
});

let counter = 0;
const userName = () => `evolving-${++counter}`;
const create = (extension: object, client = acme) =>
  client.create('Users', { userName: userName(), [hr]: extension });
const stored = async (id: string): Promise<Json> =>
  (await harness.sql<Json>('SELECT data, folded, unique_keys FROM directory.users WHERE id = $1', [id]))[0];

describe('Changes of a schema', () => {
  test('A schema is changed in ways that leave existing values unchanged.', async () => {
    await app.define({
      id: hr,
      attributes: [
        { name: 'badge', required: true, uniqueness: 'SERVER', mutability: 'IMMUTABLE' },
        { name: 'grade', canonicalValues: ['junior'] },
        { name: 'car', type: 'COMPLEX', subAttributes: [{ name: 'plate' }] },
      ],
    });
    const { id } = (await create({ badge: 'x', grade: 'junior', car: { plate: 'W' } })).body;
    const changed = await app.update({
      id: hr,
      version: 1,
      description: 'More.',
      setAttributes: [
        { name: 'badge', description: 'No longer special.' },
        { name: 'grade', canonicalValues: ['junior', 'senior'] },
        { name: 'car', type: 'COMPLEX', subAttributes: [{ name: 'plate' }, { name: 'colour' }] },
        { name: 'level', type: 'INTEGER' },
      ],
    });
    expect(changed.data.schema).toMatchObject({ version: 2, description: 'More.' });
    expect(changed.data.schema.attributes.map(({ name }: Json) => name)).toEqual([
      'badge',
      'grade',
      'car',
      'level',
    ]);
    expect((await create({ badge: 'x', grade: 'senior', level: 1, car: { colour: 'red' } })).status).toBe(
      201,
    );
    expect((await acme.patch('Users', id, [{ op: 'replace', path: `${hr}:badge`, value: 'y' }])).status).toBe(
      200,
    );
    expect((await app.update({ id: hr, version: 1, name: 'Late' })).code).toBe('VERSION_CONFLICT');
  });

  test.each([
    ['another type', { name: 'badge', type: 'INTEGER' }],
    ['a list', { name: 'badge', multiValued: true }],
    ['another case rule', { name: 'badge', caseExact: true }],
    ['unique values', { name: 'badge', uniqueness: 'SERVER' }],
    ['fewer values', { name: 'badge', canonicalValues: ['a'] }],
    ['fewer canonical values', { name: 'grade', canonicalValues: ['senior'] }],
    ['fewer targets', { name: 'link', type: 'REFERENCE', referenceTypes: ['User'] }],
    ['what was never returned', { name: 'pin', returned: 'DEFAULT' }],
    ['a part less', { name: 'car', type: 'COMPLEX', subAttributes: [{ name: 'colour' }] }],
    [
      'a required part',
      {
        name: 'car',
        type: 'COMPLEX',
        subAttributes: [{ name: 'plate' }, { name: 'colour', required: true }],
      },
    ],
    ['a value that resources lack', { name: 'grade', canonicalValues: ['junior', 'senior'], required: true }],
    ['a new value that resources lack', { name: 'fresh', required: true }],
  ])('A schema change to %s is rejected.', async (_what, attribute) => {
    await app.define({
      id: hr,
      attributes: [
        { name: 'badge' },
        { name: 'grade', canonicalValues: ['junior', 'senior'] },
        { name: 'link', type: 'REFERENCE', referenceTypes: ['User', 'external'] },
        { name: 'pin', returned: 'NEVER' },
        { name: 'car', type: 'COMPLEX', subAttributes: [{ name: 'plate' }] },
      ],
    });
    await create({ badge: 'x' });
    expect((await app.update({ id: hr, setAttributes: [attribute] })).code).toBe('CONFLICT');
    expect((await app.list())[0].version).toBe(1);
  });

  test('An attribute is removed with its values, and its name can then have another definition.', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge', uniqueness: 'SERVER' }, { name: 'level' }] });
    const { id } = (await create({ badge: 'x', level: 'one' })).body;
    expect((await app.update({ id: hr, removeAttributes: ['unknown'] })).code).toBe('INVALID_INPUT');
    expect((await app.update({ id: hr, removeAttributes: ['BADGE'] })).errors).toBeUndefined();
    expect((await acme.read('Users', id)).body[hr]).toEqual({ level: 'one' });
    expect(await stored(id)).toMatchObject({ data: { [hr]: { level: 'one' } }, unique_keys: [] });
    const again = { name: 'badge', type: 'INTEGER', uniqueness: 'SERVER' };
    expect((await app.update({ id: hr, setAttributes: [again] })).errors).toBeUndefined();
    expect((await create({ badge: 7 })).status).toBe(201);
    expect((await acme.read('Users', id)).body[hr]).toEqual({ level: 'one' });
  });
});

describe('Removal of a schema', () => {
  test('A schema is removed with its values: they are no longer returned, stored, found or unique.', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge', uniqueness: 'SERVER' }] });
    const rivals = schemaApp(harness, rival.tenant);
    await rivals.define({ id: hr, attributes: [{ name: 'badge' }] });
    const { id, meta } = (await create({ badge: 'x' })).body;
    const theirs = (await create({ badge: 'x' }, rival)).body;
    expect((await app.remove(hr)).data).toEqual({ id: hr });
    const read = (await acme.read('Users', id)).body;
    expect(read).not.toHaveProperty([hr]);
    expect(read.schemas).toEqual(['urn:ietf:params:scim:schemas:core:2.0:User']);
    expect(read.meta.version).toBe(meta.version);
    expect(JSON.stringify(await stored(id))).not.toContain('example:hr');
    expect((await acme.search('Users', { filter: `${hr}:badge eq "x"` })).body.scimType).toBe(
      'invalidFilter',
    );
    expect((await acme.create('Users', { userName: userName(), schemas: [hr] })).status).toBe(400);
    await app.define({ id: hr, attributes: [{ name: 'badge', type: 'INTEGER' }] });
    expect((await acme.read('Users', id)).body).not.toHaveProperty([hr]);
    expect((await rival.read('Users', theirs.id)).body[hr]).toEqual({ badge: 'x' });
  });

  test('A schema with more values than one batch is removed in batches, and its name is unavailable until then.', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge' }] });
    const ids = await Promise.all(
      Array.from({ length: 3 }, async (_, i) => (await create({ badge: `b${i}` })).body.id),
    );
    // As if the process had ended right after the schema was deleted.
    await harness.sql(
      `WITH gone AS (DELETE FROM directory.schemas WHERE tenant = $1)
       INSERT INTO directory.schema_removals (tenant, id, urn, resource_type) VALUES ($1, $2, $3, 'User')`,
      [acme.tenant, ids[0], hr],
    );
    await harness.sql('UPDATE directory.tenants SET schemas_version = schemas_version + 1 WHERE id = $1', [
      acme.tenant,
    ]);
    const again = { id: hr, name: 'HR', attributes: [{ name: 'badge', type: 'INTEGER' }] };
    expect((await app.create(again)).code).toBe('CONFLICT');
    await harness.tidy();
    expect((await app.create(again)).errors).toBeUndefined();
    for (const id of ids) expect(JSON.stringify(await stored(id))).not.toContain('example:hr');
  });
});

describe('Schemas in two processes', () => {
  test('Two processes agree immediately, and a write under outdated schemas is repeated with the current ones.', async () => {
    const other = await startDirectory({ databaseUrl: harness.databaseUrl });
    try {
      const there = tenantClient(other, acme.tenant);
      const thereApp = schemaApp(other, acme.tenant);
      // Both processes have cached the tenant without schemas.
      await Promise.all([acme.search('Users'), there.search('Users')]);
      await app.define({ id: hr, attributes: [{ name: 'badge', uniqueness: 'SERVER' }] });
      // A writer with outdated schemas is rejected by the database and reads them again: the value is kept.
      const made = await create({ badge: 'x' }, there);
      expect(made.status).toBe(201);
      expect(made.body[hr]).toEqual({ badge: 'x' });
      expect((await create({ badge: 'X' })).status).toBe(409);
      await thereApp.update({ id: hr, setAttributes: [{ name: 'level', type: 'INTEGER' }] });
      expect((await create({ level: 5 })).body[hr]).toEqual({ level: 5 });
    } finally {
      await other.stop();
    }
  });

  test('Two processes agree after five seconds when the notification of a change is lost.', async () => {
    let now = Date.now();
    // It does not listen.
    const deaf = new Registries(new PostgresSchemaStore(harness.database), () => now);
    expect((await deaf.of(acme.tenant)).registry.schema(hr)).toBeUndefined();
    await app.define({ id: hr, attributes: [{ name: 'badge' }] });
    now += 4_999;
    expect((await deaf.of(acme.tenant)).registry.schema(hr)).toBeUndefined();
    now += 1;
    expect((await deaf.of(acme.tenant)).registry.schema(hr)).toBeDefined();
    // A response that a notification has overtaken is not cached as current.
    now += 5_000;
    const asked = deaf.of(acme.tenant);
    deaf.forget(acme.tenant);
    await asked;
    await app.remove(hr);
    expect((await deaf.of(acme.tenant)).registry.schema(hr)).toBeUndefined();
  });

  test('Fifty writers keep nothing undefined while schemas are added and removed, and no request fails.', async () => {
    const other = await startDirectory({ databaseUrl: harness.databaseUrl });
    try {
      const there = tenantClient(other, acme.tenant);
      const plain = await Promise.all(
        Array.from(
          { length: 10 },
          async () => (await acme.create('Users', { userName: userName() })).body.id,
        ),
      );
      const write = (i: number) => {
        const client = i % 2 ? acme : there;
        return i % 3 === 0
          ? client.patch('Users', plain[i % 10] ?? '', [
              { op: 'replace', value: { [hr]: { badge: `p${i}` } } },
            ])
          : create({ badge: `c${i}` }, client);
      };
      const writing = Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          let { status } = await write(i);
          // A writer that meets five other changes, for example while it waits for a connection, gets 503 and repeats
          // its request.
          while (status === 503) status = (await write(i)).status;
          return status;
        }),
      );
      const changing = (async () => {
        for (let round = 0; round < 5; round += 1) {
          await app.define({ id: hr, attributes: [{ name: 'badge', uniqueness: 'SERVER' }] });
          await app.remove(hr);
        }
      })();
      const [statuses] = await Promise.all([writing, changing]);
      expect(new Set(statuses)).toEqual(new Set([200, 201]));
      await harness.tidy();
      const left = await harness.sql(
        'SELECT 1 FROM directory.users WHERE tenant = $1 AND (data ? $2 OR folded ? $2)',
        [acme.tenant, hr],
      );
      const values = await harness.sql('SELECT 1 FROM directory.unique_values WHERE tenant = $1', [
        acme.tenant,
      ]);
      expect([left, values]).toEqual([[], []]);
    } finally {
      await other.stop();
    }
  });
});
