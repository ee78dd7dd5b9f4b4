import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '@ostiary/database';
import {
  createRedis,
  isUnavailable,
  isUuid,
  type Logger,
  type Redis,
  type Registry,
  repeat,
  ServiceUnavailable,
  type Signatures,
} from '@ostiary/service';
import type { Job, Worker } from 'bullmq';
import { type DomainEvent, eventQueue, isUnderstood, queuePrefix, type SealedJob } from './contracts.ts';
import { FailingEvents } from './failing-events.ts';
import { inboxStatements } from './inbox-statements.ts';
import { JobWorker } from './job-worker.ts';
import { consumerMetrics } from './metrics.ts';
import { tidyQueue } from './queue-maintenance.ts';
import { openJob, sealedJob } from './queues.ts';
import { inSpansOf } from './spans.ts';

/** Callback after the commit of the events' effects. It is a hint, not repeated after a failure or interruption. */
export type AfterCommit = () => Promise<void>;

/** Response of the owner about events. */
export interface Confirmation {
  /** Events to be processed, as the owner has them. */
  events: readonly DomainEvent[];
  /** Number of events unknown to the owner, which have no effect. */
  refused: number;
  /** Reason why some events could not be confirmed; they are retried. */
  failure?: unknown;
}

export interface ConsumerOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  /** Schema of inbox_entries. */
  schema: string;
  /** Name of the queue, and of the consumer that confirms its events. */
  consumer: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** With EVENT_KEY; unsealed jobs have no effect. */
  signatures: Signatures;
  log: Logger;
  metrics: Registry;
  /** Event types known to this release, default all. */
  types?: readonly string[];
  /** Maximum number of concurrent jobs of this process, default 8. */
  concurrency?: number;
  /** Retention time of inbox rows in ms, default 30 days. Must exceed that of the outbox. */
  retentionMs?: number;
  /** Interval in ms between prunings of the inbox, default five minutes. */
  pruneEveryMs?: number;
  /**
   * Reads from the owner the objects of the events, before the transaction that processes them: an event that grants access takes effect only as
   * confirmed by the owner. Events that cannot be confirmed now wait without delaying others.
   */
  confirm?(events: readonly DomainEvent[]): Promise<Confirmation>;
  /**
   * Applies the events' effects inside `tx`. Gets at least one event, and none twice. Events may be late or out of order: keep the highest `version`
   * of a subject (`inRounds` helps). Types of newer releases wait and are not passed. If it throws, each event is tried separately, and failing ones
   * are retried until they succeed.
   */
  handle(events: readonly DomainEvent[], tx: Transaction): Promise<undefined | AfterCommit> | Promise<void>;
}

/** Maximum pause in ms between attempts: after an error of the event or code, and while a dependency is unavailable. */
const longestPause = { error: 30_000, unavailable: 2000 };
/** Lock time of a job, renewal interval, and interval of the search for stalled jobs, in ms. */
const lockMs = 2000;
const lockRenewedEveryMs = 700;
const stalledIntervalMs = 2000;
/** Interval in ms of the repair of malformed queue keys. */
const tidyEveryMs = 5000;
const poisonedAfter = 5;
/** Maximum number of inbox rows deleted by one statement. */
const pruneBatchSize = 1000;

type EventJob = Job<SealedJob>;
type Way = 'queued' | 'directly';

/** Timeout in ms for closing an idle worker's connections. */
const closeConnectionMs = 500;

