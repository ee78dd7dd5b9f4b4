import { DatabaseUnavailable } from '@ostiary/database';
import { type DomainEvent, readUndelivered } from '@ostiary/events';
import {
  type HttpPeer,
  isUnavailable,
  type Logger,
  NotReady,
  repeat,
  ServiceUnavailable,
  Wake,
} from '@ostiary/service';

export interface ContinuityOptions {
  /** Database of this service. `answeredAt` is measured by the same clock. */
  database: { ping(): Promise<void>; readonly answeredAt?: number };
  directory: HttpPeer;
  log: Logger;
  /** Monotonic clock in milliseconds. */
  clock?: () => number;
  /** Maximum time in milliseconds to wait for the directory once the database is readable, default 5,000. */
  patienceMs?: number;
  /** Minimum time in milliseconds without a database answer that counts as a break, default 2,000. */
  breakMs?: number | undefined;
}

/**
 * Intervals in milliseconds: between checks of the database, between checks after a failure, and the default of
 * `breakMs`.
 */
const lookEveryMs = 1_000;
const lookAgainMs = 500;
const usualBreakMs = 2_000;
/** Maximum age in milliseconds of the last database answer that replaces a ping. */
const recentMs = 600;
/** Timeout in milliseconds of one request to the directory. */
const answerMs = 1_500;
/** Maximum time in milliseconds that a request waits for a break to end. Most breaks end within 0.1 s. */
const waitMs = 2_000;
/** The same for readiness probes, which have a timeout of 2 s. */
const probeWaitMs = 1_000;

/**
 * Detects periods in which this process could not read its database. A user may have been offboarded in that period:
 * the directory has acknowledged it, but the event has not arrived here. Verifiers that rejected everything during the
 * break would become fresh again by data from this process. After a break and after the start, this process therefore
 * grants no access until it has fetched all undelivered events from the directory and processed them. It waits at most
 * `patienceMs` for a directory that does not answer.
 */
export class DirectoryContinuity {
  readonly #o: ContinuityOptions;
  readonly #now: () => number;
  /** End of the last period without a break; undefined while `start` has not been called. */
  #soundAt: number | undefined;
  /** Time since which the directory has not answered. */
  #waitingSince: number | undefined;
  /** The database refused the last connection. This does not resolve within moments, so requests do not wait. */
  #refused = false;
  #failing = false;
  readonly #wake = new Wake();
  readonly #waiting = new Set<() => void>();

  constructor(options: ContinuityOptions) {
    this.#o = options;
    this.#now = options.clock ?? (() => performance.now());
  }

  /**
   * Starts checking. A break is assumed until the first catch-up succeeds.
   * @param accept processes events; resolves after they are applied
   */
  start(accept: (events: readonly DomainEvent[]) => Promise<void>): () => Promise<void> {
    this.#soundAt = Number.NEGATIVE_INFINITY;
    const work = (): Promise<void> => this.#look(accept);
    const stop = repeat({
      name: 'continuity',
      everyMs: lookEveryMs,
      retryMs: lookAgainMs,
      wake: this.#wake,
      log: this.#o.log,
      work,
    });
    return async () => {
      await stop();
      this.#soundAt = undefined;
    };
  }

  get sound(): boolean {
    const { breakMs = usualBreakMs, database } = this.#o;
    if (this.#soundAt === undefined) return true;
    // Any answered statement proves a connection. Two answers within `breakMs` leave no break between them.
    const { answeredAt = Number.NEGATIVE_INFINITY } = database;
    if (answeredAt > this.#soundAt && answeredAt - this.#soundAt <= breakMs) this.#soundAt = answeredAt;
    return this.#now() - this.#soundAt <= breakMs;
  }

  /** Resolves when there is no break, waiting up to `waitMs`. @throws ServiceUnavailable */
  async pass(): Promise<void> {
    await this.#soundWithin(waitMs);
    this.assert();
  }

  /** Resolves like `pass`, with the shorter timeout of /readyz. @throws NotReady */
  async caughtUp(): Promise<void> {
    await this.#soundWithin(probeWaitMs);
    if (!this.sound) throw new NotReady('catching_up');
  }

  /** @throws ServiceUnavailable during a break */
  assert(): void {
    if (!this.sound) throw new ServiceUnavailable('continuity');
  }

  /** Returns the result of `read`, if there was no break before or during it. @throws ServiceUnavailable otherwise */
  async during<T>(read: () => Promise<T>): Promise<T> {
    await this.pass();
    const result = await read();
    this.assert();
    return result;
  }

  async #soundWithin(ms: number): Promise<void> {
    if (this.sound) return;
    // A waiting request starts the next check immediately, unless the last check failed.
    if (!this.#failing) this.#wake.poke();
    if (!this.#refused) await this.#soundAgain(ms);
  }

  #soundAgain(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
    });
  }

