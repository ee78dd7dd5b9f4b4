import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Sql } from '@ostiary/database';
import { type Logger, type Registry, type Signatures, uuidv7, Wake, within } from '@ostiary/service';
import { type DomainEvent, isUrgent } from './contracts.ts';
import { DirectDelivery } from './direct-delivery.ts';
import { relayMetrics } from './metrics.ts';
import { outboxChannel, urgentNote } from './outbox.ts';
import {
  confirmedAfterMs,
  type Delivery,
  OutboxTable,
  type Pending,
  type SentDelivery,
} from './outbox-table.ts';
import { type EventJob, EventQueues } from './queues.ts';

export interface RelayOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction' | 'listen'>;
  /** Schema of outbox_events and outbox_deliveries. */
  schema: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** With EVENT_KEY. */
  signatures: Signatures;
  log: Logger;
  metrics: Registry;
  /** Asks a consumer for the events that its inbox lacks, at most 500 ids. Retried after an error. */
  confirm(consumer: string, eventIds: string[]): Promise<{ missing: string[] }>;
  /**
   * Delivers urgent events without the queue: while their job is enqueued, and again if it is lost, late or
   * cannot be enqueued. Resolves once they took effect. At most 50 events; errors are retried. Without it they
   * wait for the queue.
   */
  deliver?(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** Maximum time in ms for which a round waits for direct deliveries beside its jobs, default 150. */
  directMs?: number;
  /** Called in the process that committed an urgent event. */
  onUrgent?(): void;
  /** Poll interval in ms without notification, default 1,000. */
  pollMs?: number;
  /** Time in ms after enqueuing within which a delivery must be confirmed, default 1,000. */
  confirmAfterMs?: number;
  /**
   * Time in ms after which an unconfirmed event that is not urgent is enqueued again, default 3,000. It doubles
   * with each repetition, so that repetitions of a waiting or failing event are few.
   */
  requeueAfterMs?: number;
  /** Retention time of confirmed events in ms, default seven days. */
  retentionMs?: number;
}

const pollMsOf = ({ pollMs = 1000 }: RelayOptions): number => pollMs;

/** Maximum number of deliveries per round. */
const sendBatchSize = 500;
/** Maximum number of events per job, which its consumer processes in one transaction. */
const jobSize = 100;
/**
 * Time in ms for which a busy relay combines events: per event of the last round beyond the first, up to the
 * maximum. Single events and urgent ones (isUrgent) never wait.
 */
const gathering = { perEvent: 10, longest: 50 };
/** Interval in ms at which a relay with a backlog sends urgent events first. */
const lookThroughEveryMs = 500;
const confirmBatchSize = 1000;
/** Maximum number of ids per request to a consumer. */
const askBatchSize = 500;
/** Maximum interval in ms after which an unconfirmed event is enqueued again. */
const maxRequeueMs = 900_000;
/** Timeout in ms for enqueuing. Unconfirmed jobs may have been enqueued. */
const longestSendMs = 1_000;
const pruneBatchSize = 1000;
/** Interval in ms of the metrics of open deliveries. */
const measuredEveryMs = 5000;

/**
 * Moves events from the outbox to the consumers' queues until each consumer has confirmed them.
 * A row is marked `enqueued` only after Redis has the job, in the transaction that locks it: a crash in
 * between leaves it pending, and the second job has no effect because of the inbox. Deliveries that Redis
 * loses later are found by asking the consumer, and enqueued again.
 */
