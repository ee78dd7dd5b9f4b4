import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Quirks, quirkNames } from '../../src/compatibility/domain/profiles.ts';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';
import type { ScimResponse } from '../support/service.ts';

/**
 * Requests of real identity sources, each with its flag on and off. With the flag the request works; without it, it
 * gets the response of the RFC. All other requests follow RFC 7644 strictly in both cases.
 */

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const foreignGroup = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';

let running: WithDirectory;
let strict: Source;
const lenient = new Map<keyof Quirks, Source>();
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  strict = await running.source('rfc');
  for (const flag of quirkNames) {
    lenient.set(flag, await running.source('rfc', 'demo', { quirks: { [flag]: true } }));
  }
});
afterAll(() => running?.close());

interface Fixture {
  /** State of the resource before the payload. */
  resource: Record<string, unknown>;
  send: (source: Source, path: string, ids: { member: string; other: string }) => Promise<ScimResponse>;
  on: object;
  off: object;
}

const newUser = (more: object = {}) => ({ schemas: [userSchema], userName: `quirk${++serial}`, ...more });
const patch =
  (...operations: object[]): Fixture['send'] =>
  (source, path) =>
    source.call('PATCH', path, { body: { schemas: [patchSchema], Operations: operations } });
const refused = (scimType: string) => ({ status: 400, body: { status: '400', scimType } });
const work = { type: 'work', value: 'ada@example.com', primary: true };

const fixtures: [keyof Quirks, string, () => Fixture][] = [
  [
    'anyCaseOperations',
    'Entra ID: "op": "Replace"',
    () => ({
      resource: newUser({ displayName: 'Ada' }),
      send: patch({ op: 'Replace', path: 'displayName', value: 'Augusta' }),
      on: { status: 200, body: { displayName: 'Augusta' } },
      off: refused('invalidSyntax'),
    }),
  ],
  [
    'anyCaseOperations',
    'Entra ID: "op": "Add" and "Remove"',
    () => ({
      resource: newUser({ title: 'Ms' }),
      send: patch({ op: 'Add', path: 'nickName', value: 'A' }, { op: 'Remove', path: 'title' }),
      on: { status: 200, body: { nickName: 'A' } },
      off: refused('invalidSyntax'),
    }),
  ],
  [
    'pathKeys',
    'Entra ID: dotted and URN keys without a path',
    () => ({
      resource: newUser({ name: { givenName: 'Ada', familyName: 'Lovelace' } }),
      send: patch({
        op: 'replace',
        value: { 'name.givenName': 'Augusta', [`${enterprise}:employeeNumber`]: '7' },
      }),
      on: {
        status: 200,
        body: {
          name: { givenName: 'Augusta', familyName: 'Lovelace' },
          [enterprise]: { employeeNumber: '7' },
        },
      },
      // Unknown attributes of a value, which are ignored.
      off: { status: 200, body: { name: { givenName: 'Ada' } } },
    }),
  ],
  [
    'stringBooleans',
    'Entra ID: "active": "False"',
    () => ({
      resource: newUser(),
      send: patch({ op: 'replace', path: 'active', value: 'False' }),
      on: { status: 200, body: { active: false } },
      off: refused('invalidValue'),
    }),
  ],
  [
    'stringBooleans',
    'others: {"active": "false"}, and in a PUT',
    () => ({
      resource: newUser({ emails: [work] }),
      send: (source, path) =>
        source.call('PUT', path, {
          body: { ...newUser(), active: 'false', emails: [{ ...work, primary: 'True' }] },
        }),
      on: { status: 200, body: { active: false, emails: [work] } },
      off: refused('invalidValue'),
    }),
  ],
  [
    'wrappedScalars',
    'Entra ID: a single value in an array',
    () => ({
      resource: newUser(),
      send: patch({ op: 'add', path: 'displayName', value: [{ $ref: null, value: 'Ada' }] }),
      on: { status: 200, body: { displayName: 'Ada' } },
      off: refused('invalidValue'),
    }),
  ],
  [
    'readOnlyKeys',
    'Okta: a group renamed with its id inside the value',
    () => ({
      resource: { schemas: [groupSchema], displayName: 'Old' },
      send: (source, path) =>
        patch({ op: 'replace', value: { id: path.slice('/Groups/'.length), displayName: 'New' } })(
          source,
          path,
          { member: '', other: '' },
        ),
      on: { status: 200, body: { displayName: 'New' } },
      off: refused('mutability'),
    }),
  ],
  [
    'bareManager',
    'Entra ID: the manager as an id',
    () => ({
      resource: newUser(),
      send: (source, path, { member }) =>
        patch({ op: 'add', path: `${enterprise}:manager`, value: member })(source, path, {
          member,
          other: '',
        }),
      on: { status: 200, body: { [enterprise]: { manager: { value: expect.any(String) } } } },
      off: refused('invalidValue'),
    }),
  ],
  [
    'bareManager',
    'Entra ID: "" unassigns the manager',
    () => ({
      resource: newUser({ title: 'kept' }),
      send: patch({ op: 'replace', path: `${enterprise}:manager`, value: '' }),
      on: { status: 200, body: { title: 'kept' } },
      off: refused('invalidValue'),
    }),
  ],
  [
    'bareManager',
    'Entra ID: is this manager assigned?',
    () => ({
      resource: newUser(),
      send: (source, _path, { member }) =>
        source.call('GET', `/Users?attributes=id&filter=${encodeURIComponent(`manager eq "${member}"`)}`),
      on: { status: 200, body: { totalResults: 0 } },
      off: refused('invalidFilter'),
    }),
  ],
  [
    'quotedBooleans',
    'Entra ID: emails[primary eq "True"] in a path',
    () => ({
      resource: newUser({ emails: [work] }),
      send: patch({ op: 'replace', path: 'emails[primary eq "True"].value', value: 'augusta@example.com' }),
      on: { status: 200, body: { emails: [{ ...work, value: 'augusta@example.com' }] } },
      off: { status: 400, body: { scimType: expect.stringMatching(/invalid(?:Path|Filter)/) } },
    }),
  ],
  [
    'quotedBooleans',
    'Entra ID: active eq "True" in a filter',
    () => ({
      resource: newUser(),
      send: (source) =>
        source.call(
          'GET',
          `/Users?filter=${encodeURIComponent(`userName eq "quirk${serial}" and active eq "True"`)}`,
        ),
      on: { status: 200, body: { totalResults: 1 } },
      off: refused('invalidFilter'),
    }),
  ],
  [
    'removeByValue',
    'Entra ID: Remove members with a value array',
    () => ({
      resource: { schemas: [groupSchema], displayName: 'G' },
      send: (source, path, { member }) =>
        patch({ op: 'remove', path: 'members', value: [{ $ref: null, value: member }] })(source, path, {
          member,
          other: '',
        }),
      on: { status: 200 },
      off: { status: 400 },
    }),
  ],
  [
    'removeByValue',
    'OneLogin: an array of ids',
    () => ({
      resource: { schemas: [groupSchema], displayName: 'G' },
      send: (source, path, { member }) =>
        patch({ op: 'remove', path: 'members', value: [member] })(source, path, { member, other: '' }),
      on: { status: 200 },
      off: { status: 400 },
    }),
  ],
  [
    'replaceCreatesElement',
    'Entra ID: replace a part of a value that isn’t there',
    () => ({
      resource: newUser(),
      send: patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'ada@example.com' }),
      on: { status: 200, body: { emails: [{ type: 'work', value: 'ada@example.com' }] } },
      off: refused('noTarget'),
    }),
  ],
  [
    'unknownSchemas',
    'Entra ID: a foreign URN in the schemas of a group',
    () => ({
      resource: { schemas: [groupSchema], displayName: 'G' },
      send: (source) =>
        source.call('POST', '/Groups', { body: { schemas: [groupSchema, foreignGroup], displayName: 'H' } }),
      on: { status: 201, body: { schemas: [groupSchema], displayName: 'H' } },
      off: refused('invalidSyntax'),
    }),
  ],
  [
    'draftSchemas',
    'OneLogin: draft URNs in schemas',
    () => ({
      resource: newUser(),
      send: (source, path) =>
        source.call('PUT', path, {
          body: { schemas: ['urn:scim:schemas:core:1.0'], userName: `quirk${++serial}`, title: 'Countess' },
        }),
      on: { status: 200, body: { schemas: [userSchema], title: 'Countess' } },
      off: refused('invalidSyntax'),
    }),
  ],
  [
    'groupPatchNoContent',
    'Entra ID: PATCH on a group wants 204',
    () => ({
      resource: { schemas: [groupSchema], displayName: 'G' },
      send: patch({ op: 'replace', path: 'displayName', value: 'H' }),
      on: { status: 204, body: undefined },
      off: { status: 200, body: { displayName: 'H' } },
    }),
  ],
];

