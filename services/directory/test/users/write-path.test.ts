import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { Probe } from '../support/probe.ts';

const probe = new Probe();
let harness: Harness;
let acme: TenantClient;

beforeAll(async () => {
  harness = await startDirectory({ wrap: (database) => probe.on(database) });
  acme = tenantClient(harness, await harness.tenant());
  // Warms the queries that run once a tenant and once a process.
  await acme.create('Users', { userName: 'first' });
});
afterAll(() => harness.stop());

/** Returns the statements of a piece of work, including BEGIN and COMMIT. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  probe.take();
  await work();
  return probe.take().map(({ text }) => text);
}

describe('Statements of user changes', () => {
  test('A user is created by one statement, together with its audit entry and event.', async () => {
    const statements = await statementsOf(() => acme.create('Users', { userName: 'one statement' }));
    expect(statements).toHaveLength(1);
    for (const table of ['users', 'audit_log', 'outbox_events', 'outbox_deliveries']) {
      expect(statements[0]).toContain(`INSERT INTO directory.${table}`);
    }
  });

  test('A user is changed by two statements: one reads the old state, the other writes the new one.', async () => {
    const { id } = (await acme.create('Users', { userName: 'two statements' })).body;
    const operations = [{ op: 'replace', path: 'displayName', value: 'Two' }];
    expect(await statementsOf(() => acme.patch('Users', id, operations))).toHaveLength(2);
    expect(await statementsOf(() => acme.replace('Users', id, { userName: 'two statements' }))).toHaveLength(
      2,
    );
  });

  test('A user is read by one statement with all groups, and many concurrent readers share one.', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => (await acme.create('Users', { userName: `reader ${i}` })).body.id,
      ),
    );
    await acme.create('Groups', { displayName: 'Readers', members: ids.map((value) => ({ value })) });
    expect(await statementsOf(() => acme.read('Users', ids[0]))).toHaveLength(1);
    let answers: Json[] = [];
    const statements = await statementsOf(async () => {
      answers = await Promise.all(ids.map((id) => acme.read('Users', id)));
    });
    expect(answers.map(({ body }) => [body.id, body.groups[0].display])).toEqual(
      ids.map((id) => [id, 'Readers']),
    );
    expect(statements.length).toBeLessThan(20);
  });

  test('A user of one tenant is never returned to another, even when both request at the same time.', async () => {
    const rival = tenantClient(harness, await harness.tenant());
    const mine = (await acme.create('Users', { userName: 'same' })).body.id;
    const theirs = (await rival.create('Users', { userName: 'same' })).body.id;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [
        acme.read('Users', mine),
        acme.read('Users', theirs),
        rival.read('Users', mine),
        rival.read('Users', theirs),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => [200, 404, 404, 200]).flat(),
    );
  });

  test('A user whose creation is rejected leaves no rows behind.', async () => {
    const count = () =>
      harness.sql(`SELECT (SELECT count(*) FROM directory.outbox_events) AS events,
        (SELECT count(*) FROM directory.outbox_deliveries) AS deliveries,
        (SELECT count(*) FROM directory.audit_log) AS entries`);
    const before = await count();
    expect((await acme.create('Users', { userName: 'FIRST' })).status).toBe(409);
    expect(await count()).toEqual(before);
  });
});

describe('Statements of membership changes', () => {
  const members = 100_000;

  /** Creates a group whose members are rows without users: it measures the rows that a change of one reads. */
  async function crowd(size: number): Promise<string> {
    const { id } = (await acme.create('Groups', { displayName: `Crowd of ${size}` })).body;
    await harness.database.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = 'replica'`);
      await tx.query(
        `INSERT INTO directory.user_memberships (tenant, group_id, member_id)
         SELECT $1, $2::uuid, gen_random_uuid() FROM generate_series(1, $3::int)`,
        [acme.tenant, id, size],
      );
    });
    return id;
  }

  const change = (op: 'add' | 'remove', group: string, member: string) => () =>
    acme.patch(
      'Groups',
      group,
      [
        op === 'add'
          ? { op, path: 'members', value: [{ value: member }] }
          : { op, path: `members[value eq "${member}"]` },
      ],
      { attributes: ['id', 'meta'] },
    );

  async function costOf(
    work: () => Promise<unknown>,
  ): Promise<{ buffers: number; scanned: number; statements: number }> {
    const answer = await probe.explaining(work);
    expect(answer).toMatchObject({ status: 200 });
    const seen = probe.take();
    return {
      buffers: seen.reduce((sum, { buffers = 0 }) => sum + buffers, 0),
      scanned: seen.reduce((sum, { rows = 0 }) => sum + rows, 0),
      statements: seen.length,
    };
  }

  test(`A member is added to and removed from a group of ${members} at the cost of one of ten.`, async () => {
    const [small, large] = [await crowd(10), await crowd(members)];
    await harness.sql('VACUUM ANALYZE directory.user_memberships');
    const member = (await acme.create('Users', { userName: 'joiner' })).body.id;
    for (const op of ['add', 'remove'] as const) {
      const of10 = await costOf(change(op, small, member));
      const ofMany = await costOf(change(op, large, member));
      expect(ofMany.statements).toBe(of10.statements);
      // Every row that any step of any statement has returned: the same for any size.
      expect(ofMany.scanned).toBe(of10.scanned);
      // Pages: an index of 100,000 may be a level or two deeper.
      expect(ofMany.buffers).toBeLessThanOrEqual(of10.buffers * 1.25 + 5);
    }
  });

  test('A member who stays in a replacement is not written, because only the difference is.', async () => {
    const ids: string[] = await Promise.all(
      ['a', 'b', 'c', 'd'].map(
        async (name) => (await acme.create('Users', { userName: `stays ${name}` })).body.id,
      ),
    );
    const [a, b, c, d] = ids.map((value) => ({ value }));
    const { id } = (await acme.create('Groups', { displayName: 'Difference', members: [a, b, c] })).body;
    const rows = () =>
      harness.sql(
        'SELECT member_id, xmin::text, xmax::text FROM directory.user_memberships WHERE group_id = $1',
        [id],
      );
    const before = await rows();
    await acme.patch('Groups', id, [{ op: 'replace', path: 'members', value: [b, c, d] }]);
    const after = await rows();
    for (const kept of [b, c]) {
      const row = (list: Json[]) => list.find(({ member_id }) => member_id === kept?.value);
      expect(row(after)).toEqual(row(before));
    }
    expect(after.map(({ member_id }) => member_id).sort()).toEqual([b, c, d].map((m) => m?.value).sort());
    const [event] = await harness.sql(
      'SELECT payload FROM directory.outbox_events WHERE subject = $1 ORDER BY version DESC LIMIT 1',
      [id],
    );
    expect(event.payload).toMatchObject({ membersAdded: [d?.value], membersRemoved: [a?.value] });
  });

  test('A member who is added or removed makes a new version of the group.', async () => {
    const member = (await acme.create('Users', { userName: 'etag' })).body.id;
    const { id } = (await acme.create('Groups', { displayName: 'ETags' })).body;
    const seen = [];
    for (const op of ['add', 'remove', 'remove', 'add'] as const) {
      await change(op, id, member)();
      seen.push((await acme.read('Groups', id, '?attributes=meta')).body.meta.version);
    }
    expect(seen).toEqual(['W/"2"', 'W/"3"', 'W/"3"', 'W/"4"']);
  });

  test('A member who is deleted leaves 300 groups, each a version newer, in a constant number of statements.', async () => {
    const join = async (userName: string, groups: number) => {
      const { id } = (await acme.create('Users', { userName })).body;
      await harness.sql(
        `WITH made AS (
           INSERT INTO directory.groups (tenant, id, display_name, display_name_key, data, folded, created_at, updated_at)
           SELECT $1, gen_random_uuid(), $3 || n, $3 || n, jsonb_build_object('displayName', $3 || n), '{}', now(), now()
           FROM generate_series(1, $4::int) n RETURNING id)
         INSERT INTO directory.user_memberships (tenant, group_id, member_id) SELECT $1, id, $2::uuid FROM made`,
        [acme.tenant, id, `${userName} `, groups],
      );
      return id as string;
    };
    const [few, many] = [await join('leaver of 3', 3), await join('leaver of 300', 300)];
    const ofFew = await statementsOf(() => acme.remove('Users', few));
    const ofMany = await statementsOf(() => acme.remove('Users', many));
    expect(ofMany.length).toBe(ofFew.length);
    const [left] = await harness.sql(
      `SELECT count(*)::int AS groups, min(version) AS least, max(version) AS most FROM directory.groups
       WHERE display_name LIKE 'leaver of 300 %'`,
    );
    expect(left).toEqual({ groups: 300, least: 2, most: 2 });
    const events = await harness.sql(
      `SELECT count(*)::int AS n FROM directory.outbox_events
       WHERE type = 'group.updated' AND payload -> 'membersRemoved' ? $1`,
      [many],
    );
    expect(events).toEqual([{ n: 300 }]);
  });
});
