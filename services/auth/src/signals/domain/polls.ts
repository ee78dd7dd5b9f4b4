import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@ostiary/database';
import { deliveriesChannel } from '../../events/data/facts.ts';
import {
  anythingWaiting,
  noteHandedOut,
  settleDeliveries,
  type WaitingDelivery,
  waitingDeliveries,
} from '../data/signal-polls.ts';
import { findStream, type StreamOwner } from '../data/signal-streams.ts';
import type { Receiver } from './delivery.ts';
import type { PollRequest } from './poll-request.ts';
import { asksFor, unasked } from './stream-settings.ts';
import type { Transmission } from './transmission.ts';

export interface PollAnswer {
  /** Tokens by their `jti`, in the order in which they are to be taken. */
  sets: Record<string, string>;
  moreAvailable: boolean;
}

/** What receivers fetch (RFC 8936). */
export interface SignalPolls {
  /**
   * Takes acknowledgements, and hands out the oldest of what isn't acknowledged. A request that may wait does so until there
   * is something that no other request was handed lately.
   * @returns undefined when the client has no such stream that is polled
   */
  poll(
    owner: StreamOwner,
    streamId: string,
    request: PollRequest,
    asking: Asking,
  ): Promise<PollAnswer | undefined>;
  /** From now on, tells how many messages were given up because a receiver refused them, or doesn't ask for them any more. */
  onGivenUp(told: (count: number) => void): void;
  /** Learns of new messages from now on. Resolves to the function that stops it. */
  start(): Promise<() => Promise<void>>;
  /** Answers all who wait, now and from now on: the process is about to end. */
  release(): void;
}

/** Whoever waits for an answer. */
export interface Asking {
  /** Aborted when they are gone. */
  gone: AbortSignal;
  /** Throws when they aren't let in any more: asked each time before something is handed out to who has waited. */
  stillAdmitted: () => void;
}

export interface PollTimes {
  /** Longest wait, in milliseconds; shorter than proxies wait for an answer. */
  waitMs: number;
  /** Pause after which somebody who waits looks again without having been woken: another process is told of nothing here. */
  lookMs: number;
  /** Shortest pause between two looks. */
  restMs: number;
  /** For so long, who waits isn't handed what somebody else was handed. */
  handedOutSeconds: number;
}

const usualTimes: PollTimes = { waitMs: 20_000, lookMs: 1_000, restMs: 150, handedOutSeconds: 30 };

/** Whether there is something new in a tenant, since it was asked for. */
interface News {
  came: boolean;
  /** Told when it comes. */
  waiting: Set<() => void>;
}

/** Whoever asks for a stream that isn't theirs waits for nobody who does for their own. */
const keyOf = ({ tenant, clientId }: StreamOwner, streamId: string): string =>
  JSON.stringify([tenant, clientId, streamId.toLowerCase()]);

/** Requests of one stream, one tenant, and in all that may wait at the same time; more are answered at once. */
const mostWaiting = { ofStream: 4, ofTenant: 250, inAll: 1_000 };