export class OutboxRelay {
  readonly #options: RelayOptions;
  readonly #table: OutboxTable;
  readonly #queues: EventQueues;
  readonly #metrics: ReturnType<typeof relayMetrics>;
  readonly #direct: DirectDelivery | undefined;
  readonly #wakes = { send: new Wake(), confirm: new Wake(), prune: new Wake() };
  readonly #seenConsumers = new Set<string>();
  #loops: Promise<void>[] = [];
  #unlisten: (() => Promise<void>) | undefined;
  #measuredAt = 0;
  /** Whether the last round reached Redis. */
  #queueWorks = true;
  /**
   * Whether more deliveries wait than one round takes, and the time of the last search for urgent ones, by
   * performance.now().
   */
  #behind = false;
  #lookedThroughAt = Number.NEGATIVE_INFINITY;
  /** Time until which events that are not urgent are combined, by performance.now(). */
  #gatherUntil = 0;
  /** Round that takes the urgent events committed so far, and the one in progress. */
  #next: PromiseWithResolvers<void> | undefined;
  #current: PromiseWithResolvers<void> | undefined;
  #stopping = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#table = new OutboxTable(options.schema);
    this.#metrics = relayMetrics(options.metrics);
    this.#queues = new EventQueues({ ...options, name: `${options.schema}-relay` });
    const { log, deliver, directMs } = options;
    const onDelivered = (consumer: string, count: number) => this.#metrics.direct.inc({ consumer }, count);
    this.#direct = deliver && new DirectDelivery({ log, deliver, directMs, onDelivered });
  }

  /** Starts. PostgreSQL and Redis need not be available yet. */
  async start(): Promise<void> {
    const { database, schema, onUrgent } = this.#options;
    const pollMs = pollMsOf(this.#options);
    this.#queues.onReady(() => this.poke());
    this.#loops = [
      this.#loop('send', pollMs, () => this.#send()),
      this.#loop('confirm', Math.min(pollMs, measuredEveryMs), () => this.#confirm()),
      this.#loop('prune', 60_000, () => this.#prune()),
    ];
    this.#unlisten = await database.listen(outboxChannel(schema), (note) => {
      // Empty: notifications may have been missed.
      if (note === '') return this.poke();
      if (note === urgentNote) {
        onUrgent?.();
        this.#next ??= Promise.withResolvers();
        if (!this.#queueWorks) this.wakeConfirm();
      }
      this.#wakes.send.poke(note === urgentNote);
    });
  }

  /** Resolves once urgent events committed here before have had their effect, or are left to the queue. */
  async settled(): Promise<void> {
    await (this.#next ?? this.#current)?.promise;
  }

  /** Checks for events now. Outbox.append triggers it when its transaction commits. */
  poke(): void {
    this.#wakes.send.poke();
  }

  /** Checks for unconfirmed deliveries now. */
  wakeConfirm(): void {
    this.#wakes.confirm.poke();
  }

  /** Finishes the current batch. The rest remains in the outbox for the next start or another process. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const wake of Object.values(this.#wakes)) wake.poke();
    await this.#unlisten?.();
    await Promise.all(this.#loops);
    this.#next?.resolve();
    await this.#queues.close();
  }

  /** Repeats `step` immediately while it finds more, otherwise on a wake or after `idleMs`. */
  async #loop(
    name: 'send' | 'confirm' | 'prune',
    idleMs: number,
    step: () => Promise<boolean>,
  ): Promise<void> {
    const { log, schema } = this.#options;
    let failures = 0;
    while (!this.#stopping) {
      try {
        const more = await step();
        if (failures > 0)
          log.info({ event: 'outbox.recovered', schema, step: name, failures }, 'Outbox relay recovered');
        failures = 0;
        if (more) continue;
      } catch (error) {
        failures += 1;
        this.#metrics.failures.inc({ step: name });
        // One log line per outage, not per round.
        if (failures === 1)
          log.warn(
            { event: 'outbox.delivery_retry', schema, step: name, err: error },
            'Outbox relay failed; retrying',
          );
      }
      // Several processes poll the same table: jitter separates them. After a failure a wake must not cause a
      // busy loop.
      const pause = Math.min(idleMs, failures > 0 ? 50 * 2 ** Math.min(failures, 5) : idleMs);
      if (failures > 0) await sleep(this.#stopping ? 0 : pause * (0.5 + Math.random() / 2));
      else await this.#wakes[name].wait(pause * (0.75 + Math.random() / 4), this.#gatherUntil);
    }
  }

  /** Runs one round from the outbox to Redis. */
  async #send(): Promise<boolean> {
    this.#current = this.#next;
    this.#next = undefined;
    try {
      // After an outage one tenant's import may precede another's offboarding.
      if (this.#behind && performance.now() - this.#lookedThroughAt > lookThroughEveryMs) {
        await this.#enqueue((tx) => this.#table.lockUrgent(tx, sendBatchSize));
        this.#lookedThroughAt = performance.now();
      }
      this.#behind = await this.#enqueue((tx) => this.#table.lockPending(tx, sendBatchSize));
      this.#queueWorks = true;
      return this.#behind;
    } catch (error) {
      this.#queueWorks = false;
      this.wakeConfirm();
      throw error;
    } finally {
      this.#current?.resolve();
      this.#current = undefined;
    }
  }

  /** Enqueues jobs and delivers their urgent events directly, simultaneously. The inbox ensures one effect. */
  async #enqueue(lock: (tx: Sql) => Promise<Pending[]>): Promise<boolean> {
    const { database, confirmAfterMs = confirmedAfterMs } = this.#options;
    const { moved, sent, urgent, failed } = await database.transaction(async (tx) => {
      const pending = await lock(tx);
      const batches = batchesOf(pending);
      const direct = Promise.all(batches.map((batch) => this.#besideJobs(batch)));
      const outcomes = await Promise.allSettled(
        batches.map(({ consumer, jobs }) => within(longestSendMs, this.#queues.send(consumer, jobs))),
      );
      const arrived = (await direct).flat();
      await this.#table.forget(tx, arrived);
      const known = new Set(arrived.map(({ eventId, consumer }) => `${eventId} ${consumer}`));
      const sent = batches
        .filter((_, i) => outcomes[i]?.status === 'fulfilled')
        .flatMap(({ consumer, jobs }) =>
          jobs.flatMap(({ id, events }) => events.map((event) => ({ eventId: event.id, consumer, job: id }))),
        );
      await this.#table.markEnqueued(
        tx,
        sent.filter(({ eventId, consumer }) => !known.has(`${eventId} ${consumer}`)),
      );
      const urgent = pending.some(
        ({ event, consumers }) =>
          isUrgent(event) && consumers.some((consumer) => !known.has(`${event.id} ${consumer}`)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      return { moved: pending.length, sent, urgent, failed };
    });
    const pause = Math.min(gathering.longest, gathering.perEvent * (moved - 1));
    this.#gatherUntil = performance.now() + pause;
    for (const { consumer } of sent) this.#metrics.enqueued.inc({ consumer });
    if (urgent) setTimeout(() => this.wakeConfirm(), confirmAfterMs).unref();
    if (failed) throw failed.reason;
    return sent.length === sendBatchSize;
  }

  async #besideJobs({ consumer, jobs }: Batch): Promise<Delivery[]> {
    const enqueued = jobs.flatMap(({ events }) => events);
    const events = (await this.#direct?.besideJob(consumer, enqueued)) ?? [];
    return events.map(({ id }) => ({ eventId: id, consumer, generation: 0 }));
  }

  /**
   * Asks consumers about unconfirmed deliveries. Urgent events that have not arrived are delivered directly. Others,
   * and those that the consumer does not accept directly, are enqueued again.
   */
  async #confirm(): Promise<boolean> {
    const { database, confirmAfterMs = confirmedAfterMs } = this.#options;
    await this.#measure();
    // The rows stay locked meanwhile, so that no other process asks about them and confirmed ones are written
    // only once.
    const { due, found } = await database.transaction(async (tx) => {
      const due = await this.#table.lockUnconfirmed(tx, confirmBatchSize, confirmAfterMs);
      if (this.#direct && !this.#queueWorks)
        due.push(...(await this.#table.lockPendingUrgent(tx, confirmBatchSize, confirmAfterMs)));
      const groups = Object.entries(Object.groupBy(due, ({ consumer }) => consumer));
      const found = await Promise.all(
        groups.map(([consumer, its = []]) =>
          // A consumer that does not respond must not delay the others: its deliveries are checked again later.
          this.#confirmDeliveries(consumer, its).catch(
            (failure: unknown): Confirmed => ({ arrived: [], lost: [], slow: its, more: false, failure }),
          ),
        ),
      );
      for (const { arrived, lost, slow } of found) {
        await this.#table.forget(tx, arrived);
        await this.#table.requeue(tx, lost);
        await this.#table.touch(tx, slow);
      }
      return { due, found };
    });
    const arrived = found.flatMap(({ arrived }) => arrived);
    for (const { consumer } of arrived) this.#metrics.confirmed.inc({ consumer });
    this.#reportLost(found.flatMap(({ lost }) => lost));
    const failed = found.find(({ failure }) => failure !== undefined);
    if (failed) throw failed.failure;
    return found.some(({ more }) => more) || (due.length >= confirmBatchSize && arrived.length > 0);
  }

  async #confirmDeliveries(consumer: string, deliveries: readonly SentDelivery[]): Promise<Confirmed> {
    const { database, requeueAfterMs = 3_000 } = this.#options;
    const missing = await this.#missing(consumer, deliveries);
    const urgent = this.#direct ? await this.#table.urgentOf(database.sql, [...missing]) : [];
    const { events = [], failure } = (await this.#direct?.late(consumer, urgent)) ?? {};
    if (failure === undefined) for (const { id } of events) missing.delete(id);
    const untried = new Set(urgent.slice(events.length).map(({ id }) => id));
    const late = deliveries.filter(({ eventId }) => missing.has(eventId) && !untried.has(eventId));
    const isLost = ({ job, generation }: SentDelivery): boolean =>
      Date.now() - sentAt(job) >= Math.min(requeueAfterMs * 2 ** generation, maxRequeueMs);
    return {
      arrived: deliveries.filter(({ eventId }) => !missing.has(eventId)),
      lost: late.filter(isLost),
      slow: late.filter((delivery) => !isLost(delivery)),
      more: untried.size > 0,
      failure,
    };
  }

  /** Returns the events that the consumer has not received. @throws the error of the consumer */
  async #missing(consumer: string, deliveries: readonly SentDelivery[]): Promise<Set<string>> {
    const asked = deliveries.map(({ eventId }) => eventId);
    const unknown = new Set<string>();
    for (let first = 0; first < asked.length; first += askBatchSize) {
      const { missing } = await this.#options.confirm(consumer, asked.slice(first, first + askBatchSize));
      for (const id of missing) unknown.add(id);
    }
    return unknown;
  }

  #reportLost(lost: readonly SentDelivery[]): void {
    if (lost.length === 0) return;
    for (const { consumer } of lost) this.#metrics.requeued.inc({ consumer });
    const consumers = [...new Set(lost.map(({ consumer }) => consumer))];
    this.#options.log.warn(
      { event: 'outbox.queue_lost_events', consumers, count: lost.length },
      'Events were not confirmed; sending again',
    );
    this.poke();
  }

  async #prune(): Promise<boolean> {
    const { database, retentionMs = 7 * 86_400_000 } = this.#options;
    return (await this.#table.prune(database.sql, pruneBatchSize, retentionMs)) === pruneBatchSize;
  }

  async #measure(): Promise<void> {
    if (performance.now() - this.#measuredAt < measuredEveryMs && this.#measuredAt > 0) return;
    this.#measuredAt = performance.now();
    const open = await this.#table.open(this.#options.database.sql);
    for (const { consumer } of open) this.#seenConsumers.add(consumer);
    for (const consumer of this.#seenConsumers) {
      const rows = open.filter((row) => row.consumer === consumer);
      this.#metrics.age.set({ consumer }, Math.max(0, ...rows.map(({ ageSeconds }) => ageSeconds)));
      for (const state of ['pending', 'enqueued']) {
        this.#metrics.open.set({ consumer, state }, rows.find((row) => row.state === state)?.count ?? 0);
      }
    }
  }
}

/**
 * Returns milliseconds since the epoch: a job's id, a UUIDv7 (RFC 9562 §5.7), begins with its time of
 * creation.
 */
const sentAt = (job: string): number => Number.parseInt(job.replace('-', '').slice(0, 12), 16);

interface Confirmed {
  arrived: SentDelivery[];
  lost: SentDelivery[];
  slow: SentDelivery[];
  /** Whether events remain for another direct delivery. */
  more: boolean;
  failure?: unknown;
}

interface Batch {
  consumer: string;
  jobs: EventJob[];
}

/** Returns each consumer's events, in order, in jobs of limited size. */
function batchesOf(pending: readonly Pending[]): Batch[] {
  const byConsumer = new Map<string, EventJob[]>();
  for (const { event, consumers } of pending) {
    for (const consumer of consumers) {
      const jobs = byConsumer.get(consumer) ?? [];
      byConsumer.set(consumer, jobs);
      const last = jobs.at(-1);
      if (last && last.events.length < jobSize) last.events.push(event);
      else jobs.push({ id: uuidv7(), events: [event] });
    }
  }
  return [...byConsumer].map(([consumer, jobs]) => ({ consumer, jobs }));
}
