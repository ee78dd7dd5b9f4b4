import { beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { JWTPayload } from 'jose';
import { eventType } from '../../../src/signals/domain/event-types.ts';
import { auth, setUpTwoProcesses, twin } from '../../support/two-processes.ts';
import { eventOf, happen, Receiver, receiver } from './receiving.ts';

setUpTwoProcesses();

let app: Receiver;
let id: string;
/** The same receiver, connected to the second process. */
let elsewhere: Receiver;

beforeEach(async () => {
  app = await receiver(auth);
  id = (await app.stream()).stream_id;
  elsewhere = new Receiver(twin, app);
});

const jtis = (events: readonly JWTPayload[]) => events.map(({ jti }) => jti as string);

const happenings = async (count: number, userId = uuidv7()): Promise<string> => {
  for (let n = 0; n < count; n += 1) {
    await happen(auth, {
      type: 'session.revoked',
      subject: { kind: 'user', id: userId },
      data: { sessionId: `s-${n}` },
    });
  }
  return userId;
};

const sessionsIn = (events: readonly JWTPayload[]) =>
  events.map((token) => (token.sub_id as { session: { id: string } }).session.id);

describe('polling (RFC 8936)', () => {
  test('Polling returns events in their order, as tokens by their jti (RFC 8936).', async () => {
    const user = await happenings(3);
    const { status, headers, body } = await app.poll(id);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({ sets: expect.any(Object) });
    const events = await app.events(id);
    expect(sessionsIn(events)).toEqual(['s-0', 's-1', 's-2']);
    expect(jtis(events)).toEqual(Object.keys(body.sets));
    expect(events[0]).toMatchObject({ sub_id: { user: { sub: user } } });
  });

  test('An unacknowledged event is returned again unchanged; an acknowledged one is not.', async () => {
    await happenings(3);
    const [first, again] = [await app.events(id), await app.events(id)];
    expect(again).toEqual(first);
    const [one, two, three] = jtis(first);
    expect(jtis(await app.events(id, { ack: [two] }))).toEqual([one, three]);
    expect(jtis(await app.events(id, { ack: [one, three, two] }))).toEqual([]);
    expect(jtis(await app.events(id))).toEqual([]);
  });

  test('Events of one change about one user have one txn, and other events have others (SSF 1.0 §4.1.8).', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const one = await happen(auth, { type: 'session.revoked', traceparent });
    await happen(auth, { type: 'user.deactivated', subject: { kind: 'user', id: one }, traceparent });
    await happen(auth, { type: 'session.revoked', traceparent });
    await happen(auth, { type: 'session.revoked', subject: { kind: 'user', id: one } });
    const [revoked, disabled, deactivated, others, later] = (await app.events(id)).map(({ txn }) => txn);
    expect([disabled, deactivated]).toEqual([revoked, revoked]);
    expect(new Set([revoked, others, later]).size).toBe(3);
  });

  test('A poll returns at most the requested number of events, and indicates that there are more.', async () => {
    await happenings(5);
    const two = (await app.poll(id, { maxEvents: 2 })).body;
    expect([Object.keys(two.sets).length, two.moreAvailable]).toEqual([2, true]);
    const rest = (await app.poll(id, { maxEvents: 3, ack: Object.keys(two.sets) })).body;
    expect([Object.keys(rest.sets).length, rest.moreAvailable]).toEqual([3, undefined]);
  });

  test('A poll that requests no events only acknowledges.', async () => {
    await happenings(2);
    const [one] = jtis(await app.events(id));
    const { body } = await app.poll(id, { maxEvents: 0, ack: [one], returnImmediately: false });
    expect(body).toEqual({ sets: {}, moreAvailable: true });
    expect(await app.events(id)).toHaveLength(1);
  });

  test('An event that the receiver rejects becomes a dead letter with the reported error, and does not block the others.', async () => {
    await happenings(2);
    const [one, two] = jtis(await app.events(id));
    const errors = { [String(one)]: { err: 'invalid_key', description: 'Unknown kid' } };
    expect(jtis(await app.events(id, { setErrs: errors }))).toEqual([two]);
    const { rows } = await auth.database.sql.query<{ state: string; error: string }>(
      'SELECT state, last_error AS error FROM auth.deliveries WHERE id = $1::uuid',
      [one],
    );
    expect(rows).toEqual([{ state: 'dead', error: 'invalid_key: Unknown kid' }]);
  });

  test('Events of other receivers can be neither acknowledged nor rejected.', async () => {
    await happenings(1);
    const [jti] = jtis(await app.events(id));
    const stranger = await receiver(auth);
    const { stream_id: theirs } = await stranger.stream();
    await stranger.poll(theirs, { ack: [jti] });
    await stranger.poll(theirs, { setErrs: { [String(jti)]: { err: 'x' } } });
    expect(jtis(await app.events(id))).toEqual([jti]);
  });

  /** Returns the number of dead security events, as both processes count them. */
  const dead = async () =>
    Promise.all(
      [auth, twin].map(async ({ deps }) => {
        const text = await deps.kit.metrics.getSingleMetricAsString('outward_dead_total');
        return Number(/kind="ssf".* (\d+)$/m.exec(text)?.[1]);
      }),
    ).then(([here = 0, there = 0]) => here + there);

  test('An event that the receiver rejects is counted as given up, once.', async () => {
    await happenings(2);
    const [one] = jtis(await app.events(id));
    const before = await dead();
    const setErrs = { [String(one)]: { err: 'invalid_audience' }, [uuidv7()]: { err: 'invalid_audience' } };
    for (let times = 0; times < 2; times += 1) await app.poll(id, { setErrs });
    expect((await dead()) - before).toBe(1);
  });

  test('An event that is not polled in time is given up, and counted like an undeliverable one.', async () => {
    const before = await dead();
    await happenings(1);
    await auth.database.sql.query(
      `UPDATE auth.deliveries SET due_at = now() - interval '4 days' WHERE receiver_id = $1`,
      [id],
    );
    await eventually(async () => (await dead()) > before);
  });

  test('A stream with push delivery cannot be polled.', async () => {
    const pushed = await app.push('https://receiver.example.com/events');
    expect((await app.poll(pushed.stream_id)).status).toBe(404);
  });

  test('Parallel polls of two processes lose nothing and keep the order.', async () => {
    const user = await happenings(10);
    const taken: string[] = [];
    const work = async (who: Receiver): Promise<void> => {
      for (let ack: string[] = []; ; ) {
        const events = await who.events(id, { maxEvents: 3, ack });
        if (events.length === 0) return;
        for (const token of events) {
          const { user: about, session } = token.sub_id as Record<string, { sub: string; id: string }>;
          expect(about?.sub).toBe(user);
          if (!taken.includes(String(session?.id))) taken.push(String(session?.id));
        }
        ack = jtis(events);
      }
    };
    await Promise.all([work(app), work(elsewhere), work(app), work(elsewhere)]);
    expect(taken).toEqual(Array.from({ length: 10 }, (_, n) => `s-${n}`));
  });
});

