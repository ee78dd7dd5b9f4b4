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

/** Takes the oldest waiting events; they are gone when the transaction commits. Empty: nothing waits. */
export type TakeLiveEvents = (tx: Sql, limit: number) => Promise<{ taken: number; events: LiveEvent[] }>;

export interface LiveRelayOptions {
  database: Pick<Database<unknown>, 'transaction' | 'listen'>;
  /** The channel on which it learns that something waits. */
  channel: string;
  take: TakeLiveEvents;
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** By STREAM_KEY. */
  signatures: Signatures;
  log: Logger;
  /** How often to look without having been woken, in ms; 1,000 unless said. */
  pollMs?: number;
}

const takeAtOnce = 500;

/** When changes come thick and fast, each round waits this long for company, in ms: a round costs a commit. */
const betweenRounds = 25;

/**
 * Moves what subscribers are to hear from a table to the stream the gateways read. An event leaves the table in the
 * transaction in which Redis has taken it: a relay that dies in between, or a Redis that is away, delays it, and it is
 * sent once more. It works beside what carries events between services and never holds that up.
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

  /** Starts working. Needs neither PostgreSQL nor Redis to be there yet. */
  async start(): Promise<void> {
    const { redisUrl, log, database, channel } = this.#options;
    this.#redis = createRedis(redisUrl, { name: 'live-relay', log });
    const redis = this.#redis;
    // It may be another server than the last one: who reads the stream is to be told.
    onServerChange(redis, liveStream(this.#options.prefix), () => {
      markRestart(redis, this.#options.prefix)
        .catch(() => redis.disconnect(true))
        .finally(() => this.poke());
    });
    this.#running = this.#run(this.#redis);
    this.#unlisten = await database.listen(channel, () => this.poke());
  }

  /** Look now. */
  poke(): void {
    this.#wake.poke();
  }

  /** Finishes what is under way; the rest stays for the next start, or for another process. */
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
        // One line an outage, not one a round.
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
      const { taken, events } = await take(tx, takeAtOnce);
      if (events.length > 0) await publishLive(redis, { prefix, signatures }, events);
      return taken === takeAtOnce;
    });
  }
}

async function markRestart(redis: Redis, prefix: string): Promise<void> {
  const runId =
    /^run_id:(\w+)/m.exec(await serverOf(redis, liveStream(prefix)).info('server'))?.[1] ?? 'unknown';
  await markLiveStart(redis, prefix, runId);
}

/** Takes the deliveries of an outbox that are for subscribers (`liveConsumer`). */
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

/** Events that wait in `<schema>.live_events`, for services whose changes concern nobody but subscribers. */
export function liveOutbox(schema: string) {
  const statements = liveStatements(schema);
  const channel = `${schema}_live`;
  return {
    channel,
    /** Whether events wait. */
    async wait(sql: Sql): Promise<{ liveEvents: boolean } | undefined> {
      return statements.wait.first(sql);
    },
    /** Writes events in the transaction that makes the change. The relay learns of them when it commits. */
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
