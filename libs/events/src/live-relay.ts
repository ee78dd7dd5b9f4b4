import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  notify,
  type Sql,
  statement,
  statementsBySchema,
  type Transaction,
  typed,
} from '@ostiary/database';
import {
  createRedis,
  type Logger,
  onServerChange,
  type Redis,
  type Signatures,
  serverOf,
  uuidv7,
  Wake,
} from '@ostiary/service';
import { liveConsumer } from './contracts.ts';
import { type LiveEvent, liveEventOf, liveStream, markLiveStart, publishLive } from './live.ts';
import { outboxStatements } from './outbox-statements.ts';

/** Takes the oldest waiting events; they are deleted when the transaction commits. Empty: none wait. */
export type TakeLiveEvents = (tx: Sql, limit: number) => Promise<{ taken: number; events: LiveEvent[] }>;

export interface LiveRelayOptions {
  database: Pick<Database<unknown>, 'transaction' | 'listen'>;
  /** Channel of notifications about waiting events. */
  channel: string;
  take: TakeLiveEvents;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** With STREAM_KEY. */
  signatures: Signatures;
  log: Logger;
  /** Poll interval in ms without notification, default 1,000. */
  pollMs?: number;
}

const takeBatchSize = 500;

/** Pause in ms per round while changes are frequent, to combine them: each round costs a commit. */
const betweenRounds = 25;

/**
 * Moves events for subscribers from a table to the stream of the gateways. An event is deleted in the
 * transaction in which Redis accepted it: a crash in between, or an unavailable Redis, delays it, and it is
 * sent again. Independent of event delivery between services.
 */
export class LiveRelay {
  readonly #options: LiveRelayOptions;
  readonly #wake = new Wake();
  #redis: Redis | undefined;
  #running: Promise<void> | undefined;
  #unlisten: (() => Promise<void>) | undefined;
  #stopping = false;

  constructor(options: LiveRelayOptions) {
    this.#options = options;
  }

