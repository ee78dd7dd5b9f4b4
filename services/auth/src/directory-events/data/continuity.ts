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
  /** This service's own database; `answeredAt` by the same clock. */
  database: { ping(): Promise<void>; readonly answeredAt?: number };
  directory: Pick<HttpPeer, 'request'>;
  log: Logger;
  /** Milliseconds, monotonic. */
  clock?: () => number;
  /** How long the directory is waited for once the database can be read, in ms; 5,000 unless said. */
  patienceMs?: number;
  /** After how long without a sign of life from the database there was a break, in ms; 2,000 unless said. */
  breakMs?: number | undefined;
}

/** Whether what this process says about who may enter can be relied on. */
export interface Continuity {
  /** What `read` resolves with, if there was no break before it or while it ran. @throws ServiceUnavailable otherwise */
  during<T>(read: () => Promise<T>): Promise<T>;
}

/** How often a sign of life from the database is looked for, also after it gave none, and after how long without one there was a break unless said, in ms. */
const lookEveryMs = 1_000;
const lookAgainMs = 500;
const usualBreakMs = 2_000;
/** Without an answer to a statement that was sent so lately, it is asked for one, in ms. */
const recentMs = 600;
/** How long the directory may take for one answer, in ms. */
const answerMs = 1_500;
/** How long a request waits for a break to end, in ms: usually some hundredths of a second. */
const waitMs = 2_000;
/** The same for who asks whether requests should come here: a request would wait, too, and a probe has two seconds. */
const probeWaitMs = 1_000;

/**
 * Notices when this process could not read its database for a while, because one of the two was away, or hung. Somebody may
 * have left just before, which the directory has acknowledged and nobody here has heard of; and verifiers that refused everything
 * during the break would become fresh again by what they read here. So after a break, and after the start, this process answers
 * nothing that lets somebody in until it has fetched from the directory what is still undelivered, and taken it in. A directory
 * that can't be reached is waited for no longer than `patienceMs`.
 */
export class DirectoryContinuity implements Continuity {
  readonly #o: ContinuityOptions;
  readonly #now: () => number;
  /** Up to when there was no break; undefined while nobody watches. */
  #soundAt: number | undefined;
  /** The directory has not answered since then. */
  #waitingSince: number | undefined;
  /** The database refused the last connection: that won't be over within moments. */
  #refused = false;
  /** The last look found no sign of life. */
  #failing = false;
  readonly #wake = new Wake();
  readonly #waiting = new Set<() => void>();

  constructor(options: ContinuityOptions) {
    this.#o = options;
    this.#now = options.clock ?? (() => performance.now());
  }

  /**
   * Begins to watch; from this call on there is a break until the first catching up.
   * @param accept takes events in; resolves when they have had their effect
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

  /** Whether there is no break now. */
  get sound(): boolean {
    const { breakMs = usualBreakMs, database } = this.#o;
    if (this.#soundAt === undefined) return true;
    // Any statement that was answered is a sign of life. Between two that are no further apart there was no break.
    const { answeredAt = Number.NEGATIVE_INFINITY } = database;
    if (answeredAt > this.#soundAt && answeredAt - this.#soundAt <= breakMs) this.#soundAt = answeredAt;
    return this.#now() - this.#soundAt <= breakMs;
  }

  /** Resolves when there is no break, or is none any more after a moment. @throws ServiceUnavailable */
  async pass(): Promise<void> {
    await this.#soundWithin(waitMs);
    this.assert();
  }

  /** For /readyz: as `pass`, but sooner tired of waiting. @throws NotReady */
  async caughtUp(): Promise<void> {
    await this.#soundWithin(probeWaitMs);
    if (!this.sound) throw new NotReady('catching_up');
  }

  /** @throws ServiceUnavailable while there is a break */
  assert(): void {
    if (!this.sound) throw new ServiceUnavailable('continuity');
  }

  async during<T>(read: () => Promise<T>): Promise<T> {
    await this.pass();
    const result = await read();
    this.assert();
    return result;
  }

  async #soundWithin(ms: number): Promise<void> {
    if (this.sound) return;
    // Nobody waits for the time to look, unless it was just looked in vain.
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
      // The time that the answer took is part of what may have been a break.
      this.#soundAt = this.sound ? Math.max(begun, this.#soundAt ?? begun) : await this.#catchUp(accept);
      this.#refused = false;
      this.#failing = false;
    } catch (error) {
      this.#failing = true;
      // No answer in time may be a busy moment.
      this.#refused = error instanceof DatabaseUnavailable && error.cause !== undefined;
      throw error;
    } finally {
      if (this.sound || this.#refused) for (const done of [...this.#waiting]) done();
    }
  }

  /** When something was sent that the database has answered. */
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
      // Only a directory that doesn't answer while the database does is waited for in vain.
      this.#waitingSince = undefined;
      throw error;
    }
  }

  /** The moment up to which everything undelivered was taken in, or for which there was no more waiting. */
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
      // One of an earlier release, which doesn't have this: waiting wouldn't help.
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
      // Those that can't be handled are tried on by the queue, and must not shut everybody out; the others have had their effect.
      this.#o.log.error(
        { event: 'directory_events.catch_up_failed', err: error },
        'Missed directory events could not all be processed',
      );
    }
  }
}
