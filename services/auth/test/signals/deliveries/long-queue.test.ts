import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { postgresSecurityLog } from '../../../src/platform/audit/security-log.data.ts';
import { claimDue, deliveryQueue, finishDelivery } from '../../../src/signals/data/deliveries.ts';
import { deliveryStore } from '../../../src/signals/data/delivery-list.ts';
import { appendDeliveries, appendFacts } from '../../../src/signals/data/facts.ts';
import { deliveryOutbox } from '../../../src/signals/data/outbox.ts';
import { Deliveries } from '../../../src/signals/domain/deliveries.ts';
import type { Outcome } from '../../../src/signals/domain/delivery.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterEach(async () => {
  await engines.stopEngines();
  await engines.database.sql.query('TRUNCATE auth.facts, auth.deliveries, auth.receivers CASCADE');
});
afterAll(() => engines.stop());

const append = (facts: Parameters<typeof appendFacts>[2]) =>
  engines.database.transaction((tx) => appendFacts(tx, 'demo', facts));

test.each([0, 2])(
  'A long queue about one user does not delay other messages and is sent in order, after %i failures.',
  async (failures) => {
    await engines.receiver('demo', ['user.updated']);
    const notified: unknown[] = [];
    const others: string[] = [];
    let failed = 0;
    let rounds = 0;
    const { database } = engines;
    await append(Array.from({ length: 3_000 }, (_, n) => factAbout('flood', { n })));
    engines.engine(
      async ({ fact }): Promise<Outcome> => {
        if (fact?.subject.id !== 'flood') others.push(fact?.subject.id ?? '');
        else if (failed < failures) {
          failed += 1;
          return { kind: 'failed', reason: 'not now' };
        } else notified.push(fact.data.n);
        return { kind: 'delivered' };
      },
      {
        retry: { firstSeconds: 0.2, maxSeconds: 0.2, giveUpSeconds: 600 },
        queue: deliveryQueue({
          ...database,
          transaction: (...work) => {
            rounds += 1;
            return database.transaction(...work);
          },
        }),
      },
    );
    const before = rounds;
    await append([factAbout('another')]);
    await eventually(() => others.length > 0);
    // Without postponing, leasing the 3,000 blocked deliveries in fives would take 600 rounds.
    expect(rounds - before).toBeLessThan(300);
    // Without waking the next delivery directly, about one would be sent in ten seconds.
    await eventually(() => notified.length >= 60);
    expect(notified.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  },
);

describe('deliveries that wait for an earlier one', () => {
  const take = async () => {
    const kinds = ['webhook'] as const;
    const { claimed } = await claimDue(engines.database, {
      kinds,
      limit: 64,
      perReceiver: 5,
      slots: [],
      perTenant: 64,
      rooms: [],
      leaseSeconds: 15,
    });
    return claimed;
  };
  const queue = async () =>
    (
      await engines.database.sql.query<{ id: string; state: string; wait: number; due: number }>(
        `SELECT id, state, extract(epoch FROM due_at - now())::float8 AS wait, extract(epoch FROM due_at)::float8 AS due
           FROM auth.deliveries ORDER BY position`,
      )
    ).rows;
  /** Current time of the database in seconds. */
  const now = async () =>
    (
      await engines.database.sql.query<{ now: number }>(
        'SELECT extract(epoch FROM clock_timestamp())::float8 AS now',
      )
    ).rows[0]?.now ?? Number.NaN;
  const finish = (
    delivery: Awaited<ReturnType<typeof take>>[number] | undefined,
    state: 'delivered' | 'dead',
  ) => {
    if (!delivery) throw new Error('nothing was taken on');
    return finishDelivery(engines.database.sql, delivery, { state, status: 200, error: undefined });
  };

  test('A waiting delivery is woken by the decision, and otherwise is checked again after as long as it has waited.', async () => {
    await engines.receiver('demo', ['user.updated']);
    await append([0, 1, 2].map((n) => factAbout('u', { n })));
    const from = await now();
    const [first] = await take();
    expect(await take()).toEqual([]);
    const to = await now();
    // Includes deliveries that were not examined.
    for (const { due } of (await queue()).slice(1)) {
      expect(due).toBeGreaterThan(from + 0.5);
      expect(due).toBeLessThan(to + 3);
    }
    await engines.database.sql.query(
      // One second in the past: due times are stored in whole milliseconds, and rounding may put them in the future.
      `UPDATE auth.deliveries SET due_at = now() - interval '1 second', begun_at = now() - interval '1 hour'
        WHERE leased_until IS NULL`,
    );
    expect(await take()).toEqual([]);
    for (const { wait } of (await queue()).slice(1)) expect(Math.abs(wait - 300)).toBeLessThan(10);
    expect(await finish(first, 'dead')).toEqual({ decided: true, called: true });
    const [, next, last] = await queue();
    // Due before all later deliveries.
    expect(next?.wait).toBeLessThan(-3_500);
    expect(last?.wait).toBeGreaterThan(200);
    expect(await take()).toMatchObject([{ id: next?.id }]);
  });

  test('A waiting delivery is woken when an administrator discards the first one, and not when they discard another.', async () => {
    await engines.receiver('demo', ['user.updated'], { status: 'paused' });
    await append([0, 1, 2, 3].map((n) => factAbout('u', { n })));
    await engines.database.sql.query(`UPDATE auth.deliveries SET due_at = now() + interval '5 minutes'`);
    const deliveries = new Deliveries({
      database: engines.database,
      deliveries: deliveryStore(engines.database.replica),
      outbox: deliveryOutbox,
      securityLog: postgresSecurityLog,
    });
    const [first, second, third] = await queue();
    await engines.database.sql.query(`UPDATE auth.deliveries SET attempts = 3 WHERE id = $1`, [second?.id]);
    await deliveries.discard('demo', third?.id ?? '');
    expect((await queue()).every(({ wait }) => wait > 200)).toBe(true);
    await deliveries.discard('demo', first?.id ?? '');
    expect((await queue()).map(({ wait }) => wait < 0)).toEqual([true, false]);
  });

  test('A delivery that announces a pause does not wait for deliveries that the pause holds back.', async () => {
    const { id: receiverId } = await engines.receiver('demo', [], { status: 'paused' });
    const about = { receiverKind: 'webhook', receiverId, subjectKey: 'stream' } as const;
    await engines.database.transaction((tx) =>
      appendDeliveries(tx, 'demo', [
        { ...about, payload: { n: 'verification' } },
        { ...about, payload: { n: 'paused' }, regardless: true },
        { ...about, payload: { n: 'enabled' }, regardless: true },
      ]),
    );
    const [paused, ...others] = await take();
    expect([paused?.payload, others]).toEqual([{ n: 'paused' }, []]);
    await finish(paused, 'delivered');
    expect(await take()).toMatchObject([{ payload: { n: 'enabled' } }]);
  });

  test('A delivery that arrives after it was given up is recorded as delivered.', async () => {
    await engines.receiver('demo', ['user.updated']);
    await append([factAbout('u')]);
    const [delivery] = await take();
    await engines.database.sql.query(
      `UPDATE auth.deliveries SET state = 'dead', finished_at = now(), leased_until = NULL`,
    );
    expect(await finish(delivery, 'dead')).toMatchObject({ decided: false });
    expect(await finish(delivery, 'delivered')).toMatchObject({ decided: true });
    expect(await queue()).toMatchObject([{ state: 'delivered' }]);
  });
});
