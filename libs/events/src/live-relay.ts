import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Sql, Transaction } from '@ostiary/database';
import { createRedis, type Logger, type Redis, type Signatures, uuidv7 } from '@ostiary/service';
import { liveConsumer } from './contracts.ts';
import { type LiveEvent, liveEventOf, markLiveStart, publishLive } from './live.ts';
import { Wake } from './wake.ts';

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
    // Every connection may lead to another server than the last one did: who reads the stream is to be told.
    redis.on('ready', () => {
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
        if (failures > 0) log.info({ channel, failures }, 'the live relay works again');
        failures = 0;
        if (more) continue;
      } catch (error) {
        failures += 1;
        // One line an outage, not one a round.
        if (failures === 1) log.warn({ channel, err: error }, 'the live relay has to wait');
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
  const runId = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  await markLiveStart(redis, prefix, runId);
}

interface OutboxRow {
  id: string;
  tenant: string;
  type: string;
  subject: string;
  version: number;
  occurred_at: Date;
  /** Of the tenant that the event is about. */
  status: string | null;
}

/** Takes the deliveries of an outbox that are for subscribers (`liveConsumer`). */
export function takeFromOutbox(schema: string): TakeLiveEvents {
  return async (tx, limit) => {
    const { rows } = await tx.query<OutboxRow>(
      `WITH taken AS (
         DELETE FROM ${schema}.outbox_deliveries WHERE (event_id, consumer) IN (
           SELECT event_id, consumer FROM ${schema}.outbox_deliveries
           WHERE state = 'pending' AND consumer = $2 ORDER BY event_id LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING event_id)
       SELECT e.id, e.tenant, e.type, e.subject, e.version, e.occurred_at,
              CASE WHEN e.type LIKE 'tenant.%' THEN e.payload->>'status' END AS status
       FROM taken JOIN ${schema}.outbox_events e ON e.id = taken.event_id ORDER BY e.id`,
      [limit, liveConsumer],
    );
    const events = rows.map((row) =>
      liveEventOf({
        id: row.id,
        tenant: row.tenant,
        type: row.type,
        subject: row.subject,
        version: Number(row.version),
        occurredAt: row.occurred_at.toISOString(),
        status: row.status ?? undefined,
      }),
    );
    return { taken: rows.length, events: events.filter((event) => event !== undefined) };
  };
}

export type NewLiveEvent = Omit<LiveEvent, 'id' | 'occurredAt'> & { id?: string; occurredAt?: Date };

/** Events that wait in `<schema>.live_events`, for services whose changes concern nobody but subscribers. */
export function liveOutbox(schema: string) {
  const table = `${schema}.live_events`;
  const channel = `${schema}_live`;
  return {
    channel,
    /** Writes events in the transaction that makes the change. The relay learns of them when it commits. */
    async append(tx: Sql | Transaction, events: readonly NewLiveEvent[]): Promise<void> {
      if (events.length === 0) return;
      await tx.query(
        `INSERT INTO ${table} (id, tenant, type, subject, occurred_at, data)
         SELECT id, tenant, type, subject, coalesce(occurred_at, now()), data
         FROM jsonb_to_recordset($1::jsonb) AS new (
           id uuid, tenant text, type text, subject text, occurred_at timestamptz, data jsonb)`,
        [JSON.stringify(events.map((event) => ({ ...event, id: event.id ?? uuidv7() })))],
      );
      if ('announce' in tx) tx.announce(channel);
      else await tx.query('SELECT pg_notify($1, $2)', [channel, 'appended']);
    },
    take: (async (tx, limit) => {
      const { rows } = await tx.query<LiveRow>(
        `WITH taken AS (
           DELETE FROM ${table} WHERE id IN (
             SELECT id FROM ${table} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
           RETURNING *)
         SELECT * FROM taken ORDER BY id`,
        [limit],
      );
      return {
        taken: rows.length,
        events: rows.map((row) => ({
          id: row.id,
          tenant: row.tenant,
          type: row.type as LiveEvent['type'],
          subject: row.subject,
          occurredAt: row.occurred_at.toISOString(),
          ...(row.data === null ? {} : { data: row.data }),
        })),
      };
    }) satisfies TakeLiveEvents,
  };
}

interface LiveRow {
  id: string;
  tenant: string;
  type: string;
  subject: string;
  occurred_at: Date;
  data: Record<string, string | number> | null;
}
