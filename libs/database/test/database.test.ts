import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  connectReadOnly,
  type Database,
  DatabaseUnavailable,
  isUniqueViolation,
  sqlState,
} from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { directory, open, schema } from './support/fixture.ts';
import { proxyTo, type TcpProxy } from './support/proxy.ts';

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

let server: TestDatabase;
let database: Database<undefined>;

beforeAll(async () => {
  server = await createTestDatabase({ schema, directory });
  database = open(server.url);
});

afterAll(async () => {
  await database.close();
  await server.drop();
});

beforeEach(() => database.sql.query('TRUNCATE bank.accounts'));

const insert = (n: number, name = `account ${n}`, tenant = 'demo') =>
  database.sql.query('INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, $2, $3)', [
    id(n),
    tenant,
    name,
  ]);

/** Waits for the condition, and then 50 ms longer for surplus notifications. */
async function settled(holds: () => boolean): Promise<void> {
  await eventually(holds);
  await sleep(50);
}

describe('raw SQL', () => {
  test('Raw SQL reads numbers on a read-only connection as on any other.', async () => {
    const connection = await connectReadOnly(server.url, { statementTimeoutMs: 5_000 });
    try {
      const { rows } = await connection.query('SELECT 7::int8 AS version, ARRAY[1, 2]::int8[] AS list');
      expect(rows).toEqual([{ version: 7, list: [1, 2] }]);
    } finally {
      await connection.close();
    }
  });

  test('Raw SQL reads every type the services use in the documented form.', async () => {
    const { rows, rowCount } = await database.sql.query(`
      SELECT 7::int8 AS small, 9223372036854775807::int8 AS large, ARRAY[1, 2]::int8[] AS list,
             1.5::numeric AS exact, '{"a": [1]}'::jsonb AS json, '2026-02-03'::date AS day, '\\x01'::bytea AS bytes,
             '2026-02-03T04:05:06.789Z'::timestamptz AS moment, '42'::xid8 AS xid, '${id(1)}'::uuid AS uuid,
             ARRAY['${id(1)}']::uuid[] AS uuids, NULL::int8 AS none`);
    expect(rowCount).toBe(1);
    expect(rows).toEqual([
      {
        small: 7,
        large: '9223372036854775807',
        list: [1, 2],
        exact: '1.5',
        json: { a: [1] },
        day: '2026-02-03',
        bytes: Buffer.from([1]),
        moment: new Date('2026-02-03T04:05:06.789Z'),
        xid: '42',
        uuid: id(1),
        uuids: [id(1)],
        none: null,
      },
    ]);
  });

  test('A statement that runs too long is ended and answers 503.', async () => {
    const impatient = open(server.url, 1);
    const { rows } = await impatient.sql.query<{ timeout: string }>(
      "SELECT current_setting('statement_timeout') AS timeout",
    );
    expect(rows).toEqual([{ timeout: '30s' }]);
    const failure = impatient.transaction(async (tx) => {
      await tx.query('SET LOCAL statement_timeout = 20');
      await tx.query('SELECT pg_sleep(5)');
    });
    await expect(failure).rejects.toMatchObject({ name: 'DatabaseUnavailable', statusCode: 503 });
    await expect(impatient.ping()).resolves.toBeUndefined();
    await impatient.close();
  });

  test('A failed statement does not cost the connection.', async () => {
    const single = open(server.url, 1);
    const backend = async () =>
      (await single.sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    const before = await backend();
    await expect(single.sql.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    expect(await backend()).toBe(before);
    await single.close();
  });

  test('Unique violations of raw SQL are distinguished by constraint.', async () => {
    await insert(1, 'same');
    const error = await insert(2, 'same').catch((e: unknown) => e);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'accounts_tenant_name_key')).toBe(true);
    expect(isUniqueViolation(error, 'accounts_pkey')).toBe(false);
    expect(isUniqueViolation(new Error('no'))).toBe(false);
    expect(isUniqueViolation(undefined)).toBe(false);
  });
});

