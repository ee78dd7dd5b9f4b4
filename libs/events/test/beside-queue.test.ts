import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import {
  createOutbox,
  type DomainEvent,
  EventConsumer,
  type NewEvent,
  type RelayOptions,
} from '../src/index.ts';
import { consumerDefaults, createDepot, type Depot, metric, schema, userEvent } from './fixture.ts';

/**
 * Disables all timers with ten minutes, so that no test depends on polling, and a busy machine does not leave an event
 * to the queue.
 */
const never = 600_000;
const withoutTimers = { pollMs: never, confirmAfterMs: never, directMs: never };

let depot: Depot;

beforeEach(async () => {
  depot = await createDepot();
});
afterEach(() => depot.close());

/** Commits events in one transaction; returns their ids. */
const commit = (...events: NewEvent[]): Promise<string[]> =>
  depot.database.transaction((tx) => depot.outbox.append(tx, events));
const leave = async (subject?: string): Promise<string> => (await commit(departure(subject)))[0] ?? '';
const departure = (subject?: string): NewEvent =>
  userEvent('user.deactivated', { active: false, ...(subject === undefined ? {} : { subject }) });

/** Returns the consumer for direct delivery. */
function inbox(): EventConsumer {
  const { metrics } = createKit({ name: 'test', logLevel: 'silent' });
  return new EventConsumer({ ...depot, ...consumerDefaults, metrics });
}

type Deliver = (consumer: string, events: readonly DomainEvent[]) => Promise<void>;

/** Starts a relay and waits until it has checked for earlier events. */
async function startRelay(deliver: Deliver, o: Partial<RelayOptions> = {}) {
  const started = await depot.startRelay({ ...withoutTimers, deliver, ...o });
  const [first] = await commit({ ...userEvent('user.updated'), subject: 'first' });
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.some(({ event_id, state }) => event_id === first && state === 'enqueued'),
  );
  await depot.database.sql.query('DELETE FROM depot.outbox_deliveries WHERE event_id = $1', [first]);
  return started;
}

/** Returns the effects of the tested events. */
async function effects(): Promise<{ event_id: string; n: number }[]> {
  const { rows } = await depot.database.sql.query<{ event_id: string; n: number }>(
    `SELECT event_id, count(*) AS n FROM depot.effects WHERE subject <> 'first' GROUP BY event_id`,
  );
  return rows;
}

/** Waits until every event has one effect, and no delivery is open. */
async function everyEffectOnce(count: number): Promise<void> {
  const seen = await eventually(effects, (some) => some.length === count);
  expect(seen.filter(({ n }) => n !== 1)).toEqual([]);
}

