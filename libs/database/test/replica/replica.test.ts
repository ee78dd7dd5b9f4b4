import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import {
  type Connected,
  createDatabase,
  type Database,
  type ObservedRead,
  type ReplicaOutcome,
} from '../../src/index.ts';
import { createTestDatabase } from '../../src/testing.ts';
import { silent } from '../support/fixture.ts';
import { proxyTo } from '../support/proxy.ts';
import { type StockPostgres, stockPostgres, withoutStockPostgres } from '../support/stock-postgres.ts';

const missing = withoutStockPostgres();
if (missing !== undefined) recordSkip(missing);
const described = missing === undefined ? describe : describe.skip;

const name = 'auth.securityLog.page';

/** URL of a role that may only log in and read and write one table. */
const asService = ({ url }: { url: string }): string => url.replace('postgres@', 'service:secret@');

described(`a replica${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let primary: StockPostgres;
  let standby: StockPostgres;
  /** Another standby, which stays with the primary when `standby` is promoted. */
  let formers: StockPostgres;
  const opened: Database<undefined>[] = [];

  beforeAll(async () => {
    primary = await stockPostgres();
    await primary.query("CREATE ROLE service LOGIN PASSWORD 'secret'");
    await primary.query('CREATE TABLE entries (tenant text, n int)');
    await primary.query('GRANT SELECT, INSERT ON entries TO service');
    [standby, formers] = await Promise.all([stockPostgres({ of: primary }), stockPostgres({ of: primary })]);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  afterAll(async () => {
    await Promise.all([standby?.remove(), formers?.remove()]);
    await primary?.remove();
  });

  interface Opened {
    database: Database<undefined>;
    reads: ObservedRead[];
    /** @returns the server that answered, the number of rows, and the outcome of the read */
    look(tenant?: string): Promise<{ by: 'standby' | 'primary'; rows: number; outcome: ReplicaOutcome }>;
  }

  function open(url: string, replicaUrl: string | (() => string) | undefined, poolSize = 3): Opened {
    const database = createDatabase({
      url,
      replicaUrl,
      schema: 'bank',
      poolSize,
      log: silent,
      prisma: () => undefined,
    });
    opened.push(database);
    const reads: ObservedRead[] = [];
    database.replica.standby?.onRead((read) => reads.push(read));
    const look: Opened['look'] = async (tenant = 'demo') => {
      const { standby: isStandby, rows } = await database.replica.read(name, [tenant], database.sql, (sql) =>
        entriesOf(sql, tenant),
      );
      return {
        by: isStandby ? 'standby' : 'primary',
        rows,
        outcome: reads.at(-1)?.outcome ?? ('none' as never),
      };
    };
    return { database, reads, look };
  }

  async function entriesOf(
    sql: Connected<undefined>,
    tenant: string,
  ): Promise<{ standby: boolean; rows: number }> {
    const { rows } = await sql.query<{ standby: boolean; rows: number }>(
      'SELECT pg_is_in_recovery() AS standby, (SELECT count(*)::int FROM entries WHERE tenant = $1) AS rows',
      [tenant],
    );
    return rows[0] ?? { standby: false, rows: -1 };
  }

  const write = (tenant = 'demo') => primary.query(`INSERT INTO entries VALUES ('${tenant}', 1)`);

  const both = () => open(asService(primary), asService(standby));

  /** Waits until the replica is used, also after a moment in which it could not be. */
  async function inUse({ look }: Opened): Promise<void> {
    for (let attempt = 0; (await look('nobody')).by !== 'standby'; attempt += 1) {
      if (attempt > 100) throw new Error('The replica is not read from');
      await sleep(50);
    }
  }

  test('A replica answers with the rights of the service, also after a long time without writes, and rejects writes.', async () => {
    const { database, look, reads } = both();
    await inUse({ database, look, reads });
    for (let n = 0; n < 5; n += 1) {
      expect(await look()).toMatchObject({ by: 'standby', outcome: 'replica' });
      await sleep(60);
    }
    await write();
    await database.replica.read(name, ['demo'], database.sql, (sql) =>
      sql.query("INSERT INTO entries VALUES ('written through', 1)"),
    );
    expect(reads.at(-1)?.outcome).toBe('failed');
  });

  test('Without a replica, and before the first read, there is no connection and no query.', async () => {
    const without = open(asService(primary), undefined);
    expect(without.database.replica.standby).toBeUndefined();
    expect(await without.look()).toMatchObject({ by: 'primary' });
    const { database } = both();
    await database.sql.query('SELECT 1');
    const connections = "SELECT FROM pg_stat_activity WHERE application_name LIKE 'ostiary bank replica'";
    expect((await standby.query(connections)).rowCount).toBe(0);
    await sleep(300);
    expect((await standby.query(connections)).rowCount).toBe(0);
  });

  test('No answer lacks data committed more than a second before, in any state of the replica.', async () => {
    const system = both();
    await inUse(system);
    const committed: { at: number; rows: number }[] = [];
    let rows = (await system.look('late')).rows;
    let over = false;
    const paused = (async () => {
      await sleep(300);
      await standby.query('SELECT pg_wal_replay_pause()');
      await sleep(1_300);
      await standby.query('SELECT pg_wal_replay_resume()');
      await sleep(200);
      over = true;
    })();
    const writing = (async () => {
      while (!over) {
        await write('late');
        rows += 1;
        committed.push({ at: performance.now(), rows });
        await sleep(20);
      }
    })();
    const answers: { begun: number; rows: number; by: string }[] = [];
    const looking = async () => {
      while (!over) {
        const begun = performance.now();
        const { rows, by } = await system.look('late');
        answers.push({ begun, rows, by });
        await sleep(5);
      }
    };
    await Promise.all([looking(), looking(), looking(), looking()]);
    await Promise.all([paused, writing]);
    for (const answer of answers) {
      const due = committed.findLast(({ at }) => at <= answer.begun - 1_000)?.rows ?? 0;
      expect(answer.rows).toBeGreaterThanOrEqual(due);
    }
    const outcomes = new Set(system.reads.map(({ outcome }) => outcome));
    expect([...outcomes].sort()).toEqual(['behind', 'replica']);
    // Some answers were outdated, within the limit.
    expect(
      answers.some(
        ({ by, rows, begun }) =>
          by === 'standby' && rows < (committed.findLast(({ at }) => at <= begun)?.rows ?? 0),
      ),
    ).toBe(true);
    await inUse(system);
  });

  test('A tenant reads its own writes: its reads use the primary from the beginning of a change until a second after it.', async () => {
    const system = both();
    await inUse(system);
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      const ended = system.database.replica.standby?.writing('own');
      await write('own');
      expect(await system.look('own')).toEqual({ by: 'primary', rows: 1, outcome: 'own_write' });
      ended?.();
      expect(await system.look('own')).toEqual({ by: 'primary', rows: 1, outcome: 'own_write' });
      // Reads of another tenant are not affected, as long as the replica may be used.
      expect((await system.look('rival')).outcome).not.toBe('own_write');
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
    await sleep(1_050);
    await inUse(system);
    expect(await system.look('own')).toEqual({ by: 'standby', rows: 1, outcome: 'replica' });
  });

  test('A silent standby delays one read for a bounded time and no later ones, and a new address is used once available.', async () => {
    const [proxy, second] = await Promise.all([proxyTo(asService(standby)), proxyTo(asService(standby))]);
    try {
      let address = proxy.url;
      // One connection, because the proxy lets new ones through.
      const system = open(asService(primary), () => address, 1);
      const midway = open(asService(primary), second.url);
      await Promise.all([inUse(system), inUse(midway)]);
      const hanging = midway.database.replica.read(name, ['demo'], midway.database.sql, async (sql) => {
        await entriesOf(sql, 'demo');
        second.silence();
        return entriesOf(sql, 'demo');
      });
      proxy.silence();
      for (let n = 0; n < 10; n += 1) {
        expect(await system.look()).toMatchObject({ by: 'primary', outcome: 'unreachable' });
      }
      expect(await hanging).toMatchObject({ standby: false });
      expect(midway.reads.at(-1)?.outcome).toBe('failed');
      address = asService(standby);
      await inUse(system);
    } finally {
      await Promise.all([proxy.close(), second.close()]);
    }
  });

  test('A standby that is killed during a read makes no read fail, and is used again when it is back.', async () => {
    const system = both();
    await inUse(system);
    const asked: boolean[] = [];
    const reading = system.database.replica.read(name, ['demo'], system.database.sql, async (sql) => {
      const before = await entriesOf(sql, 'demo');
      asked.push(before.standby);
      if (before.standby) await standby.stop();
      return entriesOf(sql, 'demo');
    });
    expect(await reading).toMatchObject({ standby: false });
    expect(asked).toEqual([true, false]);
    expect(system.reads.at(-1)?.outcome).toBe('failed');
    expect(await system.look()).toMatchObject({ by: 'primary', outcome: 'unreachable' });
    await standby.start();
    await inUse(system);
  });

  test('Another cluster, the primary itself, and a URL for writes are rejected as replicas.', async () => {
    const other = await createTestDatabase();
    try {
      const stranger = open(other.url, asService(standby));
      const { rows } = await stranger.database.replica.read(name, ['demo'], stranger.database.sql, (sql) =>
        sql.query('SELECT pg_is_in_recovery() AS standby'),
      );
      expect(rows).toEqual([{ standby: false }]);
      expect(stranger.reads.at(-1)?.outcome).toBe('unfit');
      expect(await open(asService(primary), asService(primary)).look()).toMatchObject({
        by: 'primary',
        outcome: 'unfit',
      });
      expect(() => open(asService(primary), `${asService(standby)}?target_session_attrs=read-write`)).toThrow(
        /standby/,
      );
    } finally {
      await other.drop();
    }
  });

  test('Of several hosts one that is a standby is found.', async () => {
    const [one, two] = [primary, standby].map(({ url }) => new URL(url).host);
    const system = open(
      asService(primary),
      `postgres://service:secret@127.0.0.1:1,${one},${two}/postgres?target_session_attrs=prefer-standby`,
    );
    await inUse(system);
  });

  test('A standby that was promoted is not used, nor is one of the former primary after a failover.', async () => {
    const system = both();
    await inUse(system);
    await standby.query('SELECT pg_promote()');
    await standby.query("INSERT INTO entries VALUES ('elsewhere', 1)");
    for (let n = 0; n < 5; n += 1) {
      expect(await system.look('elsewhere')).toMatchObject({ by: 'primary', rows: 0 });
    }
    expect(system.reads.slice(-5).map(({ outcome }) => outcome)).not.toContain('replica');

    const after = open(asService(standby), asService(formers));
    await write('former');
    expect(await after.look('former')).toEqual({ by: 'primary', rows: 0, outcome: 'unfit' });
    expect(await after.look('elsewhere')).toMatchObject({ by: 'primary', rows: 1 });
  });
});
