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
import { tidyQueue } from './queue-upkeep.ts';
import { openJob, sealedJob } from './queues.ts';
import { inSpansOf } from './spans.ts';

/** Runs once the events' effects are committed; a hint to others, as it is not repeated when it fails or is cut off. */
export type AfterCommit = () => Promise<void>;

/** What the owner said about events. */
export interface Confirmation {
  /** To be handled, as the owner has them. */
  events: readonly DomainEvent[];
  /** Events that the owner doesn't know: they have no effect. */
  refused: number;
  /** Why some could not be asked about; they are tried again. */
  failure?: unknown;
}

export interface ConsumerOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  /** The schema that holds inbox_entries. */
  schema: string;
  /** Whose queue to read; the name under which events are confirmed. */
  consumer: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** By EVENT_KEY: what isn't sealed with it has no effect. */
  signatures: Signatures;
  log: Logger;
  metrics: Registry;
  /** The types that this release knows; all of them unless said. */
  types?: readonly string[];
  /** Jobs, of one or many events, handled at the same time by this process; 8 unless said. */
  concurrency?: number;
  /** How long the inbox remembers, in ms; 30 days unless said. Must exceed the outbox's retention. */
  retentionMs?: number;
  /** How often the inbox is tidied, in ms; five minutes unless said. */
  pruneEveryMs?: number;
  /**
   * Asks the owner of what the events describe, before the transaction in which they are handled: what lets somebody in has
   * its effect by the owner's word and not by that of a message. What can't be asked now waits; the others don't.
   */
  confirm?(events: readonly DomainEvent[]): Promise<Confirmation>;
  /**
   * Makes the events' effects, inside `tx`. There is at least one event, and none twice. Events may come late or out of
   * order: keep the highest `version` of a subject (`inRounds` helps). What a newer release has added isn't given to it: that
   * waits. When it throws, each event is tried by itself, and what fails then is tried again until it works.
   */
  handle(events: readonly DomainEvent[], tx: Transaction): Promise<undefined | AfterCommit> | Promise<void>;
}

/** Longest pause between two attempts, in ms: for a fault in the event or the code, and for a dependency that is away. */
const longestPause = { error: 30_000, unavailable: 2000 };
/** How long a job is its worker's without a sign of life, how often one is given, and looked for, in ms: it is taken over within about four seconds. */
const lockMs = 2000;
const lockRenewedEveryMs = 700;
const stalledIntervalMs = 2000;
/** How often the queue is put in order, in ms. */
const tidyEveryMs = 5000;
const poisonedAfter = 5;
/** Inbox rows one statement deletes. */
const pruneAtOnce = 1000;

type EventJob = Job<SealedJob>;
type Way = 'queued' | 'directly';

/** How long an idle worker's connections may take to close. */
const closeConnectionMs = 500;

/**
 * Handles the events of one queue, each with exactly one effect: the inbox row is written in the effect's transaction,
 * so a second delivery finds it and does nothing.
 */
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

  /** Starts working. Needs neither PostgreSQL nor Redis to be there yet. */
  start(): void {
    const { consumer, prefix, redisUrl, log, concurrency = 8 } = this.#options;
    this.#redis = createRedis(redisUrl, { name: `${consumer}-events`, blocking: true, log });
    this.#worker = new JobWorker(eventQueue(consumer), (job: EventJob, token) => this.#deliver(job, token), {
      connection: this.#redis,
      prefix: queuePrefix(prefix),
      concurrency,
      // Losing a lock by being slow is harmless: the inbox sees to it. `#deliver` renews it; BullMQ's own timer would go all the time.
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

  /** Which of these events have had no effect here (yet). @throws DatabaseUnavailable */
  async missing(eventIds: readonly string[]): Promise<string[]> {
    const { database, consumer } = this.#options;
    const rows = await this.#inbox.find.rows(database.sql, { consumer, eventIds: eventIds.filter(isUuid) });
    const present = new Set(rows.map(({ eventId }) => eventId));
    return eventIds.filter((id) => !present.has(id));
  }

  /**
   * Takes in events that came past the queue: what has had its effect is left alone. Each is tried by itself when together
   * they fail. @throws what handling threw; then they are to be sent again
   */
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

  /** Takes no more events and lets those under way finish; what hasn't after `deadlineMs` is delivered again later. */
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
      // A connection that is just being re-established may never close; with nothing under way there is nothing to wait for.
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
      // Done with: what isn't ours would be no more so when tried again.
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

  /** A batch in one transaction; when that fails, each event in its own, so that one can't hold up the others. */
  async #together(job: EventJob, events: readonly DomainEvent[], attempt: number): Promise<void> {
    const { consumer, log } = this.#options;
    try {
      return await this.#handle(events, 'queued');
    } catch (error) {
      log.warn(
        { event: 'consumer.batch_failed', consumer, events: events.length, err: error },
        'Event batch failed; events are processed one by one',
      );
      // Whatever is away is away for each of them.
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
    // Only to spare the next attempt from looking at the others: the inbox has them.
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

  /** @param way how they came: by the queue, or from their owner itself, who needn't be asked then */
  async #handle(delivered: readonly DomainEvent[], way: Way): Promise<void> {
    const { types } = this.#options;
    const understood = delivered.filter((event) => isUnderstood(event, types));
    if (understood.length > 0) await this.#known(understood, way);
    // With the inbox saying that it has had its effect it would be lost: it waits until a newer process of this service takes it.
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

  /** A connection that blocks is no use for it. @returns the way to stop it */
  #tidy(): () => Promise<void> {
    const { consumer, prefix, redisUrl, log } = this.#options;
    const redis = createRedis(redisUrl, { name: `${consumer}-queue`, log });
    const longestDelayMs = 2 * longestPause.error;
    const stop = repeat({
      name: 'queue upkeep',
      everyMs: tidyEveryMs,
      jitter: true,
      log,
      work: async () => {
        if (redis.status === 'ready')
          await tidyQueue(redis, { consumer, prefix, longestDelayMs, stalledIntervalMs });
      },
    });
    return async () => {
      redis.disconnect();
      await stop();
    };
  }

  /** Forgets, every few minutes, what can't be delivered again. The first round is soon: not every process lives long. */
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
    let deleted = pruneAtOnce;
    while (deleted === pruneAtOnce && !this.#stopped.signal.aborted) {
      deleted = await this.#inbox.prune.count(database.sql, { consumer, retentionMs, limit: pruneAtOnce });
    }
  }
}

/** Exponential from 50 ms with jitter. What waits for a dependency comes back soon after it has. */
function pauseAfter(attempt: number, error: unknown): number {
  const cap = isUnavailable(error) ? longestPause.unavailable : longestPause.error;
  return Math.round(Math.min(cap, 50 * 2 ** Math.min(attempt - 1, 20)) * (0.5 + Math.random() / 2));
}
