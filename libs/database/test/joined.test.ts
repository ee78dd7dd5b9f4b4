import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database, type Transaction } from '../src/index.ts';
import { createTestDatabase, statementsDuring, type TestDatabase } from '../src/testing.ts';
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
  database = createDatabase({ url: proxy.url, schema, poolSize: 4, log: silent, prisma });
});

afterAll(async () => {
  await database.close();
  await proxy.close();
  await server.drop();
});

beforeEach(() => database.sql.query('TRUNCATE bank.accounts'));

const names = async () => {
  const { rows } = await database.sql.query<{ name: string }>('SELECT name FROM bank.accounts ORDER BY name');
  return rows.map(({ name }) => name);
};

const backend = async (tx: Transaction<Client>) =>
  (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

const viaSql = (tx: Transaction<Client>, n: number, name: string) =>
  tx.query("INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, 'demo', $2)", [id(n), name]);

const viaPrisma = async (tx: Transaction<Client>, n: number, name: string) =>
  (await tx.prisma()).account.create({ data: { id: id(n), tenant: 'demo', name } });

describe('Prisma and raw SQL in one transaction', () => {
  test('Each reads the writes of the other, other transactions do not, and both are committed together.', async () => {
    await database.transaction(async (tx) => {
      await viaPrisma(tx, 1, 'by prisma');
      await viaSql(tx, 2, 'by sql');
      expect(await (await tx.prisma()).account.count()).toBe(2);
      expect((await tx.query('SELECT FROM bank.accounts')).rowCount).toBe(2);
      expect(await names()).toEqual([]);
    });
    expect(await names()).toEqual(['by prisma', 'by sql']);
  });

  test('Both are rolled back when the work fails in either of them.', async () => {
    const failures = [
      async () => {
        throw new Error('changed my mind');
      },
      (tx: Transaction<Client>) => viaSql(tx, 1, 'twice'),
      (tx: Transaction<Client>) => viaPrisma(tx, 1, 'twice'),
    ];
    for (const fail of failures) {
      const failing = database.transaction(async (tx) => {
        await viaPrisma(tx, 1, 'by prisma');
        await viaSql(tx, 2, 'by sql');
        await fail(tx);
      });
      await expect(failing).rejects.toThrow();
      expect(await names()).toEqual([]);
    }
  });

  test('An error of Prisma that was ignored does not count as a commit.', async () => {
    const failing = database.transaction(async (tx) => {
      await viaSql(tx, 1, 'first');
      await viaPrisma(tx, 1, 'second').catch(() => {});
    });
    await expect(failing).rejects.toThrow('was rolled back');
    expect(await names()).toEqual([]);
  });

  test('One transaction begins and ends on one connection, and Prisma’s own transactions are separate.', async () => {
    const sent = await statementsDuring(
      () =>
        database.transaction(async (tx) => {
          await viaPrisma(tx, 1, 'one');
          await viaSql(tx, 2, 'two');
        }),
      () => true,
    );
    expect(sent.filter((text) => /^(BEGIN|COMMIT|ROLLBACK)/.test(text))).toEqual(['BEGIN', 'COMMIT']);
    expect(await database.prisma.$transaction((client) => client.account.count())).toBe(2);
  });

  test('A transaction of the plain client within the work is a separate one.', async () => {
    const failing = database.transaction(async (tx) => {
      await viaPrisma(tx, 1, 'inside');
      await database.prisma.$transaction((client) =>
        client.account.create({ data: { id: id(2), tenant: 'demo', name: 'beside' } }),
      );
      throw new Error('only what is inside goes');
    });
    await expect(failing).rejects.toThrow('only what is inside');
    expect(await names()).toEqual(['beside']);
  });

  test('Concurrent statements run one after the other.', async () => {
    await database.transaction(async (tx) => {
      const prisma = await tx.prisma();
      await Promise.all([
        viaSql(tx, 1, 'a'),
        viaPrisma(tx, 2, 'b'),
        viaSql(tx, 3, 'c'),
        prisma.account.findUnique({ where: { id: id(1) } }),
        prisma.account.findUnique({ where: { id: id(2) } }),
      ]);
    });
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('Twenty concurrent transactions each keep their own connection, and every second one is rolled back.', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        database.transaction(async (tx) => {
          const before = await backend(tx);
          await viaPrisma(tx, n, `account ${String(n).padStart(2, '0')}`);
          await sleep(5);
          const prisma = await tx.prisma();
          // In a batch with concurrent queries of other transactions.
          expect((await prisma.account.findUnique({ where: { id: id(n) } }))?.tenant).toBe('demo');
          await tx.query('UPDATE bank.accounts SET balance = $1 WHERE id = $2', [n, id(n)]);
          expect(await backend(tx)).toBe(before);
          if (n % 2) throw new Error('odd');
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, n) => (n % 2 ? 'rejected' : 'fulfilled')),
    );
    const { rows } = await database.sql.query<{ balance: number }>(
      'SELECT balance FROM bank.accounts ORDER BY balance',
    );
    expect(rows.map(({ balance }) => balance)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  test('A serialization failure of Prisma runs the whole work again, including raw statements.', async () => {
    await database.transaction((tx) => viaSql(tx, 1, 'counter'));
    let runs = 0;
    const increment = () =>
      database.transaction(
        async (tx) => {
          runs += 1;
          const prisma = await tx.prisma();
          await prisma.account.findUnique({ where: { id: id(1) } });
          await sleep(20);
          await prisma.account.update({ where: { id: id(1) }, data: { balance: { increment: 1 } } });
          await tx.query('UPDATE bank.accounts SET balance = balance + 10 WHERE id = $1', [id(1)]);
        },
        { isolation: 'serializable' },
      );
    await Promise.all([increment(), increment(), increment()]);
    expect(runs).toBeGreaterThan(3);
    const { rows } = await database.sql.query('SELECT balance FROM bank.accounts');
    expect(rows).toEqual([{ balance: 33 }]);
  });

  test('Listeners are notified after the commit, and not at all without one.', async () => {
    const heard: string[] = [];
    const stop = await database.listen('bank_joined', (note) => heard.push(note));
    await database.transaction(async (tx) => {
      await viaPrisma(tx, 1, 'announced');
      tx.announce('bank_joined', 'made');
      await sleep(20);
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['made']);
    const failing = database.transaction(async (tx) => {
      tx.announce('bank_joined', 'never');
      await viaPrisma(tx, 1, 'twice');
    });
    await expect(failing).rejects.toThrow();
    expect(heard).toEqual(['made']);
    await stop();
  });

  test('A connection that is lost during a query of Prisma answers 503 and is discarded, and nothing is committed.', async () => {
    const lost = database.transaction(async (tx) => {
      await viaPrisma(tx, 1, 'lost');
      proxy.cut();
      await sleep(20);
      await viaPrisma(tx, 2, 'lost too');
    });
    await expect(lost).rejects.toMatchObject({ statusCode: 503 });
    proxy.restore();
    await database.ping();
    expect(await names()).toEqual([]);
    await database.transaction((tx) => viaPrisma(tx, 1, 'again'));
    expect(await names()).toEqual(['again']);
  });

  test('A commit whose response was lost is reported as possibly committed.', async () => {
    const lost = database.transaction(async (tx) => {
      await viaPrisma(tx, 1, 'perhaps');
      setImmediate(() => proxy.cut());
    });
    await expect(lost).rejects.toMatchObject({ statusCode: 503, commitUnknown: true });
    proxy.restore();
    await database.ping();
  });

  test('A client that is used after its transaction has ended sends nothing.', async () => {
    let escaped: Transaction<Client> | undefined;
    let client: Awaited<ReturnType<Transaction<Client>['prisma']>> | undefined;
    await database.transaction(async (tx) => {
      escaped = tx;
      client = await tx.prisma();
    });
    await expect(client?.account.count()).rejects.toThrow(/transaction/i);
    await expect(escaped?.prisma()).rejects.toThrow('has ended');
  });

  test('Outside of a transaction, the plain client is returned.', async () => {
    expect(await database.sql.prisma()).toBe(database.prisma);
  });
});
