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
  /** The schema that holds outbox_events and outbox_deliveries. */
  schema: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** By EVENT_KEY. */
  signatures: Signatures;
  log: Logger;
  metrics: Registry;
  /** Asks a consumer which of these events its inbox doesn't have. At most 500 ids. May throw: asked again later. */
  confirm(consumer: string, eventIds: string[]): Promise<{ missing: string[] }>;
  /**
   * Hands events to a consumer past the queue; resolves when they have had their effect there. At most 50 events. May throw:
   * tried again. For events that close doors, when the queue is away or slow; without it they wait for the queue.
   */
  deliver?(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** Consumers who are handed what closes doors as soon as it is committed here; nobody unless said. By `deliver`. */
  immediatelyTo?: readonly string[];
  /** How long, in ms, such a consumer may take before the queue is given the events as well; 150 unless said. */
  immediateMs?: number;
  /** Called where and when something that closes doors was committed by this process. */
  onUrgent?(): void;
  /** How long after enqueuing, in ms, an event that closes doors must have arrived; 1,000 unless said. */
  deliverAfterMs?: number;
  /** How often to look without having been poked, in ms; 1,000 unless said. */
  pollMs?: number;
  /** How long after enqueuing, in ms, a delivery must be confirmed; 3,000 unless said. */
  confirmAfterMs?: number;
  /**
   * How long, in ms, a job that the queue has is taken to be in one of its lists; a quarter of an hour unless said. One that is in none
   * by then is sent again, and has its effect once all the same.
   */
  believeQueueMs?: number;
  /** How long confirmed events are kept, in ms; seven days unless said. */
  retentionMs?: number;
}

const pollMsOf = ({ pollMs = 1000 }: RelayOptions): number => pollMs;

/** Deliveries of one round. */
const sendAtOnce = 500;
/** Events in one job at most: its consumer handles them in one transaction. */
const jobSize = 100;
/**
 * How long a busy relay lets events gather, in ms: this much for each event of the last round beyond its first, up to
 * the longest. Events that come one by one never wait, and those that close doors don't either (isUrgent).
 */
const gathering = { perEvent: 10, longest: 50 };
/** How often, in ms, a relay that is behind sends what closes doors before all that waits in front of it. */
const lookThroughEveryMs = 500;
const confirmAtOnce = 1000;
/** Ids in one question to a consumer. */
const askAtOnce = 500;
const pruneAtOnce = 1000;
/** How often the metrics of what is open are read, in ms. */
const measuredEveryMs = 5000;

/**
 * Moves events from the outbox to the consumers' queues, and goes on until each consumer has confirmed them.
 *
 * A row is marked `enqueued` only after Redis has the job, in the transaction that locks it: a relay that dies in
 * between leaves it pending, and the second job with the event has no effect, because the inbox knows it. Whatever Redis
 * loses later is found by asking the consumer, and enqueued again.
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
  /** More waits than one round takes; and when, by performance.now(), it was looked through for what closes doors. */
  #behind = false;
  #lookedThroughAt = Number.NEGATIVE_INFINITY;
  /** Until when, by performance.now(), events that aren't urgent gather. */
  #gatherUntil = 0;
  /** When, by performance.now(), everything that waits is to be looked at, also what somebody else should be handing over. */
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

  /** Starts working. Needs neither PostgreSQL nor Redis to be there yet. */
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
      // An empty note: notifications may have been missed.
      if (note === '') return this.poke();
      if (note === urgentNote) {
        onUrgent?.();
        this.#immediate?.begin();
      }
      this.#wakes.send.poke(note === urgentNote);
    });
  }

  /** Resolves when what closes doors and was committed here before the call has been handed over, or is left to the queue. */
  async settled(): Promise<void> {
    await this.#immediate?.settled();
  }

  /** Look now. Outbox.append does this by itself when its transaction commits. */
  poke(): void {
    this.#sweepAt = 0;
    this.#wakes.send.poke();
  }

  /** Look now for what has to be confirmed. */
  pokeConfirm(): void {
    this.#wakes.confirm.poke();
  }

  /** Finishes the batch under way. What is left stays in the outbox for the next start, or for another process. */
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

  /** Repeats `step` at once while it finds more, otherwise when poked or after `idleMs`. */
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
        // One line an outage, not one a round.
        if (failures === 1)
          log.warn(
            { event: 'outbox.delivery_retry', schema, step: name, err: error },
            'Outbox relay failed; retrying',
          );
      }
      // Several processes poll the same table: jitter keeps them apart. After a failure a poke must not mean a busy loop.
      const pause = Math.min(idleMs, failures > 0 ? 50 * 2 ** Math.min(failures, 5) : idleMs);
      if (failures > 0) await sleep(this.#stopping ? 0 : pause * (0.5 + Math.random() / 2));
      else await this.#wakes[name].wait(pause * (0.75 + Math.random() / 4), this.#gatherUntil);
    }
  }

  /** One round from the outbox to Redis; what closes doors goes past it when it can't be reached. */
  async #send(): Promise<boolean> {
    await this.#immediate?.headStart();
    try {
      // After an outage somebody's import may wait in front of somebody else's departure.
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

  /** Whether this round takes all there is: what a process that ended has left behind, too. */
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

  /** Asks the consumers about deliveries that should have arrived, and enqueues again what got lost. */
  async #confirm(): Promise<boolean> {
    const { database, confirmAfterMs = confirmedAfterMs } = this.#options;
    await this.#measure();
    // The rows stay locked while the consumers are asked: nobody else asks about them, and those that have arrived are
    // written only once.
    const { due, found, failure } = await database.transaction(async (tx) => {
      const due = await this.#table.lockUnconfirmed(tx, confirmAtOnce, confirmAfterMs);
      const groups = Object.entries(Object.groupBy(due, ({ consumer }) => consumer));
      const outcomes = await Promise.allSettled(
        groups.map(([consumer, its = []]) => this.#judge(consumer, its)),
      );
      const judged = outcomes.map((outcome, i) =>
        // Who doesn't answer must not keep others from being asked: its deliveries are looked at again later.
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
   * What became of deliveries: first the queue is asked, then the inbox. A job leaves the queue only after its inbox rows
   * are committed, so what is in neither, in this order, is lost; what the queue still has is only slow.
   */
  async #judge(consumer: string, deliveries: readonly SentDelivery[]): Promise<Judged> {
    const jobs = [...new Set(deliveries.map(({ job }) => job))];
    const gone = await this.#queues.absent(consumer, jobs);
    // A job that somebody took out of the lists and left lying looks like one that waits; a long queue makes others wait as long.
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

/** Milliseconds since the epoch: a job's id, a UUIDv7 (RFC 9562 §5.7), begins with when it was made. */
const sentAt = (job: string): number => Number.parseInt(job.replace('-', '').slice(0, 12), 16);

interface Judged {
  arrived: SentDelivery[];
  lost: SentDelivery[];
  slow: SentDelivery[];
}

/** What goes to whom: each consumer's events, in their order, in jobs of bounded size. */
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
