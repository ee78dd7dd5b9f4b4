import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { type SentStatement, sentDuring } from '@ostiary/database/testing';
import { currentRequestId, type RedisServer, uuidv7 } from '@ostiary/service';
import pg from 'pg';
import type { GrantContent } from '../../../src/access/grants/domain/grants.ts';
import { issueCode, publicClient, register, signedIn } from '../../support/running-auth.ts';
import { auth, backend, setUpTwoProcesses } from '../../support/two-processes.ts';

// Countable costs of an authorization code exchange, independent of clock and load. A change that increases a figure
// has to give the reason; a change that decreases one updates the figure here.

setUpTwoProcesses();

/** Number of concurrent exchanges. */
const several = 16;

let clientId: string;

beforeAll(async () => {
  clientId = (await register(auth, publicClient)).client.clientId;
});

async function exchange(): Promise<void> {
  const { form } = await issueCode(auth, clientId);
  expect((await auth.post('/t/demo/token', form)).status).toBe(200);
}

/** Returns the commands that requests send to Redis during the work. */
async function redisCommandsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const redis = auth.deps.redis as RedisServer;
  const { sendCommand } = redis;
  const commands: string[] = [];
  redis.sendCommand = (...call) => {
    if (currentRequestId() !== undefined) commands.push(call[0].name);
    return sendCommand.apply(redis, call);
  };
  try {
    await work();
  } finally {
    redis.sendCommand = sendCommand;
  }
  return commands;
}

test('A code exchange costs one statement, which is its own transaction, and one command of Redis.', async () => {
  // Fills the caches of the client, the keys and the tenant.
  await exchange();
  const { form } = await issueCode(auth, clientId);
  let statements: SentStatement[] = [];
  // The tenant is read into the cache at most once per second, independent of the number of requests.
  const ofTheTenant = (text: string) => text.includes('FROM "auth"."tenants"');
  const commands = await redisCommandsDuring(async () => {
    statements = await sentDuring(
      () => auth.post('/t/demo/token', form),
      () => currentRequestId() !== undefined,
    );
  });
  const own = statements.filter(({ text }) => !ofTheTenant(text));
  expect(own.map(({ text }) => /INSERT INTO ([\w.]+)/.exec(text)?.[1] ?? text)).toEqual(['auth.grants']);
  expect(commands).toEqual(['evalsha']);
});

/** Node of a plan, as EXPLAIN prints it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'WAL Records'?: number;
  'WAL Bytes'?: number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  Triggers: { 'Constraint Name'?: string; Calls: number }[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node: PlanNode): number => Math.round(node['Actual Rows'] * node['Actual Loops']);

interface Grant {
  content: GrantContent;
  family: { id: string; salt: Buffer; idleSeconds: number };
}

const grantOf = async (): Promise<Grant> => ({
  content: {
    ...(await signedIn(auth)),
    grantId: uuidv7(),
    clientId,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: ['openid', 'offline_access'],
    resources: [auth.issuer('demo')],
    authTime: 1_790_000_000,
    amr: ['pwd'],
  },
  family: { id: uuidv7(), salt: randomBytes(16), idleSeconds: 600 },
});

/** Returns the statement that opens these grants together. */
async function statementFor(grants: readonly Grant[]): Promise<SentStatement> {
  const sent = await sentDuring(
    () =>
      Promise.all(
        grants.map(({ content, family }) =>
          auth.deps.grantStore.open(content, { lifetimeSeconds: 600, family, notifiedOfLogout: false }),
        ),
      ),
    () => true,
  );
  const opening = sent.filter(({ text }) => text.includes('INSERT INTO auth.grants'));
  expect(opening).toHaveLength(1);
  return opening[0] as SentStatement;
}

