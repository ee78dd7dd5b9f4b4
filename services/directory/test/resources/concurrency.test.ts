import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';

let harness: Harness;
let acme: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

const times = <T>(n: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));

test('Of 50 parallel creations of one userName, one makes a user.', async () => {
  const answers = await times(50, (i) =>
    acme.create('Users', { userName: i % 2 ? 'ONE@example.com' : 'one@example.com' }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
});

test('Of 50 parallel member additions, none is lost.', async () => {
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

test('Of 50 parallel writers with If-Match, none loses an update.', async () => {
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
      // As clients do. Without the delay, each round of concurrent requests would have one winner.
      await sleep(Math.random() * 400);
    }
  };
  await times(50, increment);
  const { body } = await acme.read('Users', id);
  expect(body.title).toBe('50');
  expect(body.meta.version).toBe('W/"51"');
  expect(refusals).toBeGreaterThan(20);
});

test.each(['Users', 'Groups'])(
  'Of 50 parallel writers of %s with the same If-Match, exactly one succeeds.',
  async (type) => {
    const made = await acme.create(
      type,
      type === 'Users' ? { userName: 'contended' } : { displayName: 'Contended' },
    );
    const { id } = made.body;
    for (let round = 1; round <= 5; round += 1) {
      const answers = await times(50, (i) =>
        acme.patch(type, id, [{ op: 'replace', path: 'displayName', value: `round ${round}, writer ${i}` }], {
          ifMatch: [`W/"${round}"`],
        }),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(49);
      const { body } = await acme.read(type, id);
      expect(body).toMatchObject({
        displayName: won[0]?.body.displayName,
        meta: { version: `W/"${round + 1}"` },
      });
    }
    await expectOneRecordPerVersion(id, 6);
  },
);

test('All of 50 parallel writers without If-Match take effect, with one version each.', async () => {
  const { id } = (await acme.create('Users', { userName: 'popular' })).body;
  const answers = await times(50, (i) =>
    acme.patch('Users', id, [
      { op: 'add', path: 'emails', value: [{ value: `e${i}@example.com`, type: `t${i}` }] },
    ]),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.meta.version)).size).toBe(50);
  const { body } = await acme.read('Users', id);
  expect(body.emails).toHaveLength(50);
  expect(body.meta.version).toBe('W/"51"');
  await expectOneRecordPerVersion(id, 51);
});

test('A writer overtaken by a rename still returns 409, and one overtaken by a deletion 404.', async () => {
  const { id } = (await acme.create('Users', { userName: 'overtaken' })).body;
  await acme.create('Users', { userName: 'taken' });
  const answers = await Promise.all([
    ...(await times(10, async () =>
      acme.patch('Users', id, [{ op: 'replace', path: 'userName', value: 'TAKEN' }]),
    )),
    acme.patch('Users', id, [{ op: 'replace', path: 'title', value: 'x' }]),
  ]);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
  const late = await Promise.all([
    acme.remove('Users', id),
    ...Array.from({ length: 10 }, (_, i) =>
      acme.patch('Users', id, [{ op: 'replace', path: 'title', value: `y${i}` }]),
    ),
  ]);
  for (const { status } of late) expect([200, 204, 404]).toContain(status);
  expect((await acme.read('Users', id)).status).toBe(404);
  const events = await harness.sql(
    'SELECT type, version FROM directory.outbox_events WHERE subject = $1 ORDER BY version',
    [id],
  );
  expect(events.at(-1)?.type).toBe('user.deleted');
  expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
});

/**
 * Checks that every version has one event with its deliveries (to auth, provisioning and the graph's subscribers) and
 * one audit entry.
 */
async function expectOneRecordPerVersion(id: string, versions: number): Promise<void> {
  const all = Array.from({ length: versions }, (_, i) => i + 1);
  const events = await harness.sql(
    `SELECT e.version, count(d.*)::int AS deliveries FROM directory.outbox_events e
     JOIN directory.outbox_deliveries d ON d.event_id = e.id WHERE e.subject = $1 GROUP BY e.id ORDER BY e.version`,
    [id],
  );
  expect(events).toEqual(all.map((version) => ({ version, deliveries: 3 })));
  const audited = await harness.sql(
    'SELECT resource_version AS version FROM directory.audit_log WHERE resource_id = $1 ORDER BY 1',
    [id],
  );
  expect(audited.map(({ version }) => version)).toEqual(all);
}

test('Deleting users while they are added to groups neither fails nor leaves rows behind.', async () => {
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
