import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainEvent, eventQueue, queuePrefix, sealedJob } from '@ostiary/events';
import { eventSignatures } from '@ostiary/service';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Stage } from '../stage.ts';

/** Services with a queue of directory events. */
export const consumers = ['auth', 'provisioning'] as const;

interface StoredEvent {
  id: string;
  tenant: string;
  type: string;
  subject: string;
  version: string;
  payload: unknown;
  actor: unknown;
  traceparent: string | null;
  occurred_at: Date;
}

/** Effect of repeated jobs on one consumer. */
export interface Again {
  consumer: string;
  /** Minimum number of events that the consumer must recognise as repeated. */
  atLeast: number;
  recognised: number;
  /** Jobs that the consumer rejected as not sent by the directory. */
  refused: number;
}

/** Returns the latest events of the directory in the form that its relay sends. */
async function latestEvents(db: pg.Client, count: number): Promise<DomainEvent[]> {
  const { rows } = await db.query<StoredEvent>(
    `SELECT id, tenant, type, subject, version::text AS version, payload, actor, traceparent, occurred_at
       FROM directory.outbox_events ORDER BY id DESC LIMIT $1`,
    [count],
  );
  return rows.map(
    ({ occurred_at, version, traceparent, ...row }) =>
      ({
        ...row,
        version: Number(version),
        occurredAt: occurred_at.toISOString(),
        ...(traceparent !== null && { traceparent }),
      }) as DomainEvent,
  );
}

/** Disturbs the queues and the outbox directly, like a broken transport. */
export class Transport {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async flush(): Promise<void> {
    await this.#withRedis((redis) => redis.flushall());
  }

