import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { appendDeliveries, appendFacts } from '../../../src/signals/data/facts.ts';
import type { DueDelivery, Outcome } from '../../../src/signals/domain/delivery.ts';
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

const append = (tenant: string, facts: Parameters<typeof appendFacts>[2]) =>
  engines.database.transaction((tx) => appendFacts(tx, tenant, facts));

const count = async (what: string): Promise<number> =>
  (await engines.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM auth.${what}`)).rows[0]
    ?.n ?? -1;

const delivered: Outcome = { kind: 'delivered' };

describe('deliveries', () => {
  test('Deliveries are sent once in the normal case, with three workers.', async () => {
    const receiver = await engines.receiver('demo', ['user.updated']);
    const sent: DueDelivery[] = [];
    for (let n = 0; n < 3; n += 1) {
      engines.engine(async (delivery) => {
        sent.push(delivery);
        await sleep(Math.random() * 5);
        return delivered;
      });
    }
    await append(
      'demo',
      Array.from({ length: 200 }, (_, n) => factAbout(`u${n % 50}`, { n })),
    );
    await eventually(async () => (await count("deliveries WHERE state = 'delivered'")) === 200);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(200);
    expect(sent).toHaveLength(200);
    expect(sent[0]).toMatchObject({
      tenant: 'demo',
      receiverKind: 'webhook',
      receiverId: receiver.id,
      attempt: 1,
      receiver: { id: receiver.id, endpoint: 'https://receiver.example/' },
      fact: { type: 'user.updated', version: null, actor: { kind: 'system' } },
    });
    expect(sent[0]?.fact?.occurredAt).toBeInstanceOf(Date);
  });

  test('Deliveries of one receiver and subject are sent in order, one at a time, past a failing head.', async () => {
    await engines.receiver('demo', ['user.updated']);
    const arrived: string[] = [];
    const attempts = new Map<string, number>();
    const busy = new Set<string>();
    for (let n = 0; n < 3; n += 1) {
      engines.engine(
        async ({ id, subjectKey, fact }) => {
          expect(busy.has(subjectKey)).toBe(false);
          busy.add(subjectKey);
          await sleep(Math.random() * 4);
          busy.delete(subjectKey);
          const attempt = (attempts.get(id) ?? 0) + 1;
          attempts.set(id, attempt);
          // The first delivery of each user fails twice, and every seventh once.
          const failures = fact?.data.n === 0 ? 2 : Number(fact?.data.n) % 7 === 0 ? 1 : 0;
          if (attempt <= failures) return { kind: 'failed', reason: 'not now' };
          arrived.push(`${subjectKey} ${fact?.data.n}`);
          return delivered;
        },
        { retry: { firstSeconds: 0.05, maxSeconds: 0.1, giveUpSeconds: 60 } },
      );
    }
    const people = Array.from({ length: 8 }, (_, n) => `p${n}`);
    for (let n = 0; n < 15; n += 1)
      await append(
        'demo',
        people.map((id) => factAbout(id, { n })),
      );
    await eventually(async () => (await count("deliveries WHERE state = 'delivered'")) === 120);
    for (const id of people) {
      const own = arrived.filter((line) => line.startsWith(`user:${id} `));
      expect(own).toEqual(Array.from({ length: 15 }, (_, n) => `user:${id} ${n}`));
    }
  });

  test('Deliveries that are rejected or given up no longer block later ones.', async () => {
    await engines.receiver('demo', ['user.updated']);
    const arrived: unknown[] = [];
    let failed = 0;
    engines.engine(
      async ({ fact }) => {
        if (fact?.data.n === 0) return { kind: 'refused', reason: 'never' };
        if (fact?.data.n === 1) {
          failed += 1;
          return { kind: 'failed', reason: 'down', status: 503 };
        }
        arrived.push(fact?.data.n);
        return delivered;
      },
      { retry: { firstSeconds: 0.2, maxSeconds: 0.3, giveUpSeconds: 3_600 } },
    );
    await append(
      'demo',
      [0, 1, 2].map((n) => factAbout('u1', { n })),
    );
    await eventually(async () => failed >= 2);
    expect(arrived).toEqual([]);
    // Simulates two hours of attempts.
    await engines.database.sql.query(`UPDATE auth.deliveries SET begun_at = now() - interval '2 hours'`);
    await eventually(async () => arrived.length === 1);
    const { rows } = await engines.database.sql.query<{ attempts: number }>(
      `SELECT state, attempts, last_status, last_error FROM auth.deliveries ORDER BY position`,
    );
    expect(rows).toMatchObject([
      { state: 'dead', attempts: 1, last_error: 'never' },
      { state: 'dead', last_error: 'down', last_status: 503 },
      {},
    ]);
    expect(rows[1]?.attempts).toBeGreaterThan(1);
  });

  test('Deliveries to receivers that hang do not block other receivers, regardless of the number of hanging ones.', async () => {
    const hanging = await Promise.all(
      Array.from({ length: 10 }, () => engines.receiver('demo', ['user.updated'])),
    );
    const well = await engines.receiver('demo', ['user.deleted']);
    let arrived = 0;
    let underWay = 0;
    let hang = Promise.withResolvers<void>();
    engines.engine(
      async ({ receiverId }) => {
        if (receiverId === well.id) {
          arrived += 1;
          return delivered;
        }
        underWay += 1;
        await hang.promise;
        underWay -= 1;
        return { kind: 'failed', reason: 'no answer' };
      },
      { concurrency: 40, timeoutSeconds: 60 },
    );
    await append(
      'demo',
      Array.from({ length: 100 }, (_, n) => factAbout(`u${n}`)),
    );
    await eventually(async () => underWay >= 40);
    await sleep(1_100);
    await append(
      'demo',
      Array.from({ length: 100 }, (_, n) => factAbout(`u${n}`, {}, 'user.deleted')),
    );
    // The other receivers still hang.
    await eventually(async () => arrived === 100);
    expect(underWay).toBeGreaterThanOrEqual(40);
    // From now on, each hanging receiver has one delivery in progress.
    const { resolve } = hang;
    hang = Promise.withResolvers<void>();
    resolve();
    await eventually(async () => underWay > 0 && underWay <= hanging.length);
    hang.resolve();
  });

  test('Slow receivers of one tenant do not use all slots: deliveries of other tenants are still sent.', async () => {
    const concurrency = 4;
    for (let n = 0; n < 5 * concurrency; n += 1) await engines.receiver('demo', ['user.updated']);
    const { id: paused } = await engines.receiver('demo', ['user.deleted'], { status: 'paused' });
    await engines.receiver('rival', ['user.updated']);
    let underWay = 0;
    let most = 0;
    let slow = 0;
    let startedBefore = -1;
    engines.engine(
      async ({ tenant }) => {
        if (tenant === 'rival') {
          startedBefore = slow;
          return delivered;
        }
        underWay += 1;
        slow += 1;
        most = Math.max(most, underWay);
        await sleep(1_200);
        underWay -= 1;
        return delivered;
      },
      { concurrency, timeoutSeconds: 3 },
    );
    await append(
      'demo',
      Array.from({ length: 20 }, (_, n) => factAbout(`u${n}`)),
    );
    // Notices of a pause count against the limit of the tenant like other deliveries.
    await engines.database.transaction((tx) =>
      appendDeliveries(
        tx,
        'demo',
        Array.from({ length: 3 * concurrency }, (_, n) => ({
          receiverKind: 'webhook' as const,
          receiverId: paused,
          subjectKey: `status ${n}`,
          payload: {},
          regardless: true,
        })),
      ),
    );
    const overtaken: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await sleep(500);
      startedBefore = -1;
      await append('rival', [factAbout(`r${n}`)]);
      const before = slow;
      await eventually(async () => startedBefore >= 0);
      overtaken.push(startedBefore - before);
    }
    expect(slow).toBeGreaterThan(concurrency);
    expect(most).toBeLessThanOrEqual(3 * concurrency);
    // Only deliveries that were leased before the commit may start first.
    expect(Math.max(...overtaken)).toBeLessThanOrEqual(3 * concurrency);
  });

  test('Deliveries of a paused receiver wait; those of a receiver that is gone become dead letters, including waiting ones.', async () => {
    const paused = await engines.receiver('demo', ['user.updated'], { status: 'paused' });
    const gone = await engines.receiver('demo', ['user.updated']);
    const asked: string[] = [];
    engines.engine(async ({ receiverId }) => {
      asked.push(receiverId);
      return receiverId === gone.id
        ? { kind: 'gone', reason: 'It said it is gone.', status: 410 }
        : delivered;
    });
    await append('demo', [factAbout('u1')]);
    await eventually(async () => (await count(`receivers WHERE status = 'disabled'`)) === 1);
    await append('demo', [factAbout('u2')]);
    await sleep(50);
    expect(new Set(asked)).toEqual(new Set([gone.id]));
    expect(await count(`deliveries WHERE receiver_id = '${paused.id}' AND state = 'pending'`)).toBe(2);
    expect(await count(`deliveries WHERE receiver_id = '${gone.id}'`)).toBe(1);
    expect(await count(`receivers WHERE status_reason = 'It said it is gone.'`)).toBe(1);
    await engines.database.sql.query(`UPDATE auth.receivers SET status = 'enabled' WHERE id = $1`, [
      paused.id,
    ]);
    await eventually(async () => asked.includes(paused.id));
  });

  test('Deliveries that announce a pause are sent during the pause, and those for polling receivers are not pushed.', async () => {
    const paused = await engines.receiver('demo', ['user.updated'], { status: 'paused' });
    await engines.receiver('demo', ['user.updated'], { endpoint: null });
    const sent: DueDelivery[] = [];
    engines.engine(async (delivery) => {
      sent.push(delivery);
      return delivered;
    });
    await append('demo', [factAbout('u1')]);
    await engines.database.transaction(async (tx) => {
      await appendDeliveries(tx, 'demo', [
        {
          receiverKind: 'webhook',
          receiverId: paused.id,
          subjectKey: 'status',
          payload: { n: 1 },
          regardless: true,
        },
      ]);
    });
    await eventually(async () => sent.length > 0);
    await sleep(50);
    expect(sent).toMatchObject([{ receiverId: paused.id, payload: { n: 1 } }]);
    expect(await count("deliveries WHERE state = 'pending'")).toBe(2);
  });

  test('Deliveries of a kind without a sender in this process wait for a process that has one.', async () => {
    engines.engine(async () => delivered);
    await engines.database.transaction(async (tx) => {
      await appendDeliveries(tx, 'demo', [
        {
          receiverKind: 'backchannel_logout',
          receiverId: 'a client',
          subjectKey: 'user:u1',
          payload: { sid: 's' },
        },
      ]);
    });
    await sleep(50);
    expect(await count("deliveries WHERE state = 'pending'")).toBe(1);
    const sent: DueDelivery[] = [];
    const send = async (delivery: DueDelivery) => {
      sent.push(delivery);
      return delivered;
    };
    engines.engine(send, { senders: { backchannel_logout: { send } } });
    await eventually(async () => sent.length === 1);
    expect(sent[0]).toMatchObject({
      receiverId: 'a client',
      payload: { sid: 's' },
      fact: null,
      receiver: null,
    });
  });

  test('Deliveries of a worker that stops without a result are sent again with the same id when its lease has expired.', async () => {
    await engines.receiver('demo', ['user.updated']);
    const sent: DueDelivery[] = [];
    // The sender never stores an outcome.
    const dying = engines.engine(async (delivery) => {
      sent.push(delivery);
      return new Promise(() => undefined);
    });
    await append('demo', [factAbout('u1')]);
    await eventually(async () => sent.length === 1);
    await dying.stop(0);
    await engines.database.sql.query('UPDATE auth.deliveries SET due_at = now(), leased_until = now()');
    engines.engine(async (delivery) => {
      sent.push(delivery);
      return delivered;
    });
    await eventually(async () => (await count("deliveries WHERE state = 'delivered'")) === 1);
    expect(sent.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });
});
