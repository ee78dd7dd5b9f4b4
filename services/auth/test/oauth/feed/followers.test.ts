import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { fastify } from 'fastify';
import type { AudienceFeed } from '../../../src/oauth/feed/domain/audience-feed.ts';
import { Followers } from '../../../src/oauth/feed/domain/followers.ts';
import { PublicFeed } from '../../../src/oauth/feed/domain/public-feed.ts';
import { revocationFeedEndpoint } from '../../../src/oauth/feed/revocation-feed.http.ts';
import { double } from '../../support/double.ts';
import { auth, type Credentials, setUpIntrospecting, signIn, twin } from '../../support/introspecting.ts';
import { publicClient, type RunningAuth, register } from '../../support/running-auth.ts';
import { digestOf, Follower, orders, type Page, pageOf, resourceServer } from './follower.ts';

setUpIntrospecting();

let api: Credentials;
beforeAll(async () => {
  api = await resourceServer();
});

const held = async () => {
  const { client } = await register(auth, { ...publicClient, resources: [orders] });
  return signIn({ clientId: client.clientId, resources: [orders] });
};

/** Offboards a user like the process that receives the directory's event. */
async function offboard(id: string): Promise<void> {
  const change = {
    id,
    version: 1_000n,
    active: false,
    deleted: false,
    restorable: false,
    reactivated: false,
  };
  const profile = { userName: 'alice', emails: [] };
  const { revocations } = await auth.database.transaction((tx) =>
    auth.deps.subjects.applyChange(tx, 'demo', { ...change, profile }),
  );
  await auth.deps.revocations.publish(revocations);
}