describe('long polls', () => {
  const wait = { returnImmediately: false };

  test('A waiting poll is answered as soon as an event occurs, also in another process.', async () => {
    for (const who of [app, elsewhere]) {
      const waiting = who.events(id, wait);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const user = await happen(auth, { type: 'user.reactivated' });
      const [token] = await waiting;
      expect(token?.sub_id).toMatchObject({ sub: user });
      await who.poll(id, { ack: Object.keys((await who.poll(id)).body.sets) });
    }
  });

  test('A waiting poll does not return events just given to another poll, nor later ones about the same user.', async () => {
    const busy = await happenings(2);
    const first = await app.events(id, { ...wait, maxEvents: 1 });
    expect(sessionsIn(first)).toEqual(['s-0']);
    const waiting = elsewhere.events(id, wait);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const other = await happen(auth, { type: 'user.reactivated' });
    const seen = await waiting;
    expect(seen.map((token) => JSON.stringify(token.sub_id).includes(other))).toEqual([true, true]);
    // A poll that does not wait gets all events.
    expect((await app.events(id)).length).toBeGreaterThan(2);
    expect(busy).not.toBe(other);
  });

  test('Waiting polls beyond four of one stream are answered immediately.', async () => {
    const done: number[] = [];
    const polls = Array.from({ length: 6 }, (_, n) => app.poll(id, wait).then(() => done.push(n)));
    await eventually(async () => done.length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(done).toHaveLength(2);
    await happenings(1);
    await happen(auth, { type: 'user.reactivated' });
    await happen(auth, { type: 'user.reactivated' });
    await happen(auth, { type: 'user.reactivated' });
    await app.setStatus(id, 'disabled');
    auth.deps.signalPolls.release();
    await Promise.all(polls);
  });
});

describe('the status of a stream (SSF 1.0 §8.1.2)', () => {
  test('The status of a stream is read and set, with its reason.', async () => {
    const path = `status?stream_id=${id}`;
    expect((await app.ask('GET', path)).body).toEqual({ stream_id: id, status: 'enabled' });
    const paused = { stream_id: id, status: 'paused', reason: 'Upgrade' };
    const { status, body } = await app.ask('POST', 'status', paused);
    expect([status, body]).toEqual([200, paused]);
    expect((await app.ask('GET', path)).body).toEqual(paused);
    expect((await app.setStatus(id, 'enabled')).body).toEqual({ stream_id: id, status: 'enabled' });
  });

  test.each(['deleted', 'ENABLED', '', null, 7])('The status %p is rejected.', async (status) => {
    expect((await app.ask('POST', 'status', { stream_id: id, status })).status).toBe(400);
  });

  test('A paused stream keeps events, in order, until it is enabled again.', async () => {
    await happenings(1);
    await app.setStatus(id, 'paused');
    await happen(auth, { type: 'user.deactivated' });
    expect(await app.events(id)).toEqual([]);
    await app.setStatus(id, 'enabled');
    const events = await app.events(id);
    expect(events.map((token) => eventOf(token)[0])).toEqual([
      eventType.sessionRevoked,
      eventType.accountDisabled,
      eventType.scimDeactivate,
    ]);
  });

  test('A disabled stream drops waiting events and new ones.', async () => {
    await happenings(1);
    await app.setStatus(id, 'disabled');
    await happenings(1);
    expect(await app.events(id)).toEqual([]);
    const waits = async () => {
      const { rows } = await auth.database.sql.query<{ state: string }>(
        'SELECT state FROM auth.deliveries WHERE receiver_id = $1',
        [id],
      );
      return rows.map(({ state }) => state);
    };
    expect(await waits()).toEqual(['dead']);
    await app.setStatus(id, 'enabled');
    expect(await app.events(id)).toEqual([]);
    const user = await happen(auth, { type: 'user.reactivated' });
    expect((await app.events(id))[0]).toMatchObject({ sub_id: { sub: user } });
  });
});