  async #look(accept: (events: readonly DomainEvent[]) => Promise<void>): Promise<void> {
    try {
      const begun = await this.#signOfLife();
      // The time that the answer took may be part of a break, so the start of the check counts.
      this.#soundAt = this.sound ? Math.max(begun, this.#soundAt ?? begun) : await this.#catchUp(accept);
      this.#refused = false;
      this.#failing = false;
    } catch (error) {
      this.#failing = true;
      // A timeout may be temporary load and is no refusal.
      this.#refused = error instanceof DatabaseUnavailable && error.cause !== undefined;
      throw error;
    } finally {
      if (this.sound || this.#refused) for (const done of [...this.#waiting]) done();
    }
  }

  /** Returns the time at which the last answered statement was sent or answered. */
  async #signOfLife(): Promise<number> {
    const now = this.#now();
    const { answeredAt = Number.NEGATIVE_INFINITY } = this.#o.database;
    if (now - answeredAt < recentMs) return answeredAt;
    await this.#ping();
    return now;
  }

  async #ping(): Promise<void> {
    try {
      await this.#o.database.ping();
    } catch (error) {
      // The time limit for the directory counts only while the database answers.
      this.#waitingSince = undefined;
      throw error;
    }
  }

  /** Returns the time up to which all undelivered events are processed, or the current time after `patienceMs`. */
  async #catchUp(accept: (events: readonly DomainEvent[]) => Promise<void>): Promise<number> {
    const begun = this.#now();
    const { log, patienceMs = 5_000 } = this.#o;
    try {
      const { askedAt, count } = await this.#takeUndelivered(accept);
      if (count > 0)
        log.info({ event: 'directory_events.caught_up', events: count }, 'Missed directory events processed');
      this.#waitingSince = undefined;
      return askedAt;
    } catch (error) {
      this.#waitingSince ??= begun;
      if (this.#now() - this.#waitingSince < patienceMs) throw error;
      log.warn(
        { event: 'directory_events.gap_unknown', err: error },
        'Directory did not return missed events; continuing without',
      );
      this.#waitingSince = undefined;
      return this.#now();
    }
  }

  async #takeUndelivered(
    accept: (events: readonly DomainEvent[]) => Promise<void>,
  ): Promise<{ askedAt: number; count: number }> {
    let after: string | undefined;
    for (let count = 0; ; ) {
      const askedAt = this.#now();
      const answer = await this.#o.directory.request<unknown>({
        method: 'GET',
        path: '/internal/v1/events/undelivered',
        query: { after },
        timeoutMs: answerMs,
      });
      // A directory of an earlier release does not have this route, so waiting does not help.
      if (answer.status === 404) return { askedAt, count };
      const page = answer.status === 200 ? readUndelivered(answer.body) : undefined;
      if (!page) throw new ServiceUnavailable('directory', { cause: `answered ${answer.status}` });
      if (page.events.length > 0) await this.#take(page.events, accept);
      count += page.events.length;
      after = page.events.at(-1)?.id;
      if (!page.more) return { askedAt, count };
    }
  }

  async #take(
    events: readonly DomainEvent[],
    accept: (events: readonly DomainEvent[]) => Promise<void>,
  ): Promise<void> {
    try {
      await accept(events);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // The queue retries the events that failed. They must not block all requests; the other events were processed.
      this.#o.log.error(
        { event: 'directory_events.catch_up_failed', err: error },
        'Missed directory events could not all be processed',
      );
    }
  }
}
