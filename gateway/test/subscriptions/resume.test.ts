import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, startValkey } from '@ostiary/embedded';
import { liveStream } from '@ostiary/events/live';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { connectWs, type Subscriber, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem } from '../support/live-system.ts';

const plain = 'subscription { userChanged { id } }';

async function sizes({ kit }: Gateway): Promise<number> {
  const text = await kit.metrics.metrics();
  return Number(/^live_subscriptions\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? -1);
}
const subscribed = (gateway: Gateway, count: number) =>
  eventually(async () => (await sizes(gateway)) === count);
const ids = ({ results }: Subscriber) => results.map(({ data }) => data?.userChanged?.id);
const codes = ({ results }: Subscriber) =>
  results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.code));

describe('a subscription resumes after a broken connection', () => {
  let system: LiveSystem;
  let one: Gateway;
  let two: Gateway;
  let token: string;

  beforeAll(async () => {
    system = await LiveSystem.start();
    one = await system.gateway();
    two = await system.gateway();
    token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
  });
  afterAll(() => system.close());

  const publish = async (count: number): Promise<string[]> => {
    const published: string[] = [];
    for (let i = 0; i < count; i += 1) published.push((await system.publish({ type: 'user.updated' })).id);
    return published;
  };

  test('A subscription can resume because every gateway delivers every event.', async () => {
    const subscribers = [one, two].map(({ url }) => subscribeSse(url, token, { query: plain }));
    await subscribed(one, 1);
    await subscribed(two, 1);
    const published = await publish(20);
    for (const subscriber of subscribers) {
      await subscriber.result(19);
      expect(ids(subscriber)).toEqual(published);
      subscriber.stop();
    }
    await subscribed(one, 0);
    await subscribed(two, 0);
  });

  test('A subscription resumes at the same gateway, another one, or over the other transport, without gaps or duplicates.', async () => {
    const first = subscribeSse(one.url, token, { query: plain });
    await subscribed(one, 1);
    const before = await publish(3);
    const last = (await first.result(2)).extensions?.eventId ?? '';
    first.stop();
    await subscribed(one, 0);
    const missed = await publish(4);
    await system.publish({ type: 'user.updated', tenant: 'rival' });
    await system.publish({ type: 'group.updated' });

    const again = [
      subscribeSse(one.url, token, { query: plain }, { lastEventId: last }),
      subscribeSse(two.url, token, { query: plain, extensions: { lastEventId: last } }),
      connectWs(two.url, { authorization: `Bearer ${token}`, lastEventId: last }).subscribe({ query: plain }),
      connectWs(one.url, { authorization: `Bearer ${token}` }).subscribe({
        query: plain,
        extensions: { lastEventId: last },
      }),
    ];
    for (const subscriber of again) await subscriber.result(3);
    const after = await publish(2);
    for (const subscriber of again) {
      await subscriber.result(5);
      expect(ids(subscriber)).toEqual([...missed, ...after]);
      subscriber.stop();
    }
    expect(before).toHaveLength(3);
    await subscribed(one, 0);
    await subscribed(two, 0);
  });

  test('A subscription resumes alternately at two gateways during publishing: each event once, in order.', async () => {
    const seen: unknown[] = [];
    const published: string[] = [];
    let publishing = true;
    let last: string | undefined;
    const teller = (async () => {
      while (publishing) published.push(...(await publish(1)));
    })();
    for (let round = 0; round < 10; round += 1) {
      const { url } = round % 2 === 0 ? one : two;
      const subscriber = subscribeSse(url, token, { query: plain }, last ? { lastEventId: last } : {});
      await subscriber.result(7);
      subscriber.stop();
      const results = subscriber.results.slice();
      seen.push(...results.map(({ data }) => data?.userChanged?.id));
      last = results.at(-1)?.extensions?.eventId;
    }
    publishing = false;
    await teller;
    const from = published.indexOf(String(seen[0]));
    expect(seen).toEqual(published.slice(from, from + seen.length));
    await subscribed(one, 0);
    await subscribed(two, 0);
  });

  test('A resumed subscription slower than the events is not disconnected, because all subscriptions share the retained events.', async () => {
    const small = await system.gateway({ limits: { waitingEvents: 5 } });
    const before = (await connectWs(small.url, { authorization: `Bearer ${token}` }).acknowledged)?.eventId;
    const quick = subscribeSse(small.url, token, { query: plain });
    await subscribed(small, 1);
    const published: string[] = [];
    // Waits for the reader: a stream delivers many events in one read.
    const notifyInStep = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        published.push(...(await publish(5)));
        await quick.result(published.length - 1);
      }
    };
    await notifyInStep(3);
    const socket = connectWs(small.url, { authorization: `Bearer ${token}` });
    await socket.acknowledged;
    (await socket.socket).pause();
    const subscriber = socket.subscribe({
      query: 'subscription { userChanged { id user { big } } }',
      extensions: { lastEventId: before as string },
    });
    await subscribed(small, 2);
    // A live subscription would have been disconnected by then.
    await notifyInStep(8);
    await quick.result(54);
    expect(ids(quick)).toEqual(published);
    (await socket.socket).resume();
    await subscriber.result(54);
    expect(ids(subscriber)).toEqual(published);
    expect(codes(subscriber)).toEqual([]);
    // After the missed events it gets live ones.
    const now = await publish(1);
    await subscriber.result(55);
    expect(ids(subscriber).slice(55)).toEqual(now);
    subscriber.stop();
    quick.stop();
    await small.close();
  });

  test('A subscription resumes from the beginning of a connection that got no event.', async () => {
    const socket = connectWs(one.url, { authorization: `Bearer ${token}` });
    const { eventId } = (await socket.acknowledged) ?? {};
    await socket.client.dispose();
    const missed = await publish(2);
    const subscriber = subscribeSse(two.url, token, { query: plain }, { lastEventId: String(eventId) });
    await subscriber.result(1);
    expect(ids(subscriber).slice(-2)).toEqual(missed);
    subscriber.stop();
  });

  test('A subscription resumes after its gateway was stopped and another one replaced it.', async () => {
    const third = await system.gateway();
    const subscriber = subscribeSse(third.url, token, { query: plain });
    await subscribed(third, 1);
    await publish(1);
    const last = (await subscriber.result(0)).extensions?.eventId ?? '';
    await third.close();
    await subscriber.ended;
    expect(codes(subscriber)).toEqual(['SHUTTING_DOWN']);
    const missed = await publish(3);
    const fourth = await system.gateway();
    const again = subscribeSse(fourth.url, token, { query: plain }, { lastEventId: last });
    await again.result(2);
    expect(ids(again)).toEqual(missed);
    again.stop();
    await fourth.close();
  });

  test('A subscription gets no event twice that another gateway delivered and this one has not read yet.', async () => {
    let before = 0;
    // On a busy machine the future position may have passed when the subscription starts: a later one is tried.
    for (let aheadMs = 800; before < 2; aheadMs *= 2) {
      const from = Date.now() + aheadMs;
      const subscriber = subscribeSse(one.url, token, { query: plain }, { lastEventId: `${from}-0` });
      await subscribed(one, 1);
      while (subscriber.results.length === 0) {
        await publish(1);
        if (Date.now() < from) before += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const eventId = subscriber.results[0]?.extensions?.eventId ?? '';
      expect(Number(eventId.split('-')[0])).toBeGreaterThanOrEqual(from);
      subscriber.stop();
      await subscribed(one, 0);
    }
  });

  test('A new subscription on a resumed socket starts at its own time.', async () => {
    const start = connectWs(one.url, { authorization: `Bearer ${token}` });
    const { eventId } = (await start.acknowledged) ?? {};
    await start.client.dispose();
    const missed = await publish(2);
    let later = 0;
    const kit = createKit({ name: 'gateway', logLevel: 'silent', clock: () => Date.now() + later });
    const third = await system.gateway({ kit, events: false });
    const socket = connectWs(third.url, { authorization: `Bearer ${token}`, lastEventId: eventId });
    const resumed = socket.subscribe({ query: plain });
    await resumed.result(1);
    expect(ids(resumed).slice(-2)).toEqual(missed);
    later = 60_000;
    const fresh = socket.subscribe({ query: plain });
    const published: string[] = [];
    while (fresh.results.length === 0) {
      published.push(...(await publish(1)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(published).toContain(ids(fresh)[0]);
    await socket.client.dispose();
    await third.close();
  });

  test.each([
    ['before everything that is kept', '1-1'],
    ['a time that has not come', `${Date.now() + 3_600_000}-0`],
    ['not a position', 'yesterday'],
    ['nothing that fits', '-'.repeat(5_000)],
  ])('A resume from a position that is %s is rejected, never guessed.', async (_, lastEventId) => {
    const subscriber = subscribeSse(one.url, token, { query: plain, extensions: { lastEventId } });
    expect(await subscriber.ended).toBe('complete');
    expect(codes(subscriber)).toEqual(['RESUME_NOT_POSSIBLE']);
  });
});

describe('when Redis loses data, subscribers are notified', () => {
  let system: LiveSystem;
  let gateway: Gateway;
  let token: string;
  let port: number;
  let server: Awaited<ReturnType<typeof startValkey>>;

  beforeAll(async () => {
    port = await freePort();
    server = await startValkey({ port, log: () => {} });
    system = await LiveSystem.start(`redis://127.0.0.1:${port}`);
    gateway = await system.gateway();
    token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
  });
  afterAll(async () => {
    await system.close();
    await server.stop();
  });

  /** Subscribes again when notified that events may have been lost; after a restart that may happen more than once. */
  const notified = async (): Promise<Subscriber> => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const subscriber = subscribeSse(gateway.url, token, { query: plain });
      await eventually(async () => subscriber.isEnded() || (await sizes(gateway)) === 1);
      if (!subscriber.isEnded()) await system.publish({ type: 'user.updated' });
      const first = await subscriber.result(0).catch(() => undefined);
      if (first?.data) return subscriber;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('no subscriber was notified');
  };

  test('Subscribers are notified after Redis was flushed, and their positions are no longer valid.', async () => {
    const subscriber = await notified();
    await system.redis.flushall();
    await system.publish({ type: 'user.updated' });
    expect(await subscriber.ended).toBe('complete');
    expect(codes(subscriber)).toEqual(['RESUME_NOT_POSSIBLE']);
    const last = subscriber.results[0]?.extensions?.eventId ?? '';
    const again = subscribeSse(gateway.url, token, { query: plain }, { lastEventId: last });
    await again.ended;
    expect(codes(again)).toEqual(['RESUME_NOT_POSSIBLE']);
    (await notified()).stop();
  });

  test('Subscribers are notified after an entry in Redis was lost.', async () => {
    await subscribed(gateway, 0);
    const subscriber = await notified();
    await system.redis.incr(`${liveStream(system.prefix)}:n`);
    await system.publish({ type: 'user.updated' });
    await subscriber.ended;
    expect(codes(subscriber)).toEqual(['RESUME_NOT_POSSIBLE']);
    (await notified()).stop();
  });

  test('Subscribers are notified after Redis was killed and restarted, and events are delivered again.', async () => {
    await subscribed(gateway, 0);
    const subscriber = await notified();
    const other = await system.gateway();
    for (const pid of server.pids) process.kill(pid, 'SIGKILL');
    await server.stop().catch(() => undefined);
    server = await startValkey({ port, log: () => {} });
    await subscriber.ended;
    expect(codes(subscriber)).toEqual(['RESUME_NOT_POSSIBLE']);
    await eventually(() => system.redis.status === 'ready');
    (await notified()).stop();
    await other.close();
  });
});

test('A resume from the last event of a restarted Redis is rejected, because later events may be lost.', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'ostiary-resume-'));
  const port = await freePort();
  let server = await startValkey({ port, dataDirectory, log: () => {} });
  const system = await LiveSystem.start(`redis://127.0.0.1:${port}`);
  try {
    const gateway = await system.gateway();
    const token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
    const subscriber = subscribeSse(gateway.url, token, { query: plain });
    await subscribed(gateway, 1);
    await system.publish({ type: 'user.updated' });
    const last = (await subscriber.result(0)).extensions?.eventId ?? '';
    for (const pid of server.pids) process.kill(pid, 'SIGKILL');
    await server.stop().catch(() => undefined);
    server = await startValkey({ port, dataDirectory, log: () => {} });
    expect(await subscriber.ended).toBe('complete');
    await eventually(() => system.redis.status === 'ready');
    const [entry] = await system.redis.xrevrange(liveStream(system.prefix), '+', '-', 'COUNT', 1);
    expect(entry?.[0]).toBe(last);
    const stale = subscribeSse(gateway.url, token, { query: plain }, { lastEventId: last });
    await stale.ended;
    expect(codes(stale)).toEqual(['RESUME_NOT_POSSIBLE']);
    // A new subscription gets the next event.
    const fresh = subscribeSse(gateway.url, token, { query: plain });
    await subscribed(gateway, 1);
    const { id } = await system.publish({ type: 'user.updated' });
    await fresh.result(0);
    expect(ids(fresh)).toEqual([id]);
    fresh.stop();
  } finally {
    await system.close();
    await server.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