  /** Delivers the latest events twice more to each consumer, newest first. */
  async deliverAgain(count: number): Promise<Again[]> {
    const events = await this.#withDatabase((db) => latestEvents(db, count));
    // Of three deliveries of an event, at least one of these two is not the first.
    return this.#counted(events.length, () =>
      this.#withRedis(async (redis) => {
        for (const consumer of consumers) {
          const queue = new Queue(eventQueue(consumer), { connection: redis, prefix });
          const jobs = await queue.addBulk(
            [...events, ...events].map((event) => ({
              name: 'events',
              data: this.#sealed(consumer, event),
              opts: jobOptions,
            })),
          );
          const keys = jobs.map(({ id }) => queue.toKey(String(id)));
          const until = performance.now() + handledWithinMs;
          while ((await redis.exists(...keys)) > 0 && performance.now() < until) await sleep(50);
          await queue.close();
        }
      }),
    );
  }

  /** Locks about half of the pending deliveries of the outbox for a moment each, so that later ones overtake them. */
  async reorder(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await this.#withDatabase(async (db) => {
        await db.query('BEGIN');
        await db.query(
          `SELECT 1 FROM directory.outbox_deliveries
            WHERE state = 'pending' AND hashtext(event_id::text) % 2 = 0 FOR UPDATE SKIP LOCKED`,
        );
        await new Promise((resolve) => setTimeout(resolve, 60));
        await db.query('COMMIT');
      });
    }
  }

  /** Puts `count` repeated jobs in front of all others, and removes the remaining ones after `ms` milliseconds. */
  async fill(count: number, ms: number): Promise<Again[]> {
    return this.#counted(1, async () => {
      await this.#fill(count);
      const until = performance.now() + ms;
      while (performance.now() < until && (await this.#waiting()) > 100) await sleep(250);
      await this.#drain();
    });
  }

  async #fill(count: number): Promise<void> {
    const [event] = await this.#withDatabase((db) => latestEvents(db, 1));
    if (event === undefined) throw new Error('there is no event yet');
    await this.#withRedis(async (redis) => {
      for (const consumer of consumers) {
        const data = JSON.stringify(this.#sealed(consumer, event));
        for (let done = 0; done < count; done += fillBatchSize) {
          await redis.eval(
            fillScript,
            1,
            keysOf(consumer),
            data,
            JSON.stringify(jobOptions),
            Math.min(fillBatchSize, count - done),
            `filler-${consumer}-${done}-${Math.random()}`,
          );
        }
      }
    });
  }

  /** Returns the length of the longer queue. */
  async #waiting(): Promise<number> {
    return this.#withRedis(async (redis) =>
      Math.max(...(await Promise.all(consumers.map((consumer) => redis.llen(`${keysOf(consumer)}wait`))))),
    );
  }

  /** Removes the remaining fillers. */
  async #drain(): Promise<void> {
    await this.#withRedis(async (redis) => {
      for (const consumer of consumers) {
        let left = 1;
        while (left > 0) {
          left = (await redis.eval(drainScript, 1, keysOf(consumer), fillBatchSize)) as number;
        }
      }
    });
  }

  /** Seals an event like the relay of the directory: a consumer discards a job without a valid seal unread. */
  #sealed(consumer: string, event: DomainEvent) {
    const { EVENT_KEY } = this.#stage.system.secrets;
    const signatures = eventSignatures({ EVENT_KEY: Buffer.from(EVENT_KEY, 'base64url') });
    return sealedJob(signatures, consumer, [event]);
  }

  /** Returns the changes of the consumers' counters during the work. */
  async #counted(atLeast: number, work: () => Promise<void>): Promise<Again[]> {
    const before = await Promise.all(consumers.map((consumer) => this.#counts(consumer)));
    await work();
    return Promise.all(
      consumers.map(async (consumer, index) => {
        const { recognised, refused } = await this.#counts(consumer);
        const was = before[index] ?? { recognised: Number.NaN, refused: Number.NaN };
        return {
          consumer,
          atLeast,
          recognised: recognised - was.recognised,
          refused: refused - was.refused,
        };
      }),
    );
  }

  async #counts(consumer: (typeof consumers)[number]): Promise<Pick<Again, 'recognised' | 'refused'>> {
    const [recognised, refused] = await Promise.all(
      ['events_duplicates_total', 'events_refused_jobs_total'].map((metric) =>
        this.#stage.counted(consumer, metric),
      ),
    );
    return { recognised: recognised ?? Number.NaN, refused: refused ?? Number.NaN };
  }

  async #withRedis<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.#stage.system.redisUrl, { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async #withDatabase<T>(work: (db: pg.Client) => Promise<T>): Promise<T> {
    const db = new pg.Client({ connectionString: this.#stage.system.databaseUrl });
    db.on('error', () => undefined);
    await db.connect();
    try {
      return await work(db);
    } finally {
      await db.end().catch(() => undefined);
    }
  }
}

const prefix = queuePrefix('ostiary');
const keysOf = (consumer: string): string => `${prefix}:${eventQueue(consumer)}:`;

/** Milliseconds within which consumers must process repeated deliveries. */
const handledWithinMs = 10_000;

const jobOptions = {
  attempts: 1_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};

const fillBatchSize = 2_000;

/** Adds many jobs as BullMQ's script adds one without delay and priority; that script takes minutes for 100,000. */
const fillScript = `
for i = 1, tonumber(ARGV[3]) do
  local id = ARGV[4] .. '-' .. i
  redis.call('HSET', KEYS[1] .. id, 'name', 'events', 'data', ARGV[1], 'opts', ARGV[2], 'timestamp', '1', 'delay', '0', 'priority', '0')
  redis.call('RPUSH', KEYS[1] .. 'wait', id)
end
redis.call('ZADD', KEYS[1] .. 'marker', 0, '0')
return 0`;

const drainScript = `
local jobs = redis.call('LRANGE', KEYS[1] .. 'wait', -tonumber(ARGV[1]), -1)
local kept, gone = {}, 0
for _, id in ipairs(jobs) do
  if string.sub(id, 1, 7) == 'filler-' then
    redis.call('DEL', KEYS[1] .. id)
    gone = gone + 1
  else
    table.insert(kept, id)
  end
end
redis.call('LTRIM', KEYS[1] .. 'wait', 0, -#jobs - 1)
for _, id in ipairs(kept) do redis.call('RPUSH', KEYS[1] .. 'wait', id) end
return gone`;
