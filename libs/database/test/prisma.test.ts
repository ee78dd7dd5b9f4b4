import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, isUniqueViolation } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { type Client, generatedClient, id } from './support/account.ts';
import { directory, schema, silent } from './support/fixture.ts';
import { proxyTo, type TcpProxy } from './support/proxy.ts';

let server: TestDatabase;
let proxy: TcpProxy;
let database: Database<Client>;

beforeAll(async () => {
  const prisma = await generatedClient();
  server = await createTestDatabase({ schema, directory });
  proxy = await proxyTo(server.url);
  database = createDatabase({
    url: proxy.url,
    schema,
    poolSize: 2,
    log: silent,
    prisma,
  });
});

afterAll(async () => {
  await database.close();
  await proxy.close();
  await server.drop();
});

test('Prisma and raw SQL see the same tables, in the schema that was named.', async () => {
  const moment = new Date('2026-02-03T04:05:06.789Z');
  const made = await database.prisma.account.create({
    data: {
      id: id(1),
      tenant: 'demo',
      name: 'first',
      balance: 5n,
      data: { a: 1 },
      tags: ['x'],
      createdAt: moment,
    },
  });
  expect(made).toMatchObject({ balance: 5n, createdAt: moment });
  const { rows } = await database.sql.query(
    'SELECT name, balance, data, tags, created_at FROM bank.accounts',
  );
  expect(rows).toEqual([{ name: 'first', balance: 5, data: { a: 1 }, tags: ['x'], created_at: moment }]);
});

test('Unique violations from Prisma are distinguished by constraint.', async () => {
  const error = await database.prisma.account
    .create({ data: { id: id(2), tenant: 'demo', name: 'first' } })
    .catch((e: unknown) => e);
  expect(isUniqueViolation(error, 'accounts_tenant_name_key')).toBe(true);
  expect(isUniqueViolation(error, 'accounts_pkey')).toBe(false);
});

test('Prisma answers 503 while the database is unavailable, and works when it is back.', async () => {
  proxy.cut();
  await expect(database.prisma.account.count()).rejects.toMatchObject({ statusCode: 503 });
  const interactive = database.prisma.$transaction((tx) => tx.account.count());
  await expect(interactive).rejects.toMatchObject({ statusCode: 503 });
  proxy.restore();
  expect(await database.prisma.account.count()).toBe(1);
});