describe('delivery of urgent events after the commit', () => {
  test('An offboarding event is enqueued immediately, and needs no worker, no timer and no confirmation if its direct delivery succeeds.', async () => {
    const accepting = inbox();
    const { relay, metrics } = await startRelay((_, events) => accepting.accept(events));
    for (let departed = 1; departed <= 5; departed += 1) {
      await leave();
      // The relay is notified after the commit, so it may have nothing to do yet.
      await eventually(effects, (some) => some.length === departed);
      await relay.settled();
    }
    await everyEffectOnce(5);
    expect(await depot.deliveries()).toEqual([]);
    expect(await metric(metrics, 'outbox_direct_total')).toBe(5);
    expect(await metric(metrics, 'outbox_enqueued_total')).toBe(6);
  });

  test('Both ways together cost one transaction of two statements and one call, also for nine departures together.', async () => {
    const accepting = inbox();
    const taken: string[] = [];
    let deliveries = 0;
    const { database } = depot;
    const counting: Pick<typeof database, 'sql' | 'transaction' | 'listen'> = {
      sql: database.sql,
      listen: (channel, onNotify) => database.listen(channel, onNotify),
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            announce: (channel, note) => tx.announce(channel, note),
            afterCommit: (done) => tx.afterCommit(done),
            prisma: () => tx.prisma(),
            query(text, values) {
              taken.push(text);
              return tx.query(text, values);
            },
          }),
        ),
    };
    const { relay } = await startRelay(
      (_, events) => {
        deliveries += 1;
        return accepting.accept(events);
      },
      { database: counting },
    );
    for (const leaving of [1, 9]) {
      taken.length = 0;
      deliveries = 0;
      await commit(...Array.from({ length: leaving }, () => departure()));
      await relay.settled();
      expect(deliveries).toBe(1);
      const kinds = taken.map((text) => /^\s*(\w+)/.exec(text)?.[1] ?? text);
      expect(kinds.toSorted()).toEqual(['DELETE', 'SELECT']);
    }
    await everyEffectOnce(10);
  });

  test('An event that is not urgent is delivered by the queue.', async () => {
    const delivered: string[] = [];
    const { relay, metrics } = await startRelay(async (_, events) => {
      delivered.push(...events.map(({ id }) => id));
    });
    depot.startConsumer();
    await depot.publish(3);
    await everyEffectOnce(3);
    await relay.settled();
    expect(delivered).toEqual([]);
    expect(await metric(metrics, 'outbox_enqueued_total')).toBe(4);
  });

  test('An offboarding event is delivered immediately, with any later event in its transaction.', async () => {
    const accepting = inbox();
    const { relay } = await startRelay((_, events) => accepting.accept(events));
    await depot.database.transaction(async (tx) => {
      await depot.outbox.append(tx, [departure()]);
      await depot.outbox.append(tx, [userEvent('user.updated')]);
    });
    await relay.settled();
    expect(await effects()).toHaveLength(1);
  });

  test('No event of a transaction that is rolled back is delivered.', async () => {
    const delivered: string[] = [];
    const { relay } = await startRelay(async (_, events) => {
      delivered.push(...events.map(({ id }) => id));
    });
    const rolledBack = depot.database.transaction(async (tx) => {
      await depot.outbox.append(tx, [departure()]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const id = await leave();
    await relay.settled();
    expect(delivered).toEqual([id]);
  });

  test('A large number of concurrent departures is delivered in both ways, and each event has one effect.', async () => {
    const accepting = inbox();
    await startRelay((_, events) => accepting.accept(events));
    depot.startConsumer();
    await Promise.all([
      ...Array.from({ length: 60 }, () => leave()),
      commit(...Array.from({ length: 200 }, () => departure())),
    ]);
    await everyEffectOnce(260);
  });
});

describe('one effect of two deliveries', () => {
  test('An event whose immediate delivery was not confirmed to its sender is recognised when the queue delivers it.', async () => {
    const accepting = inbox();
    await startRelay(async (_, events) => {
      await accepting.accept(events);
      throw new Error('the answer got lost');
    });
    await leave();
    // The queue is read only now; otherwise it may deliver the event first on a busy machine.
    await everyEffectOnce(1);
    const { metrics } = depot.startConsumer();
    await eventually(
      () => metric(metrics, 'events_duplicates_total'),
      (duplicates) => duplicates === 1,
    );
    await everyEffectOnce(1);
  });

  test('An event that the queue delivered first is recognised when it is delivered directly later.', async () => {
    const accepting = inbox();
    const late: Promise<void>[] = [];
    await startRelay(
      async (_, events) => {
        const delivery = sleep(300).then(() => accepting.accept(events));
        late.push(delivery);
        await delivery;
      },
      { directMs: 20 },
    );
    depot.startConsumer();
    await leave();
    await everyEffectOnce(1);
    await Promise.all(late);
    expect(late).toHaveLength(1);
    await everyEffectOnce(1);
  });

  test('Events that are delivered in both ways concurrently have one effect each.', async () => {
    const accepting = inbox();
    const late: Promise<void>[] = [];
    await startRelay(async (_, events) => {
      late.push(accepting.accept(events));
      throw new Error('refused, and taken in all the same');
    });
    depot.startConsumer();
    for (let round = 0; round < 10; round += 1) await leave();
    await everyEffectOnce(10);
    await Promise.all(late);
    await everyEffectOnce(10);
  });

  test('Four relays and a worker that are woken concurrently leave each event with one effect.', async () => {
    const accepting = inbox();
    for (let relay = 0; relay < 4; relay += 1) {
      await startRelay((_, events) => accepting.accept(events));
    }
    depot.startConsumer();
    await Promise.all(Array.from({ length: 20 }, () => leave()));
    await everyEffectOnce(20);
  });
});

describe('an unreachable consumer', () => {
  test.each([
    ['refuses', (): Promise<void> => Promise.reject(new Error('refused'))],
    ['hangs', (): Promise<void> => sleep(never, undefined, { ref: false })],
  ])(
    'When the consumer %s, the event is in the queue immediately, and nothing waits.',
    async (_what, deliver) => {
      let attempts = 0;
      const { relay } = await startRelay(
        () => {
          attempts += 1;
          return deliver();
        },
        { directMs: 150 },
      );
      depot.startConsumer();
      await leave();
      await relay.settled();
      await everyEffectOnce(1);
      // The consumer is skipped for a moment, so later events do not wait for it either.
      await leave();
      await relay.settled();
      await everyEffectOnce(2);
      expect(attempts).toBe(1);
    },
  );

  test('After a pause, immediate delivery to the consumer resumes.', async () => {
    const accepting = inbox();
    let away = true;
    const { relay, metrics } = await startRelay((_, events) =>
      away ? Promise.reject(new Error('away')) : accepting.accept(events),
    );
    depot.startConsumer();
    await leave();
    await everyEffectOnce(1);
    away = false;
    await eventually(
      async () => {
        await leave();
        await relay.settled();
        return metric(metrics, 'outbox_direct_total');
      },
      (count) => count > 0,
    );
  });

  test('A consumer that hangs does not delay another one.', async () => {
    const accepting = inbox();
    const outbox = createOutbox(schema, ['provisioning', 'auth']);
    const over = Promise.withResolvers<void>();
    await startRelay((consumer, events) => (consumer === 'auth' ? accepting.accept(events) : over.promise));
    await depot.database.transaction((tx) => outbox.append(tx, [departure()]));
    await everyEffectOnce(1);
    over.resolve();
  });

  test('Events that a process was delivering when it ended are sent by another process.', async () => {
    const reached = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    await startRelay(() => {
      reached.resolve();
      return over.promise;
    });
    await leave();
    await reached.promise;
    // The connection ends as when a process is killed, and with it the transaction and its locks.
    await depot.database.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE state = 'idle in transaction' AND datname = current_database()`,
    );
    await depot.startRelay();
    depot.startConsumer();
    await everyEffectOnce(1);
    over.reject(new Error('it has ended'));
  });

  test('An event that cannot be handled does not prevent the effects of later ones.', async () => {
    let poisoned = '';
    const { metrics } = createKit({ name: 'test', logLevel: 'silent' });
    const handle: typeof consumerDefaults.handle = async (events, tx) => {
      if (events.some(({ id }) => id === poisoned)) throw new Error('it is of no use');
      await consumerDefaults.handle(events, tx);
    };
    const accepting = new EventConsumer({ ...depot, ...consumerDefaults, metrics, handle });
    await startRelay((_, events) => accepting.accept(events));
    depot.startConsumer({ handle });
    const subject = crypto.randomUUID();
    const [first = ''] = await depot.database.transaction((tx) => {
      poisoned = crypto.randomUUID();
      return depot.outbox.append(tx, [{ ...departure(subject), id: poisoned }]);
    });
    expect(first).toBe(poisoned);
    await Promise.all(Array.from({ length: 15 }, () => leave()));
    await everyEffectOnce(15);
  });
});