export function createSignalPolls(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction' | 'listen'>;
  transmission: Transmission;
  times?: Partial<PollTimes>;
}): SignalPolls {
  const times = { ...usualTimes, ...o.times };
  /** How many wait, by stream, by tenant and in all. */
  const waiting = new Map<string, number>();
  /** The last of those who look at a stream. */
  const looks = new Map<string, Promise<unknown>>();
  const sleepers = new Map<string, News>();
  let givenUp: (count: number) => void = () => undefined;
  let released = false;

  /** A note names the tenant in which there is something new; without one it may be any. */
  const wake = (note: string): void => {
    for (const [tenant, sleeper] of sleepers) {
      if (note !== '' && note !== tenant) continue;
      sleepers.delete(tenant);
      sleeper.came = true;
      for (const tell of [...sleeper.waiting]) tell();
    }
  };

  function newsOf(tenant: string): News {
    const sleeper = sleepers.get(tenant) ?? { came: false, waiting: new Set() };
    sleepers.set(tenant, sleeper);
    return sleeper;
  }

  /**
   * One after the other for each stream: whoever would wait for its lock waits here, where they keep no connection from others.
   */
  async function inTurn<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const turn = (looks.get(stream) ?? Promise.resolve()).then(work);
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    looks.set(stream, done);
    try {
      return await turn;
    } finally {
      if (looks.get(stream) === done) looks.delete(stream);
    }
  }

  /** One look, under the lock of the stream: parallel requests see what the one before them was handed. */
  async function look(owner: StreamOwner, streamId: string, request: PollRequest, all: boolean) {
    const found = await o.database.transaction(async (tx) => {
      const receiver = await findStream(tx, owner, streamId, { lock: true });
      if (!receiver || receiver.endpoint !== null) return undefined;
      const refused = await settleDeliveries(tx, receiver, {
        delivered: request.ack,
        dead: request.errors.map(({ jti, reason }) => ({ id: jti, reason })),
      });
      const rows = await waitingDeliveries(tx, receiver, {
        all,
        limit: request.maxEvents + 1,
      });
      const taken = rows.slice(0, request.maxEvents);
      await noteHandedOut(
        tx,
        owner.tenant,
        taken.map(({ id }) => id),
        times.handedOutSeconds,
      );
      return { receiver, taken, refused, moreAvailable: rows.length > taken.length };
    });
    if (found && found.refused > 0) givenUp(found.refused);
    return found;
  }

  /** Tokens of what was taken. What turns out to tell nothing is done with, and what isn't asked for any more is given up. */
  async function tokens(
    receiver: Receiver,
    taken: readonly WaitingDelivery[],
  ): Promise<Record<string, string>> {
    const asked = taken.filter((one) => asksFor(receiver, one));
    const made = await Promise.all(asked.map((one) => o.transmission.tokenOf(receiver, one)));
    const idle = asked.filter((_one, index) => made[index] === undefined).map(({ id }) => id);
    const dead = taken.filter((one) => !asked.includes(one)).map(({ id }) => ({ id, reason: unasked }));
    if (idle.length + dead.length > 0) {
      const settled = { delivered: idle, dead };
      const died = await o.database.transaction((tx) => settleDeliveries(tx, receiver, settled));
      if (died > 0) givenUp(died);
    }
    return Object.fromEntries(
      asked.flatMap(({ id }, index) => (made[index] === undefined ? [] : [[id, made[index]]])),
    );
  }

  /** Until there is something for who waits here, or nobody waits any longer. */
  async function something(
    stream: { tenant: string; id: string; key: string },
    wait: { until: number; news: News; gone: AbortSignal },
  ): Promise<void> {
    let { news } = wait;
    do {
      await pause(wait.until, news, wait.gone);
      if (released || wait.gone.aborted || Date.now() >= wait.until) return;
      news = newsOf(stream.tenant);
    } while (!(await inTurn(stream.key, () => anythingWaiting(o.database.sql, stream))));
  }

  async function pause(until: number, news: News, gone: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        news.waiting.delete(done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, Math.min(times.lookMs, until - Date.now())));
      // Not a race of promises: in a tenant in which nothing happens, the one of the news would keep all the others.
      news.waiting.add(done);
      gone.addEventListener('abort', done);
      if (news.came || gone.aborted) done();
    });
    // Many messages at once are one reason to look.
    if (!gone.aborted && !released)
      await sleep(times.restMs, undefined, { signal: gone }).catch(() => undefined);
  }

  async function poll(
    owner: StreamOwner,
    streamId: string,
    first: PollRequest,
    wait: Asking & { allowed: boolean },
  ): Promise<PollAnswer | undefined> {
    const until = Date.now() + times.waitMs;
    const key = keyOf(owner, streamId);
    for (let request = first; ; request = { ...request, ack: [], errors: [] }) {
      // Asked for before the look, so that nothing is missed between the two.
      const news = newsOf(owner.tenant);
      const all = first.returnImmediately || first.maxEvents === 0;
      const found = await inTurn(key, () => look(owner, streamId, request, all));
      if (!found) return undefined;
      const { receiver, taken, moreAvailable } = found;
      const sets = await tokens(receiver, taken);
      const idle = taken.length > 0 && Object.keys(sets).length === 0;
      if (idle && moreAvailable) continue;
      if (Object.keys(sets).length > 0 || !wait.allowed) return { sets, moreAvailable };
      await something({ tenant: owner.tenant, id: streamId, key }, { until, news, gone: wait.gone });
      wait.stillAdmitted();
      if (released || wait.gone.aborted || Date.now() >= until) return { sets, moreAvailable };
    }
  }

  return {
    async poll(owner, streamId, request, asking) {
      const crowds = [
        [keyOf(owner, streamId), mostWaiting.ofStream],
        [owner.tenant, mostWaiting.ofTenant],
        ['', mostWaiting.inAll],
      ] as const;
      const crowded = crowds.some(([crowd, most]) => (waiting.get(crowd) ?? 0) >= most);
      const allowed = !request.returnImmediately && request.maxEvents > 0 && !crowded;
      if (!allowed) return poll(owner, streamId, request, { allowed, ...asking });
      for (const [crowd] of crowds) waiting.set(crowd, (waiting.get(crowd) ?? 0) + 1);
      try {
        return await poll(owner, streamId, request, { allowed, ...asking });
      } finally {
        for (const [crowd] of crowds) {
          const left = (waiting.get(crowd) ?? 1) - 1;
          if (left === 0) waiting.delete(crowd);
          else waiting.set(crowd, left);
        }
      }
    },
    onGivenUp(told) {
      givenUp = told;
    },
    start: () => o.database.listen(deliveriesChannel, wake),
    release() {
      released = true;
      wake('');
    },
  };
}
