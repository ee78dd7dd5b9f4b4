import { setTimeout as sleep } from 'node:timers/promises';
import type { Transactions } from '@ostiary/service';
import type { Receiver } from './delivery.ts';
import type { DeliveryNotices } from './delivery-queue.ts';
import type { PollRequest } from './poll-request.ts';
import type { PollStore, WaitingDelivery } from './poll-store.ts';
import { asksFor, unasked } from './stream-settings.ts';
import type { StreamOwner, StreamStore } from './stream-store.ts';
import type { Transmission } from './transmission.ts';

export interface PollAnswer {
  /** Tokens by their `jti`, in the order in which they are to be taken. */
  sets: Record<string, string>;
  moreAvailable: boolean;
}

/** A request that may wait for an answer. */
export interface Asking {
  /** Aborted when the connection is closed. */
  gone: AbortSignal;
  /** Throws when the caller isn't admitted any more: called each time before something is handed out to a request that waited. */
  stillAdmitted: () => void;
}

export interface PollTimes {
  /** Longest wait, in milliseconds; shorter than proxies wait for an answer. */
  waitMs: number;
  /** Pause after which a request that waits looks again without having been woken: another process announces nothing here. */
  lookMs: number;
  /** Shortest pause between two looks. */
  restMs: number;
  /** For so long, a request that waits isn't handed what another one was handed. */
  handedOutSeconds: number;
}

const usualTimes: PollTimes = { waitMs: 20_000, lookMs: 1_000, restMs: 150, handedOutSeconds: 30 };

/** Whether there is something new in a tenant, since it was asked for. */
interface News {
  came: boolean;
  /** Called when it comes. */
  waiting: Set<() => void>;
}

/** A request for a stream that isn't the client's own never waits for one of the client it belongs to. */
const keyOf = ({ tenant, clientId }: StreamOwner, streamId: string): string =>
  JSON.stringify([tenant, clientId, streamId.toLowerCase()]);

/** Requests of one stream, one tenant, and in all that may wait at the same time; more are answered at once. */
const mostWaiting = { ofStream: 4, ofTenant: 250, inAll: 1_000 };

/** Has those who look at the same stream do so one after the other: they wait here, where they keep no connection from others. */
class Turns {
  /** The last of those who look at a stream. */
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(stream) ?? Promise.resolve()).then(work);
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(stream, done);
    try {
      return await turn;
    } finally {
      if (this.#last.get(stream) === done) this.#last.delete(stream);
    }
  }
}

/** How many requests wait: of a stream, of a tenant, and in all. */
class Crowds {
  readonly #waiting = new Map<string, number>();

