import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@ostiary/database';
import type { Logger, Registry } from '@ostiary/service';
import { relayMetrics } from './metrics.ts';
import { outboxChannel } from './outbox.ts';
import { outboxTable } from './outbox-table.ts';
import { EventQueues } from './queues.ts';
import { Wake } from './wake.ts';

export interface RelayOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction' | 'listen'>;
  /** The schema that holds outbox_events and outbox_deliveries. */
  schema: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  log: Logger;
  metrics: Registry;
  /** Asks a consumer which of these events its inbox doesn't have. At most 500 ids. May throw: asked again later. */
  confirm(consumer: string, eventIds: string[]): Promise<{ missing: string[] }>;
  /** How often to look without having been woken, in ms; 1,000 unless said. */
  pollMs?: number;
  /** How long after enqueuing, in ms, a delivery must be confirmed; 3,000 unless said. */
  confirmAfterMs?: number;
  /** How long confirmed events are kept, in ms; seven days unless said. */
  retentionMs?: number;
}

const sendAtOnce = 250;
const confirmAtOnce = 500;
const pruneAtOnce = 1000;

/**
 * Moves events from the outbox to the consumers' queues, and goes on until each consumer has confirmed them.
 *
 * A row is marked `enqueued` only after Redis has the job, in the transaction that locks it: a relay that dies in
 * between leaves it pending, and the second job with the same id is ignored by BullMQ or by the inbox. Whatever Redis
 * loses later is found by asking the consumer, and enqueued again under the next generation.
 */
export class OutboxRelay {
  readonly #options: RelayOptions;
  readonly #table: ReturnType<typeof outboxTable>;
  readonly #queues: EventQueues;
  readonly #metrics: ReturnType<typeof relayMetrics>;
  readonly #wakes = { send: new Wake(), confirm: new Wake(), prune: new Wake() };
  readonly #seenConsumers = new Set<string>();
  #loops: Promise<void>[] = [];
  #unlisten: (() => Promise<void>) | undefined;
  #measuredAt = 0;
  #stopping = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#table = outboxTable(options.schema);
    this.#metrics = relayMetrics(options.metrics);
    this.#queues = new EventQueues({ ...options, name: `${options.schema}-relay` });
  }

  /** Starts working. Needs neither PostgreSQL nor Redis to be there yet. */
  async start(): Promise<void> {
    const { database, schema, pollMs = 1000 } = this.#options;
    this.#queues.onReady(() => this.poke());
    this.#loops = [
      this.#loop('send', pollMs, () => this.#send()),
      this.#loop('confirm', pollMs, () => this.#confirm()),
      this.#loop('prune', 60_000, () => this.#prune()),
    ];
    this.#unlisten = await database.listen(outboxChannel(schema), () => this.poke());
  }

  /** Look now. Outbox.append does this by itself when its transaction commits. */
  poke(): void {
    this.#wakes.send.poke();
  }

  /** Finishes the batch under way. What is left stays in the outbox for the next start, or for another process. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const wake of Object.values(this.#wakes)) wake.poke();
    await this.#unlisten?.();
    await Promise.all(this.#loops);
    await this.#queues.close();
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
        if (failures > 0) log.info({ schema, step: name, failures }, 'the outbox relay works again');
        failures = 0;
        if (more) continue;
      } catch (error) {
        failures += 1;
        this.#metrics.failures.inc({ step: name });
        // One line an outage, not one a round.
        if (failures === 1) log.warn({ schema, step: name, err: error }, 'the outbox relay has to wait');
      }
      // Several processes poll the same table: jitter keeps them apart. After a failure a poke must not mean a busy loop.
      const pause = Math.min(idleMs, failures > 0 ? 50 * 2 ** Math.min(failures, 5) : idleMs);
      if (failures > 0) await sleep(this.#stopping ? 0 : pause * (0.5 + Math.random() / 2));
      else await this.#wakes[name].wait(pause * (0.75 + Math.random() / 4));
    }
  }

  /** One batch from the outbox to Redis. */
  async #send(): Promise<boolean> {
    const { database } = this.#options;
    const sent = await database.transaction(async (tx) => {
      const items = await this.#table.lockPending(tx, sendAtOnce);
      if (items.length === 0) return [];
      const byConsumer = Object.entries(Object.groupBy(items, ({ delivery }) => delivery.consumer));
      const outcomes = await Promise.allSettled(
        byConsumer.map(([consumer, its = []]) => this.#queues.send(consumer, its)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      const deliveries = items.map(({ delivery }) => delivery);
      await this.#table.markEnqueued(tx, deliveries);
      return deliveries;
    });
    for (const { consumer } of sent) this.#metrics.enqueued.inc({ consumer });
    return sent.length === sendAtOnce;
  }

  /** Asks the consumers about deliveries that should have arrived, and enqueues again what got lost. */
  async #confirm(): Promise<boolean> {
    const { database, log, confirmAfterMs = 3000 } = this.#options;
    await this.#measure();
    const due = await this.#table.claimUnconfirmed(database.sql, confirmAtOnce, confirmAfterMs);
    const outcomes = await Promise.allSettled(
      Object.entries(Object.groupBy(due, ({ consumer }) => consumer)).map(async ([consumer, its = []]) => {
        // First the queue, then the inbox: a job leaves the queue only after its inbox row is committed, so what is in neither,
        // in this order, is lost. What the queue still has is only slow.
        const gone = await this.#queues.absent(consumer, its);
        if (gone.length === 0) return 0;
        const { missing } = await this.#options.confirm(
          consumer,
          gone.map(({ eventId }) => eventId),
        );
        const unknown = new Set(missing);
        const arrived = gone.filter(({ eventId }) => !unknown.has(eventId)).map(({ eventId }) => eventId);
        if (arrived.length > 0) await this.#table.markDone(database.sql, consumer, arrived);
        this.#metrics.confirmed.inc({ consumer }, arrived.length);

        const lost = gone.filter(({ eventId }) => unknown.has(eventId));
        if (lost.length > 0) {
          const requeued = await this.#table.requeue(database.sql, lost);
          this.#metrics.requeued.inc({ consumer }, requeued);
          log.warn({ consumer, count: requeued }, 'the queue lost events; they are sent again');
          this.poke();
        }
        return arrived.length;
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    const progress = outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value > 0);
    return due.length === confirmAtOnce && progress;
  }

  async #prune(): Promise<boolean> {
    const { database, retentionMs = 7 * 86_400_000 } = this.#options;
    return (await this.#table.prune(database.sql, pruneAtOnce, retentionMs)) === pruneAtOnce;
  }

  async #measure(): Promise<void> {
    if (performance.now() - this.#measuredAt < 5000 && this.#measuredAt > 0) return;
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
