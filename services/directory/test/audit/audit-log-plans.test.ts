import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditLog } from '../../src/audit/data/audit-log.ts';
import type { AuditFilter } from '../../src/audit/domain/audit-log.ts';
import { type Harness, startDirectory } from '../support/harness.ts';
import { clientOf, explained, nodes, rowsReadFrom } from '../support/plans.ts';

/** Number of entries of a tenant: one per quarter of an hour, for a year. */
const many = 35_000;
const begin = Date.parse('2025-01-01T00:00:00Z');
const quarter = 900_000;
const at = (entry: number): Date => new Date(begin + entry * quarter);
/** Entries with an address and a client that hardly any other entry has. */
const rare = [5, 10_005, 20_005, 30_005];
/** Maximum number of entries that a count examines here. */
const most = 2_000;

let harness: Harness;
let acme: string;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  harness = await startDirectory();
  client = clientOf(harness.databaseUrl);
  acme = await harness.tenant();
  for (const tenant of [await harness.tenant(), acme]) {
    await harness.sql(
      `INSERT INTO directory.audit_log (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id, resource_version, changes,
         address, client_id, request_id, trace_id)
       SELECT $1, (lpad(to_hex($3::bigint + n * $4::bigint), 12, '0') || '7' || substr(md5($1 || n), 1, 3) || '8' || substr(md5($1 || n), 4, 15))::uuid,
         to_timestamp(($3::bigint + n * $4::bigint) / 1000.0), '{"kind":"client","id":"app"}', 'app',
         CASE WHEN n % 10000 = 5 THEN 'user.deleted' ELSE 'user.updated' END, 'User', 'user ' || n % 1000, 1, '{}',
         CASE WHEN n % 10000 = 5 THEN '192.0.2.77' ELSE '192.0.2.2' END, CASE WHEN n % 10000 = 5 THEN 'rare' WHEN n % 2 = 0 THEN 'console' END,
         'request ' || n, CASE WHEN n % 1000 = 5 THEN 'trace ' || n END
       FROM generate_series(0, $2::int - 1) n`,
      [tenant, many, begin, quarter],
    );
  }
  // Samples every row, including the few rare ones. Without them all indexes would have the same estimated cost.
  await harness.sql('ALTER TABLE directory.audit_log ALTER address SET STATISTICS 1000');
  await harness.sql('VACUUM ANALYZE directory.audit_log');
});
afterAll(async () => {
  await client.close();
  await harness.stop();
});

