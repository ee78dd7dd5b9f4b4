import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RevocationList } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { readTenantFeed } from '../../../src/tenancy/users/data/tenant-feed.ts';
import {
  beginning,
  includes,
  isAsRecent,
  snapshotOf,
  snapshotText,
} from '../../../src/tenancy/users/domain/feed-snapshot.ts';
import { revocationExpiry } from '../../../src/tenancy/users/domain/revocation-feed.ts';
import {
  type LoggedRevocation,
  RevocationLog,
  type TenantReading,
} from '../../../src/tenancy/users/domain/revocation-log.ts';
import { RevocationLogs } from '../../../src/tenancy/users/domain/revocation-logs.ts';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';

describe('snapshots', () => {
  const snapshot = snapshotOf('10:20:12,15');

  test('A snapshot includes the transactions that had ended.', () => {
    const included = [9n, 10n, 11n, 12n, 15n, 19n, 20n].filter((xid) => includes(snapshot, xid));
    expect(included).toEqual([9n, 10n, 11n, 19n]);
    expect(includes(beginning, 0n)).toBe(false);
  });

  test('The texts of PostgreSQL are read and written, and others are rejected.', () => {
    for (const text of ['10:20:12,15', '10:10:']) expect(snapshotText(snapshotOf(text))).toBe(text);
    for (const text of ['', '10:20', '10:20:1,', 'a:b:'])
      expect(() => snapshotOf(text)).toThrow('no snapshot');
  });

  test('A later snapshot is as recent as an earlier one, and not the reverse.', () => {
    const inOrder = ['10:20:10,12', '12:20:12', '20:20:', '20:21:20'].map(snapshotOf);
    for (const [at, later] of inOrder.entries())
      for (const [before, earlier] of inOrder.entries())
        expect([before, at, isAsRecent(later, earlier)]).toEqual([before, at, at >= before]);
  });
});

const entry = (seq: number, xid: number, expiresAt = revocationExpiry(600)): LoggedRevocation => ({
  seq: BigInt(seq),
  xid: BigInt(xid),
  kind: 'jti',
  key: `entry-${seq}`,
  expiresAt,
});

/** A log whose readings return what the test sets, or fail. */
function scripted() {
  const state = { now: 0, readings: [] as (TenantReading | Error)[], asked: [] as unknown[] };
  const list = new RevocationList();
  const options = {
    list,
    monotonic: () => state.now,
    clock: () => Date.now(),
    journal: {
      async ofTenant(_tenant: string, since: unknown) {
        state.asked.push(since);
        const reading = state.readings.length > 1 ? state.readings.shift() : state.readings[0];
        if (!reading || reading instanceof Error) throw reading ?? new Error('no reading');
        // The next reading begins after it.
        if (state.readings[0] === reading) state.readings = [{ ...reading, entries: [] }];
        return reading;
      },
    },
  };
  const reading = (snapshot: string, entries: LoggedRevocation[], cluster = 'one'): TenantReading => ({
    cluster,
    snapshot: snapshotOf(snapshot),
    entries,
  });
  return { state, list, options, reading, log: new RevocationLog({ ...options, tenant: 'demo' }) };
}