describe('Flags of the profiles', () => {
  test('Every flag has a payload among these fixtures.', () => {
    expect(new Set(fixtures.map(([flag]) => flag))).toEqual(new Set(quirkNames));
  });

  async function prepared(resource: Record<string, unknown>) {
    const isGroup = JSON.stringify(resource.schemas).includes('Group');
    const [member, other] = await Promise.all(
      [0, 1].map(async () => (await strict.call('POST', '/Users', { body: newUser() })).body.id as string),
    );
    const body = isGroup ? { ...resource, members: [{ value: member }, { value: other }] } : resource;
    const made = await strict.call('POST', isGroup ? '/Groups' : '/Users', { body });
    expect(made.status).toBe(201);
    const path = `/${isGroup ? 'Groups' : 'Users'}/${made.body.id}`;
    return { path, ids: { member: String(member), other: String(other) } };
  }
  const membersAt = async (path: string) =>
    (await strict.call('GET', path)).body.members?.map(({ value }: { value: string }) => value);

  test.each(fixtures)('With the flag %s on, the payload %s works.', async (flag, _name, fixture) => {
    const { resource, send, on } = fixture();
    const { path, ids } = await prepared(resource);
    expect(await send(lenient.get(flag) as Source, path, ids)).toMatchObject(on);
    // Only one member is removed.
    if (flag === 'removeByValue') expect(await membersAt(path)).toEqual([ids.other]);
  });

  test.each(fixtures)(
    'With the flag %s off, the payload %s gets the answer of the RFC.',
    async (flag, _name, fixture) => {
      const { resource, send, off } = fixture();
      const { path, ids } = await prepared(resource);
      const before = (await strict.call('GET', path)).body;
      const answer = await send(strict, path, ids);
      expect(answer).toMatchObject(off);
      if (answer.status >= 400) expect((await strict.call('GET', path)).body).toEqual(before);
      if (flag === 'removeByValue') expect((await membersAt(path)).sort()).toEqual(Object.values(ids).sort());
    },
  );

  test.each(quirkNames)(
    'The flag %s can be disabled in addition to a profile that includes it.',
    async (flag) => {
      const every = Object.fromEntries(quirkNames.map((name) => [name, name !== flag]));
      const source = await running.source('entra', 'demo', { quirks: every });
      const fixture = fixtures.find(([name]) => name === flag)?.[2]() as Fixture;
      const { path, ids } = await prepared(fixture.resource);
      expect(await fixture.send(source, path, ids)).toMatchObject(fixture.off);
    },
  );
});
