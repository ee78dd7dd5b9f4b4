import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let running: WithDirectory;
/** Without restrictions. */
let free: Source;
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  free = await running.source('auto');
});
afterAll(() => running?.close());

/** A source that requests the role holders before each change. */
const careful = () =>
  running.source('auto', 'demo', {
    rules: { protectedAccounts: { users: [], groups: [], administrators: true } },
  });
const person = (more: object = {}) => ({ schemas: [userSchema], userName: `leaving${++serial}`, ...more });
const make = async (): Promise<string> => (await free.call('POST', '/Users', { body: person() })).body.id;
const patch = (source: Source, path: string, ...Operations: object[]) =>
  source.call('PATCH', path, { body: { schemas: [patchSchema], Operations } });
const bulk = (source: Source, ...Operations: object[]) =>
  source.call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });

describe('While the authorization server is unavailable', () => {
  const off = { op: 'replace', path: 'active', value: false };
  const on = { op: 'replace', path: 'active', value: true };
  const full = `${userSchema}:active`;
  test.each<[string, object[]]>([
    ['a path', [off]],
    ['add', [{ ...off, op: 'add' }]],
    ['a path in other letters', [{ ...off, path: 'ACTIVE' }]],
    ['the full name', [{ ...off, path: full }]],
    ['the full name in other letters', [{ ...off, path: full.toUpperCase() }]],
    ['no path', [{ op: 'replace', value: { active: false } }]],
    ['no path, and the full name', [{ op: 'replace', value: { [full]: false } }]],
    ['a text', [{ ...off, value: 'False' }]],
    ['a wrapped value', [{ ...off, value: [{ value: 'False' }] }]],
    ['an operation among others', [{ op: 'replace', path: 'title', value: 'x' }, off]],
    ['one that is taken back', [off, on]],
    ['one that is taken back without a path', [off, { op: 'replace', value: { [full]: true, title: 'x' } }]],
    ['one that is removed again', [off, { op: 'remove', path: 'active' }]],
    ['one that takes the other back', [on, off]],
    [
      'the name of another schema',
      [{ op: 'replace', value: { [`${enterprise}:active`]: false, title: 'x' } }],
    ],
    ['the removal of it', [{ op: 'remove', path: 'active' }]],
    ['nothing', [{ op: 'replace', path: 'title', value: 'x' }]],
  ])(
    'While the authorization server is unavailable, deactivations succeed and no other change does: %s.',
    async (_what, operations) => {
      const [model, leaver] = [await make(), await make()];
      const source = await careful();
      const known = { op: 'replace', path: 'title', value: 'known' };
      expect((await patch(source, `/Users/${leaver}`, known)).status).toBe(200);
      const { body } = await patch(free, `/Users/${model}`, ...operations);
      running.authorization.state.down = true;
      try {
        const answer = await patch(source, `/Users/${leaver}`, ...operations);
        expect(answer.status).toBe(body.active === false ? 200 : 503);
        const { active } = (await source.call('GET', `/Users/${leaver}`)).body;
        expect(active).toBe(body.active !== false);
      } finally {
        running.authorization.state.down = false;
      }
    },
  );

  test.each(['PUT', 'PATCH'])(
    'A password that accompanies a deactivation does not prevent it, with %s.',
    async (method) => {
      const password = 'zwölf Zebras zahlen';
      const close = (source: Source, id: string) =>
        method === 'PUT'
          ? source.call('PUT', `/Users/${id}`, { body: person({ active: false, password }) })
          : patch(source, `/Users/${id}`, off, { op: 'replace', path: 'password', value: password });
      const [leaver, boss] = [await make(), await make()];
      const { staged, administrators, state } = running.authorization;
      staged.length = 0;
      administrators.add(boss);
      try {
        // A user whose password the source may not set is offboarded without it.
        expect((await close(free, boss)).status).toBe(200);
        state.down = true;
        expect((await close(free, leaver)).status).toBe(200);
      } finally {
        state.down = false;
        administrators.delete(boss);
      }
      for (const id of [leaver, boss]) {
        expect((await free.call('GET', `/Users/${id}`)).body.active).toBe(false);
      }
      expect(staged).toEqual([]);
      expect((await close(free, leaver)).status).toBe(200);
      expect(staged.map(({ activated }) => activated)).toEqual([true]);
      const refused = await free.call('PUT', `/Users/${boss}`, {
        body: person({ active: false, password: 'refused by policy' }),
      });
      expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue']);
    },
  );

  test('In a Bulk whose other operations fail with 503, deactivations are executed.', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => make()));
    const source = await careful();
    const title = { op: 'replace', path: 'title', value: 'x' };
    expect((await patch(source, `/Users/${ids[0]}`, title)).status).toBe(200);
    const change = (id: string, operation: object) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: { schemas: [patchSchema], Operations: [operation] },
    });
    running.authorization.state.down = true;
    try {
      const operations = [
        ...ids.slice(0, 20).map((id) => change(id, title)),
        ...ids.slice(30, 36).map((id) => change(id, { ...off, value: 'False' })),
        ...ids
          .slice(36, 38)
          .map((id) => ({ method: 'PUT', path: `/Users/${id}`, data: person({ active: false }) })),
        ...ids.slice(38).map((id) => ({ method: 'DELETE', path: `/Users/${id}` })),
        ...ids.slice(20, 30).map((id) => change(id, title)),
      ];
      const { body } = await bulk(source, ...operations);
      expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual([
        ...Array(20).fill('503'),
        ...Array(8).fill('200'),
        ...Array(2).fill('204'),
        ...Array(10).fill('503'),
      ]);
    } finally {
      running.authorization.state.down = false;
    }
  });
});