describe('the log', () => {
  test('The position stays while nothing is revoked, and advances with entries.', async () => {
    const { log, state, reading } = scripted();
    state.readings = [reading('10:10:', []), reading('12:12:', []), reading('14:14:', [entry(1, 13)])];
    await log.read();
    const [before, generation] = [log.head, log.generation];
    await log.read();
    expect([log.head, log.generation]).toEqual([before, generation]);
    await log.read();
    expect([log.head.since, log.generation > generation]).toEqual([snapshotOf('14:14:'), true]);
    expect(log.after(before, 10)).toMatchObject({
      entries: [{ key: 'entry-1' }],
      next: log.head,
      more: false,
    });
  });

  test('A position of another process is reached by a reading, and one of another cluster starts again.', async () => {
    const { log, state, reading } = scripted();
    state.readings = [reading('10:10:', [entry(1, 9)]), reading('20:20:', [entry(2, 15)])];
    await log.read();
    const ahead = { cluster: 'one', since: snapshotOf('18:18:') };
    expect(await log.reach(ahead)).toBe(ahead);
    expect(state.asked).toHaveLength(2);
    expect(log.after(ahead, 10)).toMatchObject({ entries: [], next: log.head, more: false });
    const elsewhere = await log.reach({ cluster: 'two', since: snapshotOf('5:5:') });
    expect(log.after(elsewhere, 10).entries.map(({ key }) => key)).toEqual(['entry-1', 'entry-2']);
  });

  test('A restarted server replaces all entries, whose transaction ids it may assign again.', async () => {
    const { log, state, reading } = scripted();
    state.readings = [reading('10:10:', [entry(1, 9)]), reading('10:10:', [entry(2, 9)], 'two')];
    await log.read();
    const before = log.head;
    await log.read();
    const position = await log.reach(before);
    expect(log.after(position, 10).entries.map(({ key }) => key)).toEqual(['entry-2']);
  });

  test('Expired entries are removed with the next reading.', async () => {
    const { log, state, reading } = scripted();
    state.readings = [reading('10:10:', [entry(1, 8, 1), entry(2, 9)]), reading('12:12:', [])];
    await log.read();
    await log.read();
    const all = await log.reach(undefined);
    expect(log.after(all, 10).entries.map(({ key }) => key)).toEqual(['entry-2']);
  });

  test('The log is complete up to the time of the list, unless an entry of the list is not read yet.', async () => {
    const { log, list, state, reading } = scripted();
    state.readings = [reading('10:10:', [])];
    await log.read();
    expect(log.completeAt).toBe(0);
    state.now = 1_000;
    list.touch(900);
    expect(log.completeAt).toBe(900);
    state.readings = [new Error('no database')];
    log.noteRevoked();
    list.touch(1_000);
    expect(log.completeAt).toBe(900);
    await eventually(() => state.asked.length > 2);
    expect(log.completeAt).toBe(900);
    state.now = 1_200;
    const { generation } = log;
    state.readings = [reading('12:12:', [entry(1, 11)])];
    await eventually(() => log.generation > generation);
    await eventually(() => log.completeAt === 1_200);
  });

  test('A failed reading outside of a notification does not make the log incomplete.', async () => {
    const { log, list, state, reading } = scripted();
    state.readings = [reading('10:10:', [])];
    await log.read();
    state.readings = [new Error('no database')];
    await expect(log.read()).rejects.toThrow('no database');
    list.touch(700);
    expect(log.completeAt).toBe(700);
  });

  test('A call of read waits for a reading that begins later than the call, which parallel calls share.', async () => {
    const { log, state, reading, options } = scripted();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { ofTenant } = options.journal;
    options.journal.ofTenant = async (...asked) => {
      const found = await ofTenant(...asked);
      await held;
      return found;
    };
    state.readings = [reading('10:10:', [])];
    const first = log.read();
    await eventually(() => state.asked.length === 1);
    const later = [log.read(), log.read()];
    await sleep(20);
    expect(state.asked).toHaveLength(1);
    release();
    await Promise.all([first, ...later]);
    expect(state.asked).toHaveLength(2);
  });

  test('A page can be shortened, and the next one continues after its last entry; late entries are in order.', async () => {
    const { log, state, reading } = scripted();
    state.readings = [
      reading('5:10:7', [entry(1, 3), entry(2, 5), entry(3, 8)]),
      reading('12:12:', [entry(4, 7), entry(5, 11)]),
    ];
    await log.read();
    const start = await log.reach(undefined);
    const page = log.after(start, 3);
    expect(page.more).toBe(false);
    const short = page.shorter(2).shorter(1);
    await log.read();
    const seen = [...short.entries];
    for (let at = short; at.more; ) {
      at = log.after(at.next, 2);
      seen.push(...at.entries);
    }
    expect(seen.map(({ key }) => key)).toEqual(['entry-1', 'entry-2', 'entry-3', 'entry-4', 'entry-5']);
  });

  test('Only logs in use are read after a revocation, and an unused one is dropped.', async () => {
    const { list, state, options, reading } = scripted();
    const logs = new RevocationLogs(options);
    state.readings = [reading('10:10:', [])];
    const revoke = (seq: number, tenant = 'demo', kind: 'jti' | 'owner' = 'jti') =>
      list.apply([{ seq: String(seq), tenant, kind, key: String(seq), expiresAt: revocationExpiry(600) }]);
    revoke(1);
    const first = await logs.use('demo', async (log) => {
      await log.read();
      return log;
    });
    revoke(2, 'rival');
    revoke(3, 'demo', 'owner');
    await sleep(100);
    expect(state.asked).toHaveLength(1);
    revoke(4);
    await eventually(() => state.asked.length === 2);
    state.now = 61_000;
    revoke(5);
    await sleep(100);
    expect(state.asked).toHaveLength(2);
    await logs.use('demo', async (log) => expect(log).not.toBe(first));
  });
});

