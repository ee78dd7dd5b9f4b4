import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Sql } from '@ostiary/database';
import { type Logger, type Registry, type Signatures, uuidv7, Wake } from '@ostiary/service';
import type { DomainEvent } from './contracts.ts';
import { DirectDelivery, type DirectDeliveryOptions } from './direct-delivery.ts';
import { ImmediateDelivery } from './immediate-delivery.ts';
import { relayMetrics } from './metrics.ts';
import { outboxChannel, urgentNote } from './outbox.ts';
import { confirmedAfterMs, OutboxTable, type Pending, type SentDelivery } from './outbox-table.ts';
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
   * Delivers events directly to a consumer and resolves once they took effect, at most 50 events. Retried
   * after an error. For urgent events if the queue is unavailable or slow; without it they wait for the
   * queue.
   */
  deliver?(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** Consumers that get urgent events immediately after the commit, default none. By `deliver`. */
  immediatelyTo?: readonly string[];
  /** Time in ms after which the queue gets the events too, default 150. */
  immediateMs?: number;
  /** Called in the process that committed an urgent event. */
  onUrgent?(): void;
  /** Time in ms after enqueuing within which an urgent event must arrive, default 1,000. */
  deliverAfterMs?: number;
  /** Poll interval in ms without notification, default 1,000. */
  pollMs?: number;
  /** Time in ms after enqueuing within which a delivery must be confirmed, default 3,000. */
  confirmAfterMs?: number;
  /**
   * Time in ms for which a job in Redis is assumed to be in a list of the queue, default 15 minutes.
   * Afterwards, one in no list is sent again, still with one effect.
   */
  believeQueueMs?: number;
  /** Retention time of confirmed events in ms, default seven days. */
  retentionMs?: number;
}

const pollMsOf = ({ pollMs = 1000 }: RelayOptions): number => pollMs;

/** Maximum number of deliveries per round. */
const sendAtOnce = 500;
/** Maximum number of events per job, which its consumer processes in one transaction. */
const jobSize = 100;
/**
 * Time in ms for which a busy relay combines events: per event of the last round beyond the first, up to the
 * maximum. Single events and urgent ones (isUrgent) never wait.
 */