describe.each(['force_custom_plan', 'force_generic_plan'] as const)(
  'Query plans of the audit log (%s)',
  (mode) => {
    const reading = () => {
      const { sql, plans } = explained(harness.database, mode);
      const both = { ...sql, prisma: () => client.through(sql.query) };
      return { log: new AuditLog(both, acme), plans, read: () => rowsReadFrom('audit_log', plans) };
    };

    test('Audit log entries of a period are found by their time, at any position in the log.', async () => {
      for (const first of [100, many / 2, many - 200]) {
        const { log, plans, read } = reading();
        const filter = { since: at(first), until: at(first + 40) };
        const page = await log.page(filter, { limit: 100, direction: 'forward' });
        expect(page.map(({ occurredAt }) => occurredAt)).toEqual(
          Array.from({ length: 40 }, (_, index) => at(first + 39 - index)),
        );
        expect(await log.count(filter)).toEqual({ total: 40, isExact: true });
        expect(plans).toHaveLength(2);
        for (const scan of plans.flatMap(nodes).filter((node) => node['Relation Name'] === 'audit_log')) {
          expect(scan['Node Type']).not.toBe('Seq Scan');
        }
        // Twice the number of entries, with an hour before and after.
        expect(read()).toBeLessThanOrEqual(2 * (40 + 2 * 4));
      }
    });

    test('A page of the audit log since one time, or until one, reads no further than the page.', async () => {
      const { log, read } = reading();
      expect(await log.page({ since: at(10) }, { limit: 20, direction: 'forward' })).toHaveLength(20);
      expect(await log.page({ until: at(many / 2) }, { limit: 20, direction: 'forward' })).toHaveLength(20);
      expect(read()).toBeLessThanOrEqual(2 * 20 + 4);
    });

    test('The audit log is counted only up to the maximum, for any filter.', async () => {
      for (const filter of [{}, { actorId: 'app' }, { since: at(100) }, { action: 'user.updated' }]) {
        const { log, read } = reading();
        expect(await log.count(filter, most)).toEqual({ total: most, isExact: false });
        expect(read()).toBeLessThanOrEqual(most + 5);
      }
      for (const filter of [{ action: 'user.deleted' }, { source: 'none' }, { onBehalfOf: 'nobody' }]) {
        const { log, read } = reading();
        const { total, isExact } = await log.count(filter, most);
        expect({ isExact, few: total <= 1 }).toEqual({ isExact: false, few: true });
        expect(read()).toBeLessThanOrEqual(most + 1);
      }
    });

    test('The audit log is counted exactly where an id has few entries, or the total is below the maximum.', async () => {
      const { log, read } = reading();
      expect(await log.count({ resourceId: 'user 7' }, most)).toEqual({ total: 35, isExact: true });
      expect(await log.count({ resourceId: 'user 5', action: 'user.deleted' }, most)).toEqual({
        total: 4,
        isExact: true,
      });
      expect(read()).toBeLessThanOrEqual(70);
      // The one more is the entry of the tenant itself, made today. An hour before counts as examined.
      const since = at(many - most + 10);
      expect(await log.count({ since }, most)).toEqual({ total: most - 10 + 1, isExact: true });
    });

    test.each<[string, AuditFilter, number[]]>([
      ['an address', { ipAddress: '192.0.2.77' }, rare],
      ['an address by its former name', { address: '192.0.2.77' }, rare],
      ['an app', { clientId: 'rare' }, rare],
      ['a request', { requestId: 'request 4711' }, [4711]],
      ['a trace', { traceId: 'trace 3005' }, [3005]],
      ['an address and an action', { ipAddress: '192.0.2.77', action: 'user.deleted' }, rare],
      ['an address that nothing came from', { ipAddress: '192.0.2.1' }, []],
      ['a trace that there isn’t', { traceId: 'none' }, []],
    ])(
      'A filter by %s finds its entries past all others, and counts them exactly.',
      async (_what, filter, expected) => {
        const { log, read } = reading();
        const page = await log.page(filter, { limit: 20, direction: 'forward' });
        expect(page.map(({ occurredAt }) => occurredAt)).toEqual([...expected].reverse().map(at));
        expect(await log.count(filter, most)).toEqual({ total: expected.length, isExact: true });
        expect(read()).toBeLessThanOrEqual(2 * expected.length);
      },
    );

    test('The audit log of an origin that all entries share is paged like the whole log, and counted up to the maximum.', async () => {
      const { log, read } = reading();
      const filter = { ipAddress: '192.0.2.2' };
      expect(await log.page(filter, { limit: 20, direction: 'forward' })).toHaveLength(20);
      expect(await log.count(filter, most)).toEqual({ total: most, isExact: false });
      expect(read()).toBeLessThanOrEqual(20 + most + 10);
    });
  },
);

test('A clock that is corrected while entries are written hides no entry of the audit log.', async () => {
  const tenant = await harness.tenant();
  const log = new AuditLog(harness.database.sql, tenant);
  const entry = {
    actor: { kind: 'client' as const, id: 'app' },
    action: 'user.updated' as const,
    resourceType: 'User',
    resourceId: 'someone',
    resourceVersion: 1,
    changes: {},
  };
  const now = Date.now();
  await log.append([
    { ...entry, occurredAt: new Date(now - 1_800_000) },
    { ...entry, occurredAt: new Date(now + 1_800_000) },
  ]);
  const found = (filter: object) =>
    log.count({ ...filter, resourceId: 'someone' }).then(({ total }) => total);
  expect(await found({ since: new Date(now) })).toBe(1);
  expect(await found({ until: new Date(now) })).toBe(1);
  expect(await found({ since: new Date(now - 2_000_000), until: new Date(now + 2_000_000) })).toBe(2);
});