describe('transactions', () => {
  test('Transactions commit completely or leave nothing.', async () => {
    await database.transaction((tx) =>
      tx.query("INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, 'demo', 'kept')", [id(1)]),
    );
    const failure = database.transaction(async (tx) => {
      await tx.query("INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, 'demo', 'gone')", [id(2)]);
      throw new Error('changed my mind');
    });
    await expect(failure).rejects.toThrow('changed my mind');
    const { rows } = await database.sql.query('SELECT name FROM bank.accounts');
    expect(rows).toEqual([{ name: 'kept' }]);
  });

  test('All of 20 increments that conflict at isolation level serializable count.', async () => {
    await insert(1);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        // More concurrent transactions than attempts can still fail; callers retry under such load.
        for (let done = false; !done; ) {
          done = await database
            .transaction(
              async (tx) => {
                const { rows } = await tx.query<{ balance: number }>('SELECT balance FROM bank.accounts');
                await tx.query('UPDATE bank.accounts SET balance = $1', [(rows[0]?.balance ?? 0) + 1]);
                return true;
              },
              { isolation: 'serializable' },
            )
            .catch((error: unknown) => {
              expect(sqlState(error)).toBe('40001');
              return false;
            });
        }
      }),
    );
    const { rows } = await database.sql.query('SELECT balance FROM bank.accounts');
    expect(rows).toEqual([{ balance: 20 }]);
  });

  test('A deadlock ends with both transactions committed.', async () => {
    await insert(1);
    await insert(2);
    const both = Promise.withResolvers<void>();
    let entered = 0;
    const lock = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await tx.query('UPDATE bank.accounts SET balance = balance + 1 WHERE id = $1', [id(first)]);
        entered += 1;
        if (entered === 2) both.resolve();
        await both.promise;
        await tx.query('UPDATE bank.accounts SET balance = balance + 1 WHERE id = $1', [id(second)]);
      });
    await Promise.all([lock(1, 2), lock(2, 1)]);
    const { rows } = await database.sql.query('SELECT balance FROM bank.accounts');
    expect(rows).toEqual([{ balance: 2 }, { balance: 2 }]);
  });

  test('A transaction whose error was ignored does not count as committed.', async () => {
    const failure = database.transaction(async (tx) => {
      await tx.query('SELECT 1/0').catch(() => {});
    });
    await expect(failure).rejects.toThrow('was rolled back');
  });

  test('Concurrent statements of a transaction run one after the other.', async () => {
    const answers = await database.transaction((tx) =>
      Promise.all([1, 2, 3].map((n) => tx.query<{ n: number }>('SELECT $1::int AS n', [n]))),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
  });

  test('A statement that was not awaited cannot run for the next user of the connection.', async () => {
    let escaped: Promise<unknown> | undefined;
    let late = () => {};
    await database.transaction(async (tx) => {
      late = () => {
        escaped = tx.query('SELECT 1').catch((error: Error) => error.message);
      };
    });
    late();
    expect(await escaped).toMatch('has ended');
  });
});

