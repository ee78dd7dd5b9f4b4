import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { errorSchema, ScimClient, userSchema } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
let scim: ScimClient;

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});

/** Unacceptable passwords, with the message for the caller. */
const unfit: [string, (userName: string) => string, RegExp][] = [
  ['too short', () => 'Kx7!vQ2#zR', /too short.* at least 12 characters/],
  ['on a list', () => 'password123456', /too easy to guess/],
  ['on a list, in disguise', () => 'P@ssw0rd!2026', /too easy to guess/],
  ['somebody’s own name', (userName) => userName, /too easy to guess/],
  ['too long', () => `${'äöü '.repeat(400)}!`, /.+/],
];

interface AccessPath {
  /** Status and body of the operation that sets the password, and how the user is read afterwards. */
  send: (
    id: string,
    user: { userName: string; password: string },
  ) => Promise<{ status: number; body: unknown }>;
  creates: boolean;
}

const patchOf = (...Operations: object[]) => ({ schemas: [patchSchema], Operations });
const title = { op: 'replace', path: 'title', value: 'never' };

async function inBulk(operation: object): Promise<{ status: number; body: unknown }> {
  const { status, body } = await scim.call('POST', '/Bulk', {
    schemas: [bulkSchema],
    Operations: [operation],
  });
  expect(status).toBe(200);
  const [done] = body.Operations;
  return { status: Number(done.status), body: done.response };
}

const doors: Record<string, AccessPath> = {
  POST: {
    creates: true,
    send: (_id, user) => scim.call('POST', '/Users', { schemas: [userSchema], ...user }),
  },
  PUT: {
    creates: false,
    send: (id, user) => scim.call('PUT', `/Users/${id}`, { schemas: [userSchema], ...user, title: 'never' }),
  },
  'PATCH with a path': {
    creates: false,
    send: (id, { password }) =>
      scim.call(
        'PATCH',
        `/Users/${id}`,
        patchOf(title, { op: 'replace', path: 'password', value: password }),
      ),
  },
  'PATCH without a path': {
    creates: false,
    send: (id, { password }) =>
      scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { password, title: 'never' } })),
  },
  'POST in a Bulk': {
    creates: true,
    send: (_id, user) =>
      inBulk({ method: 'POST', path: '/Users', bulkId: 'a', data: { schemas: [userSchema], ...user } }),
  },
  'PUT in a Bulk': {
    creates: false,
    send: (id, user) =>
      inBulk({
        method: 'PUT',
        path: `/Users/${id}`,
        data: { schemas: [userSchema], ...user, title: 'never' },
      }),
  },
  'PATCH in a Bulk': {
    creates: false,
    send: (id, { password }) =>
      inBulk({
        method: 'PATCH',
        path: `/Users/${id}`,
        data: patchOf(title, { op: 'add', path: 'password', value: password }),
      }),
  },
};

const found = async (userName: string): Promise<number> =>
  (await scim.call('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)).body
    .totalResults;

describe.each(Object.entries(doors))('unacceptable passwords: %s', (_name, { send, creates }) => {
  test.each(unfit)(
    'A password that is %s is rejected with 400 invalidValue and the reason, and nothing is stored.',
    async (_why, of, detail) => {
      const userName = unique('judy');
      const password = unique('seven quiet otters');
      const known = creates ? undefined : await scim.createUser({ userName, password });
      const before = known && (await scim.call('GET', `/Users/${known.id}`));
      const bad = of(userName);

      const { status, body } = await send(known?.id ?? '', { userName, password: bad });
      expect([status, body]).toEqual([
        400,
        {
          schemas: [errorSchema],
          status: '400',
          scimType: 'invalidValue',
          detail: expect.stringMatching(detail),
        },
      ]);
      expect(JSON.stringify(body)).not.toContain(bad);

      if (known === undefined) {
        expect(await found(userName)).toBe(0);
        return;
      }
      const after = await scim.call('GET', `/Users/${known.id}`);
      expect([after.headers.get('etag'), after.body]).toEqual([before?.headers.get('etag'), before?.body]);
    },
  );
});

test('After a rejection the old password still works, the rejected one does not, and a good one replaces it.', async () => {
  const user = { userName: unique('mallory'), password: unique('nine patient herons') };
  const { id } = await scim.createUser(user);
  for (const { send, creates } of Object.values(doors)) {
    if (!creates) expect((await send(id, { ...user, password: 'password123456' })).status).toBe(400);
  }
  expect((await signIn(demo, tenant, user)).subject).toBe(id);
  await expect(signIn(demo, tenant, { ...user, password: 'password123456' })).rejects.toThrow(
    /sign-in ended/,
  );
  const better = { ...user, password: unique('eleven brisk magpies') };
  expect((await doors['PATCH with a path']?.send(id, better))?.status).toBe(200);
  expect((await signIn(demo, tenant, better)).subject).toBe(id);
});