const gathering = { perEvent: 10, longest: 50 };
/** Interval in ms at which a relay with a backlog sends urgent events first. */
const lookThroughEveryMs = 500;
const confirmAtOnce = 1000;
/** Maximum number of ids per request to a consumer. */
const askAtOnce = 500;
const pruneAtOnce = 1000;
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
  readonly #immediate: ImmediateDelivery | undefined;
  readonly #wakes = { send: new Wake(), confirm: new Wake(), prune: new Wake() };
  readonly #seenConsumers = new Set<string>();
  #loops: Promise<void>[] = [];
  #unlisten: (() => Promise<void>) | undefined;
  #measuredAt = 0;
  /**
   * Whether more deliveries wait than one round takes, and the time of the last search for urgent ones, by
   * performance.now().
   */
  #behind = false;
  #lookedThroughAt = Number.NEGATIVE_INFINITY;
  /** Time until which events that are not urgent are combined, by performance.now(). */
  #gatherUntil = 0;
  /**
   * Time of the next round over all pending deliveries, including those of immediate delivery, by
   * performance.now().
   */
  #sweepAt = 0;
  #stopping = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#table = new OutboxTable(options.schema);
    this.#metrics = relayMetrics(options.metrics);
    this.#queues = new EventQueues({ ...options, name: `${options.schema}-relay` });
    const { database, log, confirm, deliver, deliverAfterMs = 1000 } = options;
    this.#direct =
      deliver && this.#createDirect({ database, log, confirm, deliver, afterMs: deliverAfterMs });
    this.#immediate = deliver && this.#createImmediate(deliver);
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
        this.#immediate?.begin();
      }
      this.#wakes.send.poke(note === urgentNote);
    });
  }

  /**
   * Resolves once urgent events committed here before the call have been delivered or are left to the queue.
   */
  async settled(): Promise<void> {
    await this.#immediate?.settled();
  }

  /** Checks for events now. Outbox.append triggers it when its transaction commits. */
  poke(): void {
    this.#sweepAt = 0;
    this.#wakes.send.poke();
  }

  /** Checks for unconfirmed deliveries now. */
  pokeConfirm(): void {
    this.#wakes.confirm.poke();
  }

  /** Finishes the current batch. The rest remains in the outbox for the next start or another process. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const wake of Object.values(this.#wakes)) wake.poke();
    await this.#unlisten?.();
    await this.#immediate?.stop();
    await Promise.all(this.#loops);
    await this.#direct?.stop();
    await this.#queues.close();
  }

  #createDirect(o: Omit<DirectDeliveryOptions, 'table' | 'onDelivered'>): DirectDelivery {
    const onDelivered = (consumer: string, count: number) => this.#metrics.direct.inc({ consumer }, count);
    return new DirectDelivery({ ...o, table: this.#table, onDelivered });
  }

  #createImmediate(deliver: NonNullable<RelayOptions['deliver']>): ImmediateDelivery {
    const { database, log, immediatelyTo: consumers = [], immediateMs } = this.#options;
    return new ImmediateDelivery({
      database,
      table: this.#table,
      log,
      consumers,
      deliver,
      patienceMs: immediateMs,
      onDelivered: (consumer, count) => this.#metrics.immediate.inc({ consumer }, count),
      onLeft: () => this.poke(),
    });
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

  /**
   * Runs one round from the outbox to Redis; urgent events are delivered directly while it is unavailable.
   */
  async #send(): Promise<boolean> {
    await this.#immediate?.headStart();
    try {
      // After an outage one tenant's import may precede another's offboarding.
      if (this.#behind && performance.now() - this.#lookedThroughAt > lookThroughEveryMs) {
        await this.#enqueue((tx) => this.#table.lockUrgent(tx, sendAtOnce));
        this.#lookedThroughAt = performance.now();
      }
      const handedOver = this.#sweeps() ? [] : (this.#immediate?.consumers ?? []);
      this.#behind = await this.#enqueue((tx) => this.#table.lockPending(tx, sendAtOnce, handedOver));
      return this.#behind;
    } catch (error) {
      this.#sweepAt = 0;
      await this.#direct?.sendPending();
      throw error;
    }
  }

  /** Reports whether this round takes all deliveries, including those of a terminated process. */
  #sweeps(): boolean {
    const now = performance.now();
    if (now < this.#sweepAt) return false;
    this.#sweepAt = now + 0.75 * pollMsOf(this.#options);
    return true;
  }

  async #enqueue(lock: (tx: Sql) => Promise<Pending[]>): Promise<boolean> {
    const { database } = this.#options;
    const { moved, deliveries, batches } = await database.transaction(async (tx) => {
      const pending = await lock(tx);
      const batches = batchesOf(pending);
      const outcomes = await Promise.allSettled(
        batches.map(({ consumer, jobs }) => this.#queues.send(consumer, jobs)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      const sent = batches.flatMap(({ consumer, jobs }) =>
        jobs.flatMap(({ id, events }) => events.map((event) => ({ eventId: event.id, consumer, job: id }))),
      );
      if (sent.length > 0) await this.#table.markEnqueued(tx, sent);
      return { moved: pending.length, deliveries: sent, batches };
    });
    const pause = Math.min(gathering.longest, gathering.perEvent * (moved - 1));
    this.#gatherUntil = performance.now() + pause;
    for (const { consumer } of deliveries) this.#metrics.enqueued.inc({ consumer });
    for (const { consumer, jobs } of batches) {
      for (const { events } of jobs) this.#direct?.watch(consumer, events);
    }
    return deliveries.length === sendAtOnce;
  }

  /** Asks consumers about unconfirmed deliveries and enqueues lost ones again. */
  async #confirm(): Promise<boolean> {
    const { database, confirmAfterMs = confirmedAfterMs } = this.#options;
    await this.#measure();
    // The rows stay locked meanwhile, so that no other process asks about them and confirmed ones are written
    // only once.
    const { due, found, failure } = await database.transaction(async (tx) => {
      const due = await this.#table.lockUnconfirmed(tx, confirmAtOnce, confirmAfterMs);
      const groups = Object.entries(Object.groupBy(due, ({ consumer }) => consumer));
      const outcomes = await Promise.allSettled(
        groups.map(([consumer, its = []]) => this.#judge(consumer, its)),
      );
      const judged = outcomes.map((outcome, i) =>
        // A consumer that does not respond must not delay the others: its deliveries are checked again later.
        outcome.status === 'fulfilled'
          ? outcome.value
          : { arrived: [], lost: [], slow: groups[i]?.[1] ?? [] },
      );
      const found: Judged = {
        arrived: judged.flatMap(({ arrived }) => arrived),
        lost: judged.flatMap(({ lost }) => lost),
        slow: judged.flatMap(({ slow }) => slow),
      };
      await this.#table.forget(tx, found.arrived);
      await this.#table.requeue(tx, found.lost);
      await this.#table.touch(tx, found.slow);
      return { due, found, failure: outcomes.find((outcome) => outcome.status === 'rejected') };
    });
    for (const { consumer } of found.arrived) this.#metrics.confirmed.inc({ consumer });
    this.#reportLost(found.lost);
    if (failure) throw failure.reason;
    return due.length === confirmAtOnce && found.arrived.length > 0;
  }

  /**
   * Determines lost deliveries: first by the queue, then by the inbox. A job leaves the queue only after its
   * inbox rows are committed, so a delivery that is in neither, in this order, is lost; one in the queue is
   * only slow.
   */
  async #judge(consumer: string, deliveries: readonly SentDelivery[]): Promise<Judged> {
    const jobs = [...new Set(deliveries.map(({ job }) => job))];
    const gone = await this.#queues.absent(consumer, jobs);
    // A job removed from the lists looks like a waiting one; a long queue makes others wait equally long.
    const { believeQueueMs = 900_000 } = this.#options;
    const late = jobs.filter((job) => !gone.has(job) && Date.now() - sentAt(job) > believeQueueMs);
    for (const job of await this.#queues.stray(consumer, late)) gone.add(job);
    const asked = deliveries.map(({ eventId }) => eventId);
    const unknown = new Set<string>();
    for (let first = 0; first < asked.length; first += askAtOnce) {
      const { missing } = await this.#options.confirm(consumer, asked.slice(first, first + askAtOnce));
      for (const id of missing) unknown.add(id);
    }
    const direct = await this.#direct?.sendOverdue(
      consumer,
      deliveries.filter(({ eventId }) => unknown.has(eventId)),
    );
    for (const id of direct ?? []) unknown.delete(id);
    return {
      arrived: deliveries.filter(({ eventId }) => !unknown.has(eventId)),
      lost: deliveries.filter(({ eventId, job }) => unknown.has(eventId) && gone.has(job)),
      slow: deliveries.filter(({ eventId, job }) => unknown.has(eventId) && !gone.has(job)),
    };
  }

  #reportLost(lost: readonly SentDelivery[]): void {
    if (lost.length === 0) return;
    for (const { consumer } of lost) this.#metrics.requeued.inc({ consumer });
    const consumers = [...new Set(lost.map(({ consumer }) => consumer))];
    this.#options.log.warn(
      { event: 'outbox.queue_lost_events', consumers, count: lost.length },
      'Queue lost events; sending again',
    );
    this.poke();
  }

  async #prune(): Promise<boolean> {
    const { database, retentionMs = 7 * 86_400_000 } = this.#options;
    return (await this.#table.prune(database.sql, pruneAtOnce, retentionMs)) === pruneAtOnce;
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

interface Judged {
  arrived: SentDelivery[];
  lost: SentDelivery[];
  slow: SentDelivery[];
}

/** Returns each consumer's events, in order, in jobs of limited size. */
function batchesOf(pending: readonly Pending[]): { consumer: string; jobs: EventJob[] }[] {
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
