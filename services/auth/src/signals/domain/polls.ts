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
  /** Tokens by `jti`, in the order in which the receiver must process them. */
  sets: Record<string, string>;
  moreAvailable: boolean;
}

/** Connection of a poll request that may wait. */
export interface Asking {
  /** Aborted when the connection is closed. */
  gone: AbortSignal;
  /** Throws when the caller's token was revoked; called before a waiting request returns tokens. */
  stillAdmitted: () => void;
}

export interface PollTimes {
  /** Maximum wait in milliseconds; shorter than the timeouts of proxies. */
  waitMs: number;
  /** Milliseconds after which a waiting request checks again without notification. */
  lookMs: number;
  /** Minimum milliseconds between two checks. */
  restMs: number;
  /** Lease in seconds: other waiting requests do not get the same tokens. */
  handedOutSeconds: number;
}

const usualTimes: PollTimes = { waitMs: 20_000, lookMs: 1_000, restMs: 150, handedOutSeconds: 30 };

/** Whether a tenant was notified since a request began to wait. */
interface Notification {
  arrived: boolean;
  /** Callbacks of the waiting requests. */
  waiting: Set<() => void>;
}

/** Includes the client, so that requests for another client's stream do not delay the requests of its owner. */
const keyOf = ({ tenant, clientId }: StreamOwner, streamId: string): string =>
  JSON.stringify([tenant, clientId, streamId.toLowerCase()]);

/**
 * Maximum number of waiting requests per stream, per tenant and in total; further requests are answered immediately.
 */
const maxWaiting = { ofStream: 4, ofTenant: 250, inAll: 1_000 };

/** Serializes the checks of one stream in memory, where a waiting request holds no database connection. */
class Turns {
  /** Last queued check by stream. */
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

/** Number of waiting requests per stream, per tenant and in total. */
class Crowds {
  readonly #waiting = new Map<string, number>();

  /** @returns whether one more request may wait; the caller must then call `leave` */
  enter(owner: StreamOwner, stream: string): boolean {
    const crowds = [
      [stream, maxWaiting.ofStream],
      [owner.tenant, maxWaiting.ofTenant],
      ['', maxWaiting.inAll],
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

/** Poll-based delivery (RFC 8936). */
export class SignalPolls {
  readonly #database: Transactions;
  readonly #notices: DeliveryNotices;
  readonly #streams: StreamStore;
  readonly #store: PollStore;
  readonly #transmission: Transmission;
  readonly #times: PollTimes;
  readonly #turns = new Turns();
  readonly #crowds = new Crowds();
  readonly #notifications = new Map<string, Notification>();
  #givenUp: (count: number) => void = () => undefined;
  #released = false;

  constructor(o: {
    database: Transactions;
    notices: DeliveryNotices;
    streams: StreamStore;
    polls: PollStore;
    transmission: Transmission;
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
   * Stores acknowledgements and returns the oldest unacknowledged tokens. A request that may wait does so until there
   * is a token without a lease.
   * @returns undefined when the client has no such polling stream
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

  /**
   * Sets the listener for the number of messages that became dead letters because the receiver rejected or no longer
   * requests them.
   */
  onGivenUp(listener: (count: number) => void): void {
    this.#givenUp = listener;
  }

  /**
   * Subscribes to notifications of new messages.
   * @returns function that stops it
   */
  start(): Promise<() => Promise<void>> {
    return this.#notices.listen((tenant) => this.#wake(tenant));
  }

  /** Answers all waiting requests, and no request waits from now on: the process is about to end. */
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
      // Read before the check, so that no notification is lost between the two.
      const notification = this.#notificationOf(owner.tenant);
      const all = first.returnImmediately || first.maxEvents === 0;
      const found = await this.#turns.take(key, () => this.#look(owner, streamId, request, all));
      if (!found) return undefined;
      const { receiver, taken, moreAvailable } = found;
      const sets = await this.#tokens(receiver, taken);
      const idle = taken.length > 0 && Object.keys(sets).length === 0;
      if (idle && moreAvailable) continue;
      if (Object.keys(sets).length > 0 || !wait.allowed) return { sets, moreAvailable };
      await this.#something(
        { tenant: owner.tenant, id: streamId, key },
        { until, notification, gone: wait.gone },
      );
      wait.stillAdmitted();
      if (this.#released || wait.gone.aborted || Date.now() >= until) return { sets, moreAvailable };
    }
  }

  /** Runs one check with the stream locked: parallel requests see each other's leases. */
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

  /**
   * Returns the signed tokens. Deliveries without content are settled as delivered, and unrequested ones as dead
   * letters.
   */
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

  /** Waits until there may be a token for the request, or until its wait ends. */
  async #something(
    stream: { tenant: string; id: string; key: string },
    wait: { until: number; notification: Notification; gone: AbortSignal },
  ): Promise<void> {
    const { sql } = this.#database;
    let { notification } = wait;
    do {
      await this.#pause(wait.until, notification, wait.gone);
      if (this.#released || wait.gone.aborted || Date.now() >= wait.until) return;
      notification = this.#notificationOf(stream.tenant);
    } while (!(await this.#turns.take(stream.key, () => this.#store.anythingWaiting(sql, stream))));
  }

  async #pause(until: number, notification: Notification, gone: AbortSignal): Promise<void> {
    const longest = Math.max(0, Math.min(this.#times.lookMs, until - Date.now()));
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        notification.waiting.delete(done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, longest);
      // Callbacks instead of Promise.race: in a tenant without events, the pending promise would retain all others.
      notification.waiting.add(done);
      gone.addEventListener('abort', done);
      if (notification.arrived || gone.aborted) done();
    });
    // Debounces bursts of messages.
    if (!gone.aborted && !this.#released)
      await sleep(this.#times.restMs, undefined, { signal: gone }).catch(() => undefined);
  }

  /** A notification names the tenant; an empty one means any tenant. */
  #wake(notice: string): void {
    for (const [tenant, notification] of this.#notifications) {
      if (notice !== '' && notice !== tenant) continue;
      this.#notifications.delete(tenant);
      notification.arrived = true;
      for (const wake of [...notification.waiting]) wake();
    }
  }

  #notificationOf(tenant: string): Notification {
    const notification = this.#notifications.get(tenant) ?? { arrived: false, waiting: new Set() };
    this.#notifications.set(tenant, notification);
    return notification;
  }
}
