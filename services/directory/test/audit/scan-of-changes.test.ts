import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, scanPage } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { createLog } from '@ostiary/service';
import { scans } from '../../src/database/data/invariants.ts';
import { PrismaClient } from '../../src/database/generated/client.ts';
import { migrations } from '../support/harness.ts';
import { explained, nodes, type Plan } from '../support/plans.ts';

const changes = 2_000;
let migrated: TestDatabase;
let database: Database<PrismaClient>;

beforeAll(async () => {
  migrated = await createTestDatabase({ schema: 'directory', directory: migrations });
  database = createDatabase({
    url: migrated.url,
    schema: 'directory',
    log: createLog('test', 'silent'),
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
});
afterAll(async () => {
  await database?.close();
  await migrated?.drop();
});

/** Returns the number of rows that a node of the plan read. */
const rowsOf = (node: Plan): number => {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = node;
  return (node['Actual Rows'] + filtered + unjoined) * node['Actual Loops'];
};

test('The audit of the events of a user reads each of the many changes of that user once, also without statistics.', async () => {
  const numbers = `generate_series(1, ${changes}) n`;
  await database.sql.query(
    `INSERT INTO directory.outbox_events (id, tenant, type, subject, version, payload, actor)
     SELECT gen_random_uuid(), 'demo', 'user.updated', 'one', n, '{}', '{}' FROM ${numbers}`,
  );
  await database.sql.query(
    `INSERT INTO directory.audit_log
       (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id, resource_version, changes)
     SELECT 'demo', gen_random_uuid(), now(), '{}', 'admin', 'update', 'User', 'one', n, '[]' FROM ${numbers}`,
  );
  const scan = scans(60).find(({ name }) => name === 'changes and their events');
  if (scan === undefined) throw new Error('there is no such scan');
  const { sql, plans } = explained(database, 'force_custom_plan');
  expect(await scanPage(sql, scan, undefined, changes)).toMatchObject({ looked: changes, flaws: [] });
  expect(Math.max(...plans.flatMap(nodes).map(rowsOf))).toBeLessThan(3 * changes);
});