describe('readings of the database', () => {
  let backend: Backend;
  let auth: RunningAuth;
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend);
  });
  afterAll(async () => {
    await auth?.stop();
    await backend?.drop();
  });
  const append = (keys: readonly string[], tenant = 'demo') =>
    auth.database.transaction((tx) =>
      auth.deps.revocations.append(
        tx,
        keys.map((key) => ({ tenant, kind: 'jti', key, expiresAt: revocationExpiry(600) })),
      ),
    );
  const keysOf = ({ entries }: TenantReading) => entries.map(({ key }) => key);

  test('A reading in several batches has each entry once, in order, and the next one only later entries.', async () => {
    const keys = Array.from({ length: 25 }, (_, n) => `batch-${String(n).padStart(2, '0')}`);
    await append(keys);
    await append(['foreign'], 'rival');
    const all = await readTenantFeed(auth.database.sql, 'demo', undefined, 10);
    expect(keysOf(all)).toEqual(keys);
    await append(['next']);
    const next = await readTenantFeed(auth.database.sql, 'demo', all, 10);
    expect(keysOf(next)).toEqual(['next']);
    expect(keysOf(await readTenantFeed(auth.database.sql, 'demo', next, 10))).toEqual([]);
  });

  test('Entries of a restored dump, with transaction ids of the future, are in the first reading only.', async () => {
    await append(['restored'], 'rival');
    await auth.database.sql.query(
      `UPDATE auth.revocations SET xid = '900000000000'::xid8 WHERE key = 'restored'`,
    );
    const all = await readTenantFeed(auth.database.sql, 'rival', undefined);
    expect(all.entries.find(({ key }) => key === 'restored')?.xid).toBe(0n);
    expect(keysOf(await readTenantFeed(auth.database.sql, 'rival', all))).toEqual([]);
  });

  test('A snapshot of another cluster is followed by a complete reading.', async () => {
    const all = await readTenantFeed(auth.database.sql, 'rival', undefined);
    const other = await readTenantFeed(auth.database.sql, 'rival', { ...all, cluster: 'another' });
    expect(keysOf(other)).toEqual(keysOf(all));
  });

  test('The end of the ownership of connectors is in no reading.', async () => {
    await auth.database.transaction((tx) =>
      auth.deps.revocations.append(tx, [
        { tenant: 'demo', kind: 'owner', key: 'owner', epoch: 1, expiresAt: revocationExpiry(600) },
      ]),
    );
    expect(keysOf(await readTenantFeed(auth.database.sql, 'demo', undefined))).not.toContain('owner');
  });
});