/** Returns the same statement for grants that do not exist yet. */
function anew({ text, values }: SentStatement, grants: readonly Grant[]): SentStatement {
  const ids = new Map(
    grants.flatMap(({ content, family }) => [content.grantId, family.id]).map((id) => [id, uuidv7()]),
  );
  const renamed = (value: string): string =>
    [...ids].reduce((text, [id, other]) => text.replaceAll(id, other), value);
  return { text, values: values.map((value) => (typeof value === 'string' ? renamed(value) : value)) };
}

/** Returns the number of index entries per row in the tables of a grant, for rows of a session without an issuer. */
async function indexEntries(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ table: string; entries: number }>(
    `SELECT c.relname AS "table", count(*)::int AS entries FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'auth'::regnamespace
        AND coalesce(pg_get_expr(i.indpred, i.indrelid) <> '(trusted_issuer_id IS NOT NULL)', true) GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ table, entries }) => [table, entries]));
}

interface Cost {
  rows: number;
  indexEntries: number;
  rowLocks: number;
  foreignKeys: number;
  walRecords: number;
  walBytes: number;
}

/**
 * Measures the work of the statement. For the write-ahead log the minimum of several runs counts, because some runs
 * include a page split or a full-page image.
 */
async function costOf(count: number): Promise<Cost> {
  const grants = await Promise.all(Array.from({ length: count }, grantOf));
  const statement = await statementFor(grants);
  const client = new pg.Client({ connectionString: backend.databaseUrl });
  await client.connect();
  const entries = await indexEntries(client);
  let least: Cost | undefined;
  for (let run = 0; run < 8; run += 1) {
    const { text, values } = anew(statement, grants);
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${text}`,
      [...values],
    );
    const [explained] = (rows[0] as { 'QUERY PLAN': [Explained] })['QUERY PLAN'];
    const nodes = nodesOf(explained.Plan);
    const written = nodes
      .filter((node) => node['Node Type'] === 'ModifyTable')
      .map((node) => ({ table: node['Relation Name'] ?? '', rows: rowsOf(node.Plans?.[0] as PlanNode) }));
    const cost = {
      rows: written.reduce((sum, one) => sum + one.rows, 0),
      indexEntries: written.reduce((sum, one) => sum + one.rows * (entries[one.table] ?? Number.NaN), 0),
      // Of the user and the session.
      rowLocks:
        2 *
        nodes.filter((node) => node['Node Type'] === 'LockRows').reduce((sum, node) => sum + rowsOf(node), 0),
      foreignKeys: explained.Triggers.reduce((sum, trigger) => sum + trigger.Calls, 0),
      walRecords: explained.Plan['WAL Records'] ?? Number.NaN,
      walBytes: explained.Plan['WAL Bytes'] ?? Number.NaN,
    };
    if (least === undefined || cost.walRecords < least.walRecords) least = cost;
    else if (cost.walRecords === least.walRecords && cost.walBytes < least.walBytes) least = cost;
  }
  await client.end();
  return least as Cost;
}

/**
 * Records of the write-ahead log: one per row and index entry. Bytes: slightly above the measured value, because names
 * may be longer elsewhere.
 */
const log = { records: 9, bytes: 960 };

test('An exchange alone writes two rows and seven index entries, locks two rows and checks two foreign keys.', async () => {
  const { walRecords, walBytes, ...cost } = await costOf(1);
  expect(cost).toEqual({ rows: 2, indexEntries: 7, rowLocks: 2, foreignKeys: 2 });
  expect(walRecords).toBeLessThanOrEqual(log.records);
  expect(walBytes).toBeLessThanOrEqual(log.bytes);
});

test(`${several} concurrent exchanges are one statement, and each of them writes no more than a separate one.`, async () => {
  const { walRecords, walBytes, ...cost } = await costOf(several);
  expect(cost).toEqual({
    rows: 2 * several,
    indexEntries: 7 * several,
    rowLocks: 2 * several,
    foreignKeys: 2 * several,
  });
  expect(walRecords / several).toBeLessThanOrEqual(log.records);
  expect(walBytes / several).toBeLessThanOrEqual(log.bytes);
});