describe('many followers', () => {
  test('Each of 200 followers at two processes gets an offboarding exactly once.', async () => {
    const leaver = await held();
    const followers = Array.from(
      { length: 200 },
      (_, n) => new Follower({ by: api, at: n % 2 === 0 ? auth : twin }),
    );
    for (const follower of followers) await follower.follow();
    const digest = digestOf(followers[0]?.page?.digest_key ?? '', 'sub', leaver.person.subjectId);
    // Each follower continues at the other process half of the time.
    const following = followers.map(async (follower, n) => {
      for (let turn = 0; !follower.revokes(leaver.token); turn += 1)
        await follower.follow({ at: (n + turn) % 4 < 2 ? auth : twin, wait: 10 });
      await follower.follow({ at: n % 3 === 0 ? auth : twin });
    });
    await eventually(() => auth.deps.followers.count + twin.deps.followers.count >= 150);
    await offboard(leaver.person.subjectId);
    await Promise.all(following);
    const times = followers.map(({ entries }) => entries.filter((entry) => entry.digest === digest).length);
    expect(new Set(times)).toEqual(new Set([1]));
  });

  test('A thousand held requests send no statement while nothing is revoked, and afterwards as many as one would.', async () => {
    const client = await auth.deps.clients.find('demo', api[0]);
    if (!client) throw new Error('there is no client');
    const { cursor } = await pageOf({ by: api });
    const gone = new AbortController();
    const request = { client, audience: orders, after: cursor, gone: gone.signal };
    const before = auth.deps.followers.count;
    let pages: Promise<Buffer>[] = [];
    const about = (statements: readonly string[]) =>
      statements.filter((text) => /revocations r\s+WHERE r\.tenant|FROM auth\.clients c/.test(text));
    // Reads the client again if an earlier test changed the tenant.
    await auth.deps.tenantChanges.hear();
    await auth.deps.clients.find('demo', api[0]);
    const idle = await statementsDuring(
      async () => {
        pages = Array.from({ length: 1_000 - before }, () => auth.deps.publicFeed.page(request, 8_000));
        await eventually(() => auth.deps.followers.count === 1_000);
        await new Promise((resolve) => setTimeout(resolve, 2_500));
      },
      () => true,
    );
    expect(about(idle)).toEqual([]);
    const leaver = await held();
    const woken = await statementsDuring(
      async () => {
        await auth.deps.subjects.signOutEverywhere('demo', leaver.person.subjectId);
        await Promise.all(pages);
      },
      () => true,
    );
    const ofFeed = about(woken).filter((text) => /r\.tenant|subject_type/.test(text));
    // Readings of both processes, and the pairwise clients at one of them.
    expect(ofFeed.length).toBeGreaterThan(0);
    expect(ofFeed.length).toBeLessThanOrEqual(6);
    const bodies = new Set(
      (await Promise.all(pages)).map((page) => (JSON.parse(String(page)) as Page).cursor),
    );
    expect(bodies.size).toBe(1);
  });

  test('Repeated requests of followers without new entries send only statements that fill caches.', async () => {
    const follower = new Follower({ by: api });
    await follower.follow();
    const sent = await statementsDuring(
      async () => {
        for (let n = 0; n < 50; n += 1) await follower.follow();
      },
      () => currentRequestId() !== undefined,
    );
    expect(sent.filter((text) => !/tenant_changes|FROM "?auth"?\."?(tenants|clients)/.test(text))).toEqual(
      [],
    );
  });
});

describe('limits', () => {
  const clientOf = (clientId: string, tenant = 'demo') => ({ tenant, clientId });
  const { signal } = new AbortController();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const slowDown = { code: 'slow_down', statusCode: 429, retryAfterSeconds: 5 };

  /** Takes places for clients until one is rejected. @returns the number of places and the rejection */
  async function fill(followers: Followers, tenant: string, clients: readonly string[]) {
    const before = followers.count;
    for (let turn = 0; ; turn += 1) {
      const client = clientOf(clients[turn % clients.length] ?? '', tenant);
      const held = followers.hold(client, signal, () => end);
      if (followers.count === before + turn + 1) held.catch(() => undefined);
      else return { places: turn, rejection: await held.catch((error: unknown) => error) };
    }
  }

  test('Held requests are limited per client, and each ends its place.', async () => {
    const followers = new Followers({ ofClient: 2, inAll: 100 });
    const ended = Promise.withResolvers<void>();
    const hold = (id: string) => followers.hold(clientOf(id), signal, () => ended.promise);
    const first = [hold('a'), hold('a'), hold('b')];
    await expect(hold('a')).rejects.toMatchObject(slowDown);
    expect(followers.count).toBe(3);
    ended.resolve();
    await Promise.all(first);
    expect(followers.count).toBe(0);
    await hold('a');
  });

  test('The clients of one tenant cannot take the places of other tenants.', async () => {
    const followers = new Followers();
    const greedy = await fill(followers, 'demo', ['a', 'b', 'c', 'd']);
    expect(greedy).toMatchObject({ places: 1_500, rejection: slowDown });
    expect(await fill(followers, 'rival', ['a'])).toMatchObject({ places: 750, rejection: slowDown });
    expect((await fill(followers, 'third', ['a', 'b'])).places).toBe(375);
    resolve();
  });

  test('A full process rejects every request with 503.', async () => {
    const followers = new Followers({ inAll: 1 });
    const ended = Promise.withResolvers<void>();
    const held = followers.hold(clientOf('a'), signal, () => ended.promise);
    await expect(followers.hold(clientOf('a', 'rival'), signal, () => end)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      statusCode: 503,
      retryAfterSeconds: 5,
    });
    ended.resolve();
    await held;
  });
});

/** Reads events of a stream until it ends or the test stops it. */
class EventStream {
  readonly #stop = new AbortController();
  readonly events: { id: string; page: Page }[] = [];
  status = 0;
  type: string | null = null;
  ended = false;

  async open(by: Credentials, o: { at?: RunningAuth; lastId?: string; query?: string } = {}): Promise<this> {
    const { at = auth, lastId, query = '' } = o;
    const response = await fetch(`${at.origin}/t/demo/revocations${query}`, {
      headers: {
        authorization: `Basic ${btoa(by.join(':'))}`,
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      signal: this.#stop.signal,
    });
    this.status = response.status;
    this.type = response.headers.get('content-type');
    if (response.status === 200) void this.#read(response).catch(() => undefined);
    return this;
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, id = '', data = ''] = /^id: (.*)\nevent: page\ndata: (.*)$/.exec(part) ?? [];
        this.events.push({ id, page: JSON.parse(data) as Page });
      }
    }
    this.ended = true;
  }

  get digests(): (string | undefined)[] {
    return this.events.flatMap(({ page }) => page.entries.map(({ digest }) => digest));
  }

  close(): void {
    this.#stop.abort();
  }
}

