import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createDatabase, type Database } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { type Client, generatedClient, id } from './support/account.ts';
import { directory, schema, silent } from './support/fixture.ts';

let server: TestDatabase;
let database: Database<Client>;

beforeAll(async () => {
  const prisma = await generatedClient();
  server = await createTestDatabase({ schema, directory });
  database = createDatabase({ url: server.url, schema, poolSize: 5, log: silent, prisma });
});

afterAll(async () => {
  await database.close();
  await server.drop();
});

beforeEach(async () => {
  await database.sql.query('TRUNCATE bank.accounts');
  for (const n of [1, 2]) {
    await database.sql.query('INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, $2, $3)', [
      id(n),
      'demo',
      `account ${n}`,
    ]);
  }
});

const waiting = async (): Promise<number> => {
  const { rows } = await database.sql.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
};

const deadlocks = async (): Promise<number> => {
  const { rows } = await database.sql.query<{ deadlocks: number }>(
    'SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
};

/**
 * Runs a statement that locks the second account and then the first, while a transaction locks them in the other order.
 */
async function asVictim<T>(statement: () => Promise<T>): Promise<T> {
  const before = await deadlocks();
  let running: Promise<T> | undefined;
  await database.transaction(async (tx) => {
    await tx.query('UPDATE bank.accounts SET balance = balance + 1 WHERE id = $1', [id(1)]);
    running ??= statement();
    await eventually(async () => (await waiting()) !== 0);
    // The longer waiting one checks for a deadlock first, and is ended.
    await sleep(100);
    await tx.query('UPDATE bank.accounts SET balance = balance + 1 WHERE id = $1', [id(2)]);
  });
  const result = await (running as Promise<T>);
  await eventually(deadlocks, (count) => count !== before);
  return result;
}

const inTheOtherOrder = `UPDATE bank.accounts a SET balance = a.balance + 10
  FROM (SELECT id FROM bank.accounts ORDER BY id DESC FOR UPDATE) AS held WHERE a.id = held.id`;

test('A statement that is its own transaction and the victim of a deadlock is repeated once.', async () => {
  expect(await asVictim(() => database.sql.query(inTheOtherOrder))).toMatchObject({ rowCount: 2 });
  const { rows } = await database.sql.query('SELECT balance FROM bank.accounts');
  expect(rows).toEqual([{ balance: 11 }, { balance: 11 }]);
});

// A statement of Prisma starts when it is awaited, for example as the result of an async function.
test('A statement that Prisma sends outside of a transaction is repeated in the same way.', async () => {
  expect(await asVictim(async () => database.prisma.$executeRawUnsafe(inTheOtherOrder))).toBe(2);
  const { rows } = await database.sql.query('SELECT balance FROM bank.accounts');
  expect(rows).toEqual([{ balance: 11 }, { balance: 11 }]);
});

test('A statement that PostgreSQL rejects for another reason is not repeated.', async () => {
  const refused = database.sql.query('INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, $2, $3)', [
    id(1),
    'demo',
    'again',
  ]);
  await expect(refused).rejects.toMatchObject({ code: '23505' });
});

test('A prepared statement survives a change of the type of a column that it reads, with and without a transaction.', async () => {
  await database.sql.query('CREATE TABLE bank.changing (amount integer)');
  await database.sql.query('INSERT INTO bank.changing VALUES (7)');
  const text = 'SELECT amount FROM bank.changing WHERE amount = $1';
  const read = async () => (await database.sql.query<{ amount: unknown }>(text, [7])).rows[0]?.amount;
  const readTogether = () => Promise.all(Array.from({ length: 5 }, read));
  for (let round = 0; round < 4; round += 1) await readTogether();
  await database.sql.query('ALTER TABLE bank.changing ALTER COLUMN amount TYPE numeric');
  const inTransaction = database.transaction(
    async (tx) => (await tx.query<{ amount: unknown }>(text, [7])).rows,
  );
  expect(await Promise.all([inTransaction, readTogether()])).toEqual([
    [{ amount: '7' }],
    ['7', '7', '7', '7', '7'],
  ]);
  for (let round = 0; round < 4; round += 1) expect(await readTogether()).toEqual(Array(5).fill('7'));
});
