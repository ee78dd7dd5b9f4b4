import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const scim = new ScimClient(tenant, tenant.clients.scim.token);
const theirs = new ScimClient(rival, rival.clients.scim.token);
const urn = `urn:example:${unique('hr').toLowerCase()}:User`;
let admin: string;

const mutate = (name: string, type: string, input: object, selection: string) =>
  graph(demo, admin, `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input });

const attributes = [
  { name: 'badge', uniqueness: 'SERVER', mutability: 'IMMUTABLE', required: true },
  { name: 'level', type: 'INTEGER', description: 'Pay grade.' },
  { name: 'site', canonicalValues: ['Vienna', 'Lisbon'] },
  { name: 'mentor', type: 'REFERENCE', referenceTypes: ['User'] },
  { name: 'pin', mutability: 'WRITE_ONLY' },
  {
    name: 'desks',
    type: 'COMPLEX',
    multiValued: true,
    subAttributes: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'BOOLEAN' }],
  },
];

beforeAll(async () => {
  admin = await adminToken(tenant);
});

const create = (extension: object, more: object = {}) =>
  scim.call('POST', '/Users', {
    schemas: [userSchema, urn],
    userName: unique('custom'),
    [urn]: extension,
    ...more,
  });
const found = async (filter: string, more = ''): Promise<string[]> =>
  (await scim.call('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)).body.Resources.map(
    ({ id }: { id: string }) => id,
  );

describe("life cycle of a tenant's schema", () => {
  test('The schema is unknown before its definition.', async () => {
    expect((await scim.call('GET', `/Schemas/${urn}`)).status).toBe(404);
    const { status, body } = await create({ badge: 'x' });
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain(urn);
  });

  test('The schema is defined in the graph and is announced immediately, to its tenant only.', async () => {
    const input = { id: urn, name: 'HR', description: 'What HR says.', attributes };
    const made = await mutate('createSchema', 'CreateSchemaInput', input, 'schema { id version }');
    expect(made.errors).toEqual([]);
    const { body } = await scim.call('GET', `/Schemas/${urn}`);
    expect(body).toMatchObject({
      id: urn,
      name: 'HR',
      description: 'What HR says.',
      meta: { resourceType: 'Schema' },
    });
    expect(body.attributes).toMatchObject([
      { name: 'badge', required: true, uniqueness: 'server', mutability: 'immutable', caseExact: false },
      { name: 'level', type: 'integer', description: 'Pay grade.' },
      { name: 'site', canonicalValues: ['Vienna', 'Lisbon'] },
      { name: 'mentor', type: 'reference', referenceTypes: ['User'] },
      { name: 'pin', mutability: 'writeOnly', returned: 'never' },
      { name: 'desks', type: 'complex', multiValued: true },
    ]);
    const types = (await scim.call('GET', '/ResourceTypes/User')).body;
    expect(types.schemaExtensions).toContainEqual({ schema: urn, required: false });
    expect((await scim.call('GET', '/ResourceTypes/Group')).body.schemaExtensions).not.toContainEqual(
      expect.objectContaining({ schema: urn }),
    );
    expect((await theirs.call('GET', `/Schemas/${urn}`)).status).toBe(404);
    expect(JSON.stringify((await theirs.call('GET', '/ResourceTypes')).body)).not.toContain(urn);
  });

  test('Its attributes are created, filtered, sorted, patched and projected like core ones.', async () => {
    const a = await create({
      badge: unique('a'),
      level: 1,
      site: 'vienna',
      desks: [{ value: 'D1', type: 'x' }],
    });
    const b = await create({ badge: unique('b'), level: 30, site: 'Lisbon', mentor: a.body.id });
    expect(a.body[urn]).toMatchObject({ level: 1, site: 'Vienna' });
    expect(b.body[urn].mentor).toBe(`../Users/${a.body.id}`);
    const both = `${urn}:level pr`;
    expect(await found(both, `&sortBy=${urn}:level&sortOrder=descending`)).toEqual([b.body.id, a.body.id]);
    expect(await found(`${urn}:site eq "VIENNA" and ${urn}:level lt 2`)).toEqual([a.body.id]);
    expect(await found(`${urn}:desks[value eq "d1" and type pr]`)).toEqual([a.body.id]);
    expect(await found(`${urn}:mentor eq "${a.headers.get('location')}"`)).toEqual([b.body.id]);
    const path = `/Users/${a.body.id}`;
    const patched = await scim.patch(path, [
      { op: 'replace', path: `${urn}:level`, value: 2 },
      { op: 'add', value: { [`${urn}:site`]: 'Lisbon' } },
      { op: 'replace', path: `${urn}:desks[value eq "D1"].type`, value: 'window' },
    ]);
    expect(patched.body[urn]).toMatchObject({
      level: 2,
      site: 'Lisbon',
      desks: [{ value: 'D1', type: 'window' }],
    });
    const projected = await scim.call('GET', `${path}?attributes=${urn}:level`);
    expect(projected.body[urn]).toEqual({ level: 2 });
    const app = await graph(
      demo,
      admin,
      `{ user(id: "${a.body.id}") { extensions attribute(path: "${urn}:level") } }`,
    );
    expect(app.data.user).toMatchObject({ attribute: 2, extensions: { [urn]: { site: 'Lisbon' } } });
  });

  test('Values that the schema does not allow are rejected.', async () => {
    const badge = unique('badge');
    const { body } = await create({ badge });
    const refused = async (extension: object) => {
      const answer = await create(extension);
      return [answer.status, answer.body.scimType];
    };
    const foreign = await theirs.createUser({ userName: unique('foreign') });
    expect(await refused({ badge: badge.toUpperCase() })).toEqual([409, 'uniqueness']);
    expect(await refused({ level: 1 })).toEqual([400, 'invalidValue']);
    expect(await refused({ badge: unique('x'), level: 'one' })).toEqual([400, 'invalidValue']);
    expect(await refused({ badge: unique('x'), site: 'Paris' })).toEqual([400, 'invalidValue']);
    expect(await refused({ badge: unique('x'), mentor: foreign.id })).toEqual([400, 'invalidValue']);
    const change = await scim.patch(`/Users/${body.id}`, [
      { op: 'replace', path: `${urn}:badge`, value: 'y' },
    ]);
    expect(change.body).toMatchObject({ status: '400', scimType: 'mutability' });
    const race = unique('race');
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ badge: race })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  test('A writeOnly value is never returned, and a user sees their own attributes.', async () => {
    const user = { userName: unique('owner'), password: unique('correct horse battery') };
    const pin = unique('pin');
    const { body } = await create({ badge: unique('b'), level: 7, pin }, user);
    expect(JSON.stringify(body)).not.toContain(pin);
    const { tokens } = await signIn(demo, tenant, user);
    const own = await graph(demo, tokens.access_token, '{ me { extensions } }');
    expect(own.data.me.extensions[urn]).toMatchObject({ level: 7 });
    expect(JSON.stringify(own.data)).not.toContain(pin);
  });

  test('The schema ends together with its values.', async () => {
    const { body } = await create({ badge: unique('last') });
    expect((await mutate('deleteSchema', 'SchemaVersionInput', { id: urn }, 'id')).errors).toEqual([]);
    expect((await scim.call('GET', `/Schemas/${urn}`)).status).toBe(404);
    expect((await scim.call('GET', '/ResourceTypes/User')).body.schemaExtensions).not.toContainEqual(
      expect.objectContaining({ schema: urn }),
    );
    expect(JSON.stringify((await scim.call('GET', `/Users/${body.id}`)).body)).not.toContain(urn);
    const filter = encodeURIComponent(`${urn}:level pr`);
    expect((await scim.call('GET', `/Users?filter=${filter}`)).body.scimType).toBe('invalidFilter');
    expect(JSON.stringify((await create({ badge: 'x' })).body)).not.toContain(urn);
  });
});