describe('server-sent events', () => {
  test('A stream sends all entries, new ones of either process, and its completeness; it resumes without repetition.', async () => {
    const first = await new EventStream().open(api);
    expect([first.status, first.type]).toEqual([200, 'text/event-stream']);
    await eventually(() => first.events.length > 0);
    const key = first.events[0]?.page.digest_key ?? '';
    const [leaver, later] = [await held(), await held()];
    const digest = (of: typeof leaver) => digestOf(key, 'sub', of.person.subjectId);
    await offboard(leaver.person.subjectId);
    await eventually(() => first.digests.includes(digest(leaver)));
    // An event without entries states that the follower lacks none.
    const known = first.events.length;
    await eventually(() => first.events.length > known + 1);
    const completeness = first.events.map(({ page }) => page.complete_after_ms ?? Number.NaN);
    expect(completeness.at(-1)).toBeGreaterThan(completeness[0] ?? 0);
    first.close();
    await eventually(() => auth.deps.followers.count === 0);

    await offboard(later.person.subjectId);
    const lastId = first.events.at(-1)?.id ?? '';
    for (const at of [auth, twin]) {
      const resumed = await new EventStream().open(api, { at, lastId, query: '?after=ignored' });
      await eventually(() => resumed.digests.includes(digest(later)));
      expect(resumed.digests.filter((one) => one === digest(later))).toHaveLength(1);
      expect(resumed.digests).not.toContain(digest(leaver));
      resumed.close();
    }
  });

  test('A request of a stream with a foreign cursor or a wrong secret is rejected with a status.', async () => {
    expect((await new EventStream().open(api, { lastId: 'x' })).status).toBe(400);
    expect((await new EventStream().open([api[0], 'wrong'])).status).toBe(401);
  });

  test('A stream ends when its client loses access or gets another secret.', async () => {
    const registry = auth.deps.clientRegistry;
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => registry.disable('demo', id),
      (id) => registry.rotateSecret('demo', id),
    ];
    for (const change of changes) {
      const by = await resourceServer();
      const streams = await Promise.all([auth, twin].map((at) => new EventStream().open(by, { at })));
      await eventually(() => streams.every(({ events }) => events.length > 0));
      await change(by[0]);
      await eventually(() => streams.every(({ ended }) => ended));
    }
  });

  test('Streams at the same position share the bytes of a page.', async () => {
    const client = await auth.deps.clients.find('demo', api[0]);
    if (!client) throw new Error('there is no client');
    const bytesOf = async () => {
      const gone = new AbortController();
      let bytes: Buffer | undefined;
      const request = { client, audience: orders, after: undefined, gone: gone.signal };
      await auth.deps.publicFeed.stream(request, async ({ data }) => {
        bytes = data;
        gone.abort();
      });
      return bytes;
    };
    const bytes = await bytesOf();
    expect(bytes).toBeInstanceOf(Buffer);
    expect(await bytesOf()).toBe(bytes);
  });

  test('A stream whose client does not read keeps at most three pages in memory, and ends at its time.', async () => {
    // Larger than the buffers of both sockets.
    const json = Buffer.from(`{"entries":"${'x'.repeat(24_000_000)}"`);
    const page = { json, cursor: 'c', isEmpty: false, more: true };
    let sent = 0;
    const pages = double<AudienceFeed>({
      async page(log) {
        sent += 1;
        return { page: { ...page, next: log.head }, completeAt: 0 };
      },
    });
    const { deps } = auth;
    const logs = deps.revocationLogs;
    const times = { streamMs: 500 };
    const publicFeed = new PublicFeed({ ...deps, logs, pages, clock: Date.now, times });
    const app = fastify();
    revocationFeedEndpoint(app, { ...deps, publicFeed });
    try {
      const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
      const socket = connect(Number(port), '127.0.0.1').pause();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined);
      const authorization = `Authorization: Basic ${btoa(api.join(':'))}`;
      const head = ['GET /t/demo/revocations HTTP/1.1', 'Host: id.test', 'Accept: text/event-stream'];
      socket.write([...head, authorization, '', ''].join('\r\n'));
      await eventually(() => sent > 0);
      await eventually(() => deps.followers.count === 0);
      // One waits in the socket, one in the stream.
      expect(sent).toBeLessThanOrEqual(3);
      socket.resume();
      await closed;
    } finally {
      await app.close();
    }
  });
});