describe('notifications', () => {
  test('An announcement reaches listeners after the commit, and only then.', async () => {
    const heard: string[] = [];
    const stop = await database.listen('bank_news', () => heard.push('here'));
    const other = open(server.url);
    const stopOther = await other.listen('bank_news', () => heard.push('elsewhere'));

    await database.transaction(async (tx) => {
      tx.announce('bank_news');
      await sleep(30);
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['here']);

    await database
      .transaction(async (tx) => {
        tx.announce('bank_news');
        throw new Error('no');
      })
      .catch(() => {});
    expect(heard).toEqual(['here']);

    // A process without a listener still notifies others.
    await stop();
    await database.transaction(async (tx) => tx.announce('bank_news'));
    await settled(() => heard.length > 1);
    expect(heard).toEqual(['here', 'elsewhere']);
    await stopOther();
    await other.close();
  });

  test('A NOTIFY message arrives with its payload.', async () => {
    const heard: string[] = [];
    const stop = await database.listen('plain', (payload) => heard.push(payload));
    await database.sql.query("SELECT pg_notify('plain', 'hello')");
    await settled(() => heard.length > 0);
    expect(heard).toEqual(['hello']);
    await stop();
  });
});

describe('while the database is away', () => {
  let proxy: TcpProxy;
  let far: Database<undefined>;

  beforeEach(async () => {
    proxy = await proxyTo(server.url);
    far = open(proxy.url, 3);
  });

  afterEach(async () => {
    await far.close();
    await proxy.close();
  });

  test('Statements and transactions answer 503 while the database is unavailable, and work again once it is back.', async () => {
    await far.ping();
    const broken = far.transaction(async (tx) => {
      await tx.query('SELECT 1');
      proxy.cut();
      await sleep(20);
      await tx.query('SELECT 1');
    });
    await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(far.sql.query('SELECT 1')).rejects.toMatchObject({
      statusCode: 503,
      message: 'The database is unavailable',
    });
    await expect(far.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    proxy.restore();
    await expect(far.ping()).resolves.toBeUndefined();
  });

  test('A commit whose answer was lost is reported as one that may have happened.', async () => {
    const lost = far.transaction(async (tx) => {
      await tx.query("INSERT INTO bank.accounts (id, tenant, name) VALUES ($1, 'demo', 'perhaps')", [id(1)]);
      setImmediate(() => proxy.cut());
    });
    await expect(lost).rejects.toMatchObject({ statusCode: 503, commitUnknown: true });
  });

  test('A listener is notified that it may have missed notifications, then gets every notification again.', async () => {
    const heard: string[] = [];
    await far.listen('bank_news', (payload) => heard.push(payload));
    proxy.cut();
    await sleep(50);
    proxy.restore();
    await settled(() => heard.length > 0);
    expect(heard).toEqual(['']);
    await database.sql.query("SELECT pg_notify('bank_news', 'back')");
    await settled(() => heard.length > 1);
    expect(heard).toEqual(['', 'back']);
  });

  describe('a silent connection: nothing is rejected, nothing arrives', () => {
    const answerTimeoutMs = 300;
    let impatient: Database<undefined>;

    beforeEach(() => {
      impatient = open(proxy.url, 1, { answerTimeoutMs });
    });

    afterEach(() => impatient.close());

    test('A statement is abandoned after the timeout, its connection is discarded, and the next one works.', async () => {
      await impatient.ping();
      proxy.silence();
      await expect(impatient.sql.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(impatient.sql.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    });

    test('A transaction is abandoned at any of its statements, and is reported as possibly committed at its commit.', async () => {
      for (const statementsBefore of [0, 1]) {
        await impatient.ping();
        if (statementsBefore === 0) proxy.silence();
        const lost = impatient.transaction(async (tx) => {
          await tx.query('SELECT 1');
          proxy.silence();
          await tx.query('SELECT 1');
        });
        await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable);
        await expect(impatient.transaction((tx) => tx.query('SELECT 1'))).resolves.toMatchObject({
          rowCount: 1,
        });
      }
      const committing = impatient.transaction(async () => proxy.silence());
      await expect(committing).rejects.toMatchObject({ statusCode: 503, commitUnknown: true });
      await expect(impatient.ping()).resolves.toBeUndefined();
    });

    test('A statement that is merely slow is ended by PostgreSQL and keeps its connection.', async () => {
      const slow = open(server.url, 1, { statementTimeoutMs: 200 });
      const pid = async () =>
        (await slow.sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
      const before = await pid();
      await expect(slow.sql.query('SELECT pg_sleep(5)')).rejects.toMatchObject({ cause: { code: '57014' } });
      expect(await pid()).toBe(before);
      await slow.close();
    });
  });

  test('Callers beyond the number of connections wait instead of failing.', async () => {
    await Promise.all(Array.from({ length: 20 }, () => far.sql.query('SELECT pg_sleep(0.01)')));
  });
});