  /** Starts. PostgreSQL and Redis need not be available yet. */
  async start(): Promise<void> {
    const { redisUrl, log, database, channel } = this.#options;
    this.#redis = createRedis(redisUrl, { name: 'live-relay', log });
    const redis = this.#redis;
    // The server may have changed; readers of the stream are notified.
    onServerChange(redis, liveStream(this.#options.prefix), () => {
      markRestart(redis, this.#options.prefix)
        .catch(() => redis.disconnect(true))
        .finally(() => this.poke());
    });
    this.#running = this.#run(this.#redis);
    this.#unlisten = await database.listen(channel, () => this.poke());
  }

  /** Checks for events now. */
  poke(): void {
    this.#wake.poke();
  }

  /** Finishes the current round; the rest remains for the next start or another process. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake.poke();
    await this.#unlisten?.();
    await this.#running;
    this.#redis?.disconnect();
  }

  async #run(redis: Redis): Promise<void> {
    const { log, channel, pollMs = 1000 } = this.#options;
    let failures = 0;
    let movedAt = Number.NEGATIVE_INFINITY;
    while (!this.#stopping) {
      try {
        const early = movedAt + betweenRounds - performance.now();
        if (early > 0) await sleep(early);
        const more = await this.#move(redis);
        movedAt = performance.now();
        if (failures > 0)
          log.info({ event: 'live_relay.recovered', channel, failures }, 'Live relay recovered');
        failures = 0;
        if (more) continue;
      } catch (error) {
        failures += 1;
        // One log line per outage, not per round.
        if (failures === 1)
          log.warn({ event: 'live_relay.retry', channel, err: error }, 'Live relay failed; retrying');
      }
      if (this.#stopping) return;
      const pause = failures > 0 ? Math.min(pollMs, 50 * 2 ** Math.min(failures, 5)) : pollMs;
      await this.#wake.wait(pause * (0.75 + Math.random() / 4));
    }
  }

  async #move(redis: Redis): Promise<boolean> {
    const { database, take, prefix, signatures } = this.#options;
    if (redis.status !== 'ready') return false;
    return database.transaction(async (tx) => {
      const { taken, events } = await take(tx, takeBatchSize);
      if (events.length > 0) await publishLive(redis, { prefix, signatures }, events);
      return taken === takeBatchSize;
    });
  }
}

async function markRestart(redis: Redis, prefix: string): Promise<void> {
  const runId =
    /^run_id:(\w+)/m.exec(await serverOf(redis, liveStream(prefix)).info('server'))?.[1] ?? 'unknown';
  await markLiveStart(redis, prefix, runId);
}

/** Returns a function that takes the outbox deliveries for subscribers (`liveConsumer`). */
export function takeFromOutbox(schema: string): TakeLiveEvents {
  const { takeLive } = outboxStatements(schema);
  return async (tx, limit) => {
    const rows = await takeLive.rows(tx, { consumer: liveConsumer, limit });
    const events = rows.map(({ version, occurredAt, status, ...row }) =>
      liveEventOf({
        ...row,
        version: Number(version),
        occurredAt: occurredAt.toISOString(),
        status: status ?? undefined,
      }),
    );
    return { taken: rows.length, events: events.filter((event) => event !== undefined) };
  };
}

const liveStatements = statementsBySchema(['live_events'], (schema) => ({
  append: statement({
    name: 'live.append',
    reason: 'set',
    text: `INSERT INTO ${schema}.live_events (id, tenant, type, subject, occurred_at, data)
           SELECT id, tenant, type, subject, coalesce(occurred_at, now()), data
           FROM jsonb_to_recordset($events) AS new (
             id uuid, tenant text, type text, subject text, occurred_at timestamptz, data jsonb)`,
    parameters: { events: 'jsonb' },
  }),
  wait: statement({
    name: 'live.wait',
    reason: 'hot path',
    text: `SELECT EXISTS (SELECT FROM ${schema}.live_events) AS "liveEvents"`,
    columns: { liveEvents: 'bool' },
  }),
  take: statement({
    name: 'live.take',
    reason: 'set',
    text: `WITH taken AS (
             DELETE FROM ${schema}.live_events WHERE id IN (
               SELECT id FROM ${schema}.live_events ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED)
             RETURNING *)
           SELECT id, tenant, type, subject, occurred_at AS "occurredAt", data FROM taken ORDER BY id`,
    parameters: { limit: 'int8' },
    columns: {
      id: 'uuid',
      tenant: 'text',
      type: typed<LiveEvent['type']>('text'),
      subject: 'text',
      occurredAt: 'timestamptz',
      data: typed<Record<string, string | number>>('jsonb?'),
    },
  }),
}));

export type NewLiveEvent = Omit<LiveEvent, 'id' | 'occurredAt'> & { id?: string; occurredAt?: Date };

/** Returns the table `<schema>.live_events`, for services whose changes concern only subscribers. */
export function liveOutbox(schema: string) {
  const statements = liveStatements(schema);
  const channel = `${schema}_live`;
  return {
    channel,
    /** Reports whether events wait. */
    async wait(sql: Sql): Promise<{ liveEvents: boolean } | undefined> {
      return statements.wait.first(sql);
    },
    /** Writes events in the transaction of the change. The relay is notified on commit. */
    async append(tx: Sql | Transaction, events: readonly NewLiveEvent[]): Promise<void> {
      if (events.length === 0) return;
      await statements.append.run(tx, {
        events: events.map((event) => ({ ...event, id: event.id ?? uuidv7() })),
      });
      if ('announce' in tx) tx.announce(channel);
      else await notify(tx, channel, 'appended');
    },
    take: (async (tx, limit) => {
      const rows = await statements.take.rows(tx, { limit });
      return {
        taken: rows.length,
        events: rows.map(({ occurredAt, data, ...row }) => ({
          ...row,
          occurredAt: occurredAt.toISOString(),
          ...(data === null ? {} : { data }),
        })),
      };
    }) satisfies TakeLiveEvents,
  };
}
