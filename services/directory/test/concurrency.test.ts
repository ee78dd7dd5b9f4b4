import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from './support/harness.ts';

let harness: Harness;
let acme: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

const times = <T>(n: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));

test('50 parallel creates of one userName make one user', async () => {
  const answers = await times(50, (i) =>
    acme.create('Users', { userName: i % 2 ? 'ONE@example.com' : 'one@example.com' }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
});

test('50 parallel member additions lose none', async () => {
  const users = await times(
    50,
    async (i) => (await acme.create('Users', { userName: `p${i}` })).body.id as string,
  );
  const { id } = (await acme.create('Groups', { displayName: 'Crowd' })).body;
  const answers = await Promise.all(
    users.map((value) => acme.patch('Groups', id, [{ op: 'add', path: 'members', value: [{ value }] }])),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { body } = await acme.read('Groups', id);
  expect(body.members.map((member: Json) => member.value).sort()).toEqual([...users].sort());
  expect(body.meta.version).toBe('W/"51"');
});

test('50 parallel writers with If-Match lose no update', async () => {
  const { id } = (await acme.create('Users', { userName: 'counter', title: '0' })).body;
  let refusals = 0;
  const increment = async (): Promise<void> => {
    for (;;) {
      const { body } = await acme.read('Users', id, '?attributes=title,meta');
      const value = String(Number(body.title) + 1);
      const answer = await acme.patch('Users', id, [{ op: 'replace', path: 'title', value }], {
        ifMatch: [body.meta.version],
      });
      if (answer.status === 200) return;
      expect(answer.status).toBe(412);
      refusals += 1;
    }
  };
  await times(50, increment);
  const { body } = await acme.read('Users', id);
  expect(body.title).toBe('50');
  expect(body.meta.version).toBe('W/"51"');
  expect(refusals).toBeGreaterThan(0);
});

test('deleting users while they are being added to groups neither fails nor leaves anything behind', async () => {
  const groups = await times(
    4,
    async (i) => (await acme.create('Groups', { displayName: `g${i}` })).body.id as string,
  );
  const users = await times(
    20,
    async (i) => (await acme.create('Users', { userName: `d${i}` })).body.id as string,
  );
  const answers = await Promise.all(
    users.flatMap((value) => [
      ...groups.map((id) => acme.patch('Groups', id, [{ op: 'add', path: 'members', value: [{ value }] }])),
      acme.remove('Users', value),
    ]),
  );
  for (const { status } of answers) expect([200, 204, 400]).toContain(status);
  for (const id of groups) expect((await acme.read('Groups', id)).body.members).toBeUndefined();
});
