import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, isUniqueViolation } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { type Client, generatedClient, id } from './support/account.ts';
import { directory, schema, silent } from './support/fixture.ts';

let server: TestDatabase;
let database: Database<Client>;

beforeAll(async () => {
  const prisma = await generatedClient();
  server = await createTestDatabase({ schema, directory });
  database = createDatabase({ url: server.url, schema, poolSize: 2, log: silent, prisma });
});

afterAll(async () => {
  await database.close();
  await server.drop();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );

test('A condition that is undefined is an error, not an absent condition.', async () => {
  const { account } = database.prisma;
  await account.create({ data: { id: id(1), tenant: 'demo', name: 'first' } });
  const lacking = { tenant: undefined as unknown as string };
  await expect(account.findMany({ where: lacking })).rejects.toThrow('undefined');
  await expect(account.deleteMany({ where: lacking })).rejects.toThrow('undefined');
  await expect(account.deleteMany({ where: { OR: [{ name: 'x' }, lacking] } })).rejects.toThrow('undefined');
  await expect(account.findMany({ where: undefined })).rejects.toThrow('undefined');
  const inTransaction = database.transaction(async (tx) =>
    (await tx.prisma()).account.deleteMany({ where: { id: { in: [id(1)] }, ...lacking } }),
  );
  await expect(inTransaction).rejects.toThrow('undefined');
  expect(await account.count()).toBe(1);
});

test('An undefined value in written data is not written.', async () => {
  const { account } = database.prisma;
  const data = { a: 1, b: undefined };
  await account.create({ data: { id: id(5), tenant: 'demo', name: 'partial', data } });
  expect((await account.findUnique({ where: { id: id(5) } }))?.data).toEqual({ a: 1 });
});

test('Each of several rows that are requested concurrently is found, with ids in any notation.', async () => {
  const { account } = database.prisma;
  const upper = 'ABCDEF00-0000-7000-8000-00000000000A';
  await account.create({ data: { id: upper, tenant: 'demo', name: 'upper' } });
  const look = (client: Pick<Client, 'account'>) =>
    Promise.all(
      [upper, upper.toLowerCase(), id(1)].map((one) => client.account.findUnique({ where: { id: one } })),
    );
  const names = ['upper', 'upper', 'first'];
  expect((await look(database.prisma)).map((row) => row?.name)).toEqual(names);
  const inTransaction = await database.transaction(async (tx) => look(await tx.prisma()));
  expect(inTransaction.map((row) => row?.name)).toEqual(names);
});

test('No error of Prisma or of raw SQL repeats the values of the call.', async () => {
  const secret = 'jane.secret@example.com';
  const { account } = database.prisma;
  await account.create({ data: { id: id(2), tenant: 'demo', name: secret } });
  const taken = { id: id(3), tenant: 'demo', name: secret };
  const failures: Record<string, () => Promise<unknown>> = {
    'a taken name': () => account.create({ data: taken }),
    'a taken name in SQL': () =>
      database.sql.query('INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, $2, $3)', [
        id(3),
        'demo',
        secret,
      ]),
    'an unknown operator': () => account.findMany({ where: { name: { like: secret } } }),
    'an object for a text': () =>
      account.create({ data: { ...taken, name: { secret } as unknown as string } }),
    'an undefined condition': () => account.findMany({ where: { name: secret, id: undefined } }),
    'what is no UUID': () => account.findMany({ where: { id: secret } }),
    'what is no UUID in SQL': () => database.sql.query('SELECT $1::uuid', [secret]),
    'what is no number in SQL': () => database.sql.query(`SELECT $1::text::int`, [`\n    at ${secret}`]),
    'what is no UUID in a transaction': () =>
      database.transaction(async (tx) => (await tx.prisma()).account.findMany({ where: { id: secret } })),
    'a text with a zero byte': () => account.create({ data: { ...taken, name: `\0${secret}` } }),
    'a row that is not there': () => account.update({ where: { id: id(9) }, data: { name: secret } }),
  };
  for (const [what, fail] of Object.entries(failures)) {
    const error = await failureOf(fail());
    expect(error).toBeInstanceOf(Error);
    const whole = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
    expect([what, whole.includes('secret@')]).toEqual([what, false]);
  }
  // The identifying fields remain.
  const violation = await failureOf(account.create({ data: taken }));
  expect(isUniqueViolation(violation, 'accounts_tenant_name_key')).toBe(true);
});