/** Processes the events of a queue, each with exactly one effect: the inbox row is written in its transaction. */
export class EventConsumer {
  readonly #options: ConsumerOptions;
  readonly #inbox: ReturnType<typeof inboxStatements>;
  readonly #metrics: ReturnType<typeof consumerMetrics>;
  readonly #failing: FailingEvents;
  readonly #stopped = new AbortController();
  #redis: Redis | undefined;
  #worker: Worker | undefined;
  #pruning: Promise<void> | undefined;
  #tidying: (() => Promise<void>) | undefined;
  #underWay = 0;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#inbox = inboxStatements(options.schema);
    this.#metrics = consumerMetrics(options.metrics);
    this.#failing = new FailingEvents({
      ...options,
      gauge: this.#metrics.poisoned,
      forgetAfterMs: 3 * longestPause.error,
      missing: (eventIds) => this.missing(eventIds),
    });
  }

  /** Starts. PostgreSQL and Redis need not be available yet. */
  start(): void {
    const { consumer, prefix, redisUrl, log, concurrency = 8 } = this.#options;
    this.#redis = createRedis(redisUrl, { name: `${consumer}-events`, blocking: true, log });
    this.#worker = new JobWorker(eventQueue(consumer), (job: EventJob, token) => this.#deliver(job, token), {
      connection: this.#redis,
      prefix: queuePrefix(prefix),
      concurrency,
      // Losing a lock by being slow is harmless because of the inbox. `#deliver` renews it; BullMQ's own timer would run all the time.
      lockDuration: lockMs,
      skipLockRenewal: true,
      stalledInterval: stalledIntervalMs,
      maxStalledCount: 1_000_000,
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      settings: { backoffStrategy: (attempt, _type, error) => pauseAfter(attempt, error) },
    });
    let reported = false;
    this.#worker.on('error', (error) => {
      if (!reported) log.warn({ event: 'queue.error', consumer, err: error }, 'Event queue error');
      reported = true;
    });
    this.#worker.on('active', () => {
      reported = false;
    });
    this.#tidying = this.#tidy();
    this.#pruning = this.#prune();
    this.#failing.start();
  }

  /** Returns those of the events that have had no effect yet. @throws DatabaseUnavailable */
  async missing(eventIds: readonly string[]): Promise<string[]> {
    const { database, consumer } = this.#options;
    const rows = await this.#inbox.find.rows(database.sql, { consumer, eventIds: eventIds.filter(isUuid) });
    const present = new Set(rows.map(({ eventId }) => eventId));
    return eventIds.filter((id) => !present.has(id));
  }

  /** Processes events delivered without the queue, separately if they fail together. @throws the error of the processing */
  async accept(events: readonly DomainEvent[]): Promise<void> {
    try {
      return await this.#handle(events, 'directly');
    } catch (error) {
      if (events.length === 1 || isUnavailable(error)) throw error;
    }
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const event of events)
      outcomes.push(...(await Promise.allSettled([this.#alone(event, 1, 'directly')])));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Accepts no more jobs and lets current ones finish; those unfinished after `deadlineMs` are delivered again. */
  async stop(deadlineMs = 10_000): Promise<void> {
    this.#stopped.abort();
    this.#failing.stop();
    await this.#tidying?.();
    const worker = this.#worker;
    if (!worker) return;
    const closed = worker.close().then(() => true);
    closed.catch(() => {});
    const inTime = await Promise.race([
      closed,
      // A connection that is being re-established may never close; without current jobs there is nothing to wait for.
      this.#idle().then(() => sleep(closeConnectionMs, true, { ref: false })),
      sleep(deadlineMs, false, { ref: false }),
    ]);
    if (!inTime) {
      this.#options.log.warn(
        { event: 'consumer.stopped_busy', consumer: this.#options.consumer },
        'Consumer stopped while events were being processed',
      );
    }
    await Promise.race([closed, worker.disconnect().catch(() => {}), sleep(500, undefined, { ref: false })]);
    this.#redis?.disconnect();
    await this.#pruning;
  }

  async #idle(): Promise<void> {
    while (this.#underWay > 0) await sleep(5);
  }

  async #deliver(job: EventJob, token = ''): Promise<void> {
    this.#underWay += 1;
    const renewing = setInterval(
      () => void job.extendLock(token, lockMs).catch(() => {}),
      lockRenewedEveryMs,
    );
    try {
      const { signatures, consumer, log } = this.#options;
      const events = openJob(signatures, consumer, job.data);
      // Completed: a retry would not make a forged job valid.
      if (events === undefined) {
        log.warn({ event: 'consumer.forged_job', consumer }, 'Job without a valid signature rejected');
        return this.#metrics.refused.inc({ consumer });
      }
      const attempt = job.attemptsMade + 1;
      if (events.length > 1) await this.#together(job, events, attempt);
      else for (const event of events) await this.#alone(event, attempt, 'queued');
    } finally {
      clearInterval(renewing);
      this.#underWay -= 1;
    }
  }

  /** Processes a batch in one transaction; if that fails, each event in its own, so that one cannot delay the others. */
  async #together(job: EventJob, events: readonly DomainEvent[], attempt: number): Promise<void> {
    const { consumer, log } = this.#options;
    try {
      return await this.#handle(events, 'queued');
    } catch (error) {
      log.warn(
        { event: 'consumer.batch_failed', consumer, events: events.length, err: error },
        'Event batch failed; events are processed one by one',
      );
      // An unavailable dependency would fail each event.
      if (isUnavailable(error)) throw error;
    }
    const failed: DomainEvent[] = [];
    let reason: unknown;
    for (const event of events) {
      await this.#alone(event, attempt, 'queued').catch((error: unknown) => {
        failed.push(event);
        reason = error;
      });
    }
    if (failed.length === 0) return;
    // Only an optimisation of the next attempt: the inbox has the others.
    await job.updateData(sealedJob(this.#options.signatures, consumer, failed)).catch(() => {});
    throw reason;
  }

  async #alone(event: DomainEvent, attempt: number, way: Way): Promise<void> {
    const { consumer, log } = this.#options;
    try {
      await this.#handle([event], way);
      this.#failing.worked(event.id);
    } catch (error) {
      const reason = isUnavailable(error) ? 'unavailable' : 'error';
      this.#metrics.failures.inc({ consumer, type: event.type, reason });
      if (reason === 'error' && attempt >= poisonedAfter) this.#failing.failed(event.id);
      const line = {
        consumer,
        eventId: event.id,
        type: event.type,
        tenant: event.tenant,
        attempt,
        err: error,
      };
      if (reason === 'error')
        log.error({ event: 'consumer.event_failed', ...line }, 'Event processing failed; retrying');
      else log.warn({ event: 'consumer.event_waiting', ...line }, 'Event waits for a dependency');
      throw error;
    }
  }

  /** @param way delivery path: by the queue, or directly from the owner, which then need not confirm */
  async #handle(delivered: readonly DomainEvent[], way: Way): Promise<void> {
    const { types } = this.#options;
    const understood = delivered.filter((event) => isUnderstood(event, types));
    if (understood.length > 0) await this.#known(understood, way);
    // Recording the event in the inbox would lose it; it waits for a newer process of this service.
    if (understood.length < delivered.length)
      throw new ServiceUnavailable('a newer release of this consumer');
  }

  async #known(delivered: readonly DomainEvent[], way: Way): Promise<void> {
    const { confirm, consumer, log } = this.#options;
    if (!confirm || way === 'directly') return this.#effect(delivered);
    const { events, refused, failure } = await confirm(delivered);
    if (refused > 0) {
      this.#metrics.refused.inc({ consumer }, refused);
      log.warn(
        { event: 'consumer.unknown_events', consumer, count: refused },
        'Events unknown to their owning service rejected',
      );
    }
    if (events.length > 0) await this.#effect(events);
    if (failure !== undefined) throw failure;
  }

  async #effect(events: readonly DomainEvent[]): Promise<void> {
    const { database, consumer, log, handle } = this.#options;
    const started = performance.now();
    let fresh: DomainEvent[] = [];
    const afterCommit = await inSpansOf(events, eventQueue(consumer), () =>
      database.transaction(async (tx) => {
        const eventIds = events.map(({ id }) => id);
        const rows = await this.#inbox.add.rows(tx, { eventIds, consumer });
        const unknown = new Set(rows.map(({ eventId }) => eventId));
        fresh = events.filter(({ id }) => unknown.delete(id));
        return fresh.length === 0 ? undefined : handle(fresh, tx);
      }),
    );
    this.#count(events, fresh, (performance.now() - started) / 1000);
    if (!afterCommit) return;
    try {
      await afterCommit();
    } catch (error) {
      for (const { type } of fresh) this.#metrics.afterCommitFailures.inc({ consumer, type });
      log.warn(
        { event: 'consumer.follow_up_failed', consumer, events: fresh.map(({ id }) => id), err: error },
        'Follow-up of processed events failed',
      );
    }
  }

  #count(events: readonly DomainEvent[], fresh: readonly DomainEvent[], seconds: number): void {
    const { consumer } = this.#options;
    const now = Date.now();
    const handled = new Set(fresh);
    for (const event of events) {
      const labels = { consumer, type: event.type };
      this.#failing.worked(event.id);
      if (handled.has(event)) {
        this.#metrics.processed.inc(labels);
        this.#metrics.delay.observe(labels, Math.max(0, now - Date.parse(event.occurredAt)) / 1000);
        this.#metrics.duration.observe(labels, seconds);
      } else {
        this.#metrics.duplicates.inc(labels);
      }
    }
  }

  /** Uses its own connection, because the worker's blocks. @returns a function that stops it */
  #tidy(): () => Promise<void> {
    const { consumer, prefix, redisUrl, log } = this.#options;
    const redis = createRedis(redisUrl, { name: `${consumer}-queue`, log });
    const maxDelayMs = 2 * longestPause.error;
    const stop = repeat({
      name: 'queue maintenance',
      everyMs: tidyEveryMs,
      jitter: true,
      log,
      work: async () => {
        if (redis.status === 'ready')
          await tidyQueue(redis, { consumer, prefix, maxDelayMs, stalledIntervalMs });
      },
    });
    return async () => {
      redis.disconnect();
      await stop();
    };
  }

  /** Deletes inbox rows that cannot be delivered again, every few minutes. The first run is soon, because not every process runs long. */
  async #prune(): Promise<void> {
    const { pruneEveryMs = 300_000, log, consumer } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(pruneEveryMs * (0.1 + Math.random()), undefined, { signal, ref: false }).catch(() => {});
      await this.#pruneInbox().catch((err) =>
        log.warn({ event: 'inbox.prune_failed', consumer, err }, 'Old inbox entries could not be deleted'),
      );
    }
  }

  async #pruneInbox(): Promise<void> {
    const { database, consumer, retentionMs = 30 * 86_400_000 } = this.#options;
    let deleted = pruneBatchSize;
    while (deleted === pruneBatchSize && !this.#stopped.signal.aborted) {
      deleted = await this.#inbox.prune.count(database.sql, { consumer, retentionMs, limit: pruneBatchSize });
    }
  }
}

/** Exponential from 50 ms with jitter. Retries soon after an unavailable dependency returns. */
function pauseAfter(attempt: number, error: unknown): number {
  const cap = isUnavailable(error) ? longestPause.unavailable : longestPause.error;
  return Math.round(Math.min(cap, 50 * 2 ** Math.min(attempt - 1, 20)) * (0.5 + Math.random() / 2));
}