  /** @returns whether one more may wait; then `leave` has to follow */
  enter(owner: StreamOwner, stream: string): boolean {
    const crowds = [
      [stream, mostWaiting.ofStream],
      [owner.tenant, mostWaiting.ofTenant],
      ['', mostWaiting.inAll],
    ] as const;
    if (crowds.some(([crowd, most]) => (this.#waiting.get(crowd) ?? 0) >= most)) return false;
    for (const [crowd] of crowds) this.#waiting.set(crowd, (this.#waiting.get(crowd) ?? 0) + 1);
    return true;
  }

  leave(owner: StreamOwner, stream: string): void {
    for (const crowd of [stream, owner.tenant, '']) {
      const left = (this.#waiting.get(crowd) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(crowd);
      else this.#waiting.set(crowd, left);
    }
  }
}

/** What receivers fetch (RFC 8936). */
export class SignalPolls {
  readonly #database: Transactions;
  readonly #notices: DeliveryNotices;
  readonly #streams: Pick<StreamStore, 'find'>;
  readonly #store: PollStore;
  readonly #transmission: Pick<Transmission, 'tokenOf'>;
  readonly #times: PollTimes;
  readonly #turns = new Turns();
  readonly #crowds = new Crowds();
  readonly #sleepers = new Map<string, News>();
  #givenUp: (count: number) => void = () => undefined;
  #released = false;

  constructor(o: {
    database: Transactions;
    notices: DeliveryNotices;
    streams: Pick<StreamStore, 'find'>;
    polls: PollStore;
    transmission: Pick<Transmission, 'tokenOf'>;
    times?: Partial<PollTimes>;
  }) {
    this.#database = o.database;
    this.#notices = o.notices;
    this.#streams = o.streams;
    this.#store = o.polls;
    this.#transmission = o.transmission;
    this.#times = { ...usualTimes, ...o.times };
  }

  /**
   * Takes acknowledgements, and hands out the oldest of what isn't acknowledged. A request that may wait does so until there
   * is something that no other request was handed lately.
   * @returns undefined when the client has no such stream that is polled
   */
  async poll(
    owner: StreamOwner,
    streamId: string,
    request: PollRequest,
    asking: Asking,
  ): Promise<PollAnswer | undefined> {
    const stream = keyOf(owner, streamId);
    const allowed = !request.returnImmediately && request.maxEvents > 0 && this.#crowds.enter(owner, stream);
    if (!allowed) return this.#poll(owner, streamId, request, { allowed, ...asking });
    try {
      return await this.#poll(owner, streamId, request, { allowed, ...asking });
    } finally {
      this.#crowds.leave(owner, stream);
    }
  }

  /** From now on, says how many messages were given up because a receiver refused them, or doesn't ask for them any more. */
  onGivenUp(listener: (count: number) => void): void {
    this.#givenUp = listener;
  }

  /** Learns of new messages from now on. Resolves to the function that stops it. */
  start(): Promise<() => Promise<void>> {
    return this.#notices.listen((tenant) => this.#wake(tenant));
  }

  /** Answers all who wait, now and from now on: the process is about to end. */
  release(): void {
    this.#released = true;
    this.#wake('');
  }

  async #poll(
    owner: StreamOwner,
    streamId: string,
    first: PollRequest,
    wait: Asking & { allowed: boolean },
  ): Promise<PollAnswer | undefined> {
    const until = Date.now() + this.#times.waitMs;
    const key = keyOf(owner, streamId);
    for (let request = first; ; request = { ...request, ack: [], errors: [] }) {
      // Asked for before the look, so that nothing is missed between the two.
      const news = this.#newsOf(owner.tenant);
      const all = first.returnImmediately || first.maxEvents === 0;
      const found = await this.#turns.take(key, () => this.#look(owner, streamId, request, all));
      if (!found) return undefined;
      const { receiver, taken, moreAvailable } = found;
      const sets = await this.#tokens(receiver, taken);
      const idle = taken.length > 0 && Object.keys(sets).length === 0;
      if (idle && moreAvailable) continue;
      if (Object.keys(sets).length > 0 || !wait.allowed) return { sets, moreAvailable };
      await this.#something({ tenant: owner.tenant, id: streamId, key }, { until, news, gone: wait.gone });
      wait.stillAdmitted();
      if (this.#released || wait.gone.aborted || Date.now() >= until) return { sets, moreAvailable };
    }
  }

  /** One look, under the lock of the stream: parallel requests see what the one before them was handed. */
  async #look(owner: StreamOwner, streamId: string, request: PollRequest, all: boolean) {
    const found = await this.#database.transaction(async (tx) => {
      const receiver = await this.#streams.find(tx, owner, streamId, { lock: true });
      if (!receiver || receiver.endpoint !== null) return undefined;
      const refused = await this.#store.settle(tx, receiver, {
        delivered: request.ack,
        dead: request.errors.map(({ jti, reason }) => ({ id: jti, reason })),
      });
      const rows = await this.#store.waiting(tx, receiver, {
        all,
        limit: request.maxEvents + 1,
      });
      const taken = rows.slice(0, request.maxEvents);
      const ids = taken.map(({ id }) => id);
      await this.#store.noteHandedOut(tx, owner.tenant, ids, this.#times.handedOutSeconds);
      return { receiver, taken, refused, moreAvailable: rows.length > taken.length };
    });
    if (found && found.refused > 0) this.#givenUp(found.refused);
    return found;
  }

  /** Tokens of what was taken. What turns out to tell nothing is done with, and what isn't asked for any more is given up. */
  async #tokens(receiver: Receiver, taken: readonly WaitingDelivery[]): Promise<Record<string, string>> {
    const asked = taken.filter((one) => asksFor(receiver, one));
    const made = await Promise.all(asked.map((one) => this.#transmission.tokenOf(receiver, one)));
    const idle = asked.filter((_one, index) => made[index] === undefined).map(({ id }) => id);
    const dead = taken.filter((one) => !asked.includes(one)).map(({ id }) => ({ id, reason: unasked }));
    if (idle.length + dead.length > 0) {
      const settled = { delivered: idle, dead };
      const died = await this.#database.transaction((tx) => this.#store.settle(tx, receiver, settled));
      if (died > 0) this.#givenUp(died);
    }
    return Object.fromEntries(
      asked.flatMap(({ id }, index) => (made[index] === undefined ? [] : [[id, made[index]]])),
    );
  }

  /** Until there is something for the request that waits here, or it waits no longer. */
  async #something(
    stream: { tenant: string; id: string; key: string },
    wait: { until: number; news: News; gone: AbortSignal },
  ): Promise<void> {
    const { sql } = this.#database;
    let { news } = wait;
    do {
      await this.#pause(wait.until, news, wait.gone);
      if (this.#released || wait.gone.aborted || Date.now() >= wait.until) return;
      news = this.#newsOf(stream.tenant);
    } while (!(await this.#turns.take(stream.key, () => this.#store.anythingWaiting(sql, stream))));
  }

  async #pause(until: number, news: News, gone: AbortSignal): Promise<void> {
    const longest = Math.max(0, Math.min(this.#times.lookMs, until - Date.now()));
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        news.waiting.delete(done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, longest);
      // Not a race of promises: in a tenant in which nothing happens, the one of the news would keep all the others.
      news.waiting.add(done);
      gone.addEventListener('abort', done);
      if (news.came || gone.aborted) done();
    });
    // Many messages at once are one reason to look.
    if (!gone.aborted && !this.#released)
      await sleep(this.#times.restMs, undefined, { signal: gone }).catch(() => undefined);
  }

  /** A notice names the tenant in which there is something new; without one it may be any. */
  #wake(notice: string): void {
    for (const [tenant, sleeper] of this.#sleepers) {
      if (notice !== '' && notice !== tenant) continue;
      this.#sleepers.delete(tenant);
      sleeper.came = true;
      for (const wake of [...sleeper.waiting]) wake();
    }
  }

  #newsOf(tenant: string): News {
    const sleeper = this.#sleepers.get(tenant) ?? { came: false, waiting: new Set() };
    this.#sleepers.set(tenant, sleeper);
    return sleeper;
  }
}
