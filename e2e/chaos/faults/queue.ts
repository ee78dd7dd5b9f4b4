import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainEvent, eventQueue, queuePrefix, sealedJob } from '@ostiary/events';
import { eventSignatures } from '@ostiary/service';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Stage } from '../stage.ts';

/** Who has a queue of the directory's events. */
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

/** What became of jobs that a consumer had been sent before. */
export interface Again {
  consumer: string;
  /** Events of which it must have recognised at least so many as known. */
  atLeast: number;
  recognised: number;
  /** Jobs that it took for somebody else's. */
  refused: number;
}

/** The directory's latest events, as its relay sends them. */
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

/** Work on the queues and the outbox as a broken transport would do it, past all processes. */
export class Transport {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async flush(): Promise<void> {
    await this.#withRedis((redis) => redis.flushall());
  }

  /** Delivers the latest events once more to everybody, the newest first, each twice. */
  async deliverAgain(count: number): Promise<Again[]> {
    const events = await this.#withDatabase((db) => latestEvents(db, count));
    // Of three deliveries of an event, whichever come first and last, at least one of these two is not its first.
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

  /**
   * For a while keeps about half of what waits in the outbox from being taken, each for a moment: what comes later
   * overtakes it.
   */
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

  /**
   * Puts so many jobs in front of everything else, and takes away what is left of them after a time; each holds an event that
   * has had its effect long ago.
   */
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
        for (let done = 0; done < count; done += fillAtOnce) {
          await redis.eval(
            fillScript,
            1,
            keysOf(consumer),
            data,
            JSON.stringify(jobOptions),
            Math.min(fillAtOnce, count - done),
            `filler-${consumer}-${done}-${Math.random()}`,
          );
        }
      }
    });
  }

  /** How many jobs wait at most in one of the queues. */
  async #waiting(): Promise<number> {
    return this.#withRedis(async (redis) =>
      Math.max(...(await Promise.all(consumers.map((consumer) => redis.llen(`${keysOf(consumer)}wait`))))),
    );
  }

  /** Takes away what is left of the fillers. */
  async #drain(): Promise<void> {
    await this.#withRedis(async (redis) => {
      for (const consumer of consumers) {
        let left = 1;
        while (left > 0) {
          left = (await redis.eval(drainScript, 1, keysOf(consumer), fillAtOnce)) as number;
        }
      }
    });
  }

  /** As the directory's relay seals it: what isn't, a consumer throws away unread, and nothing was tried. */
  #sealed(consumer: string, event: DomainEvent) {
    const { EVENT_KEY } = this.#stage.system.secrets;
    const signatures = eventSignatures({ EVENT_KEY: Buffer.from(EVENT_KEY, 'base64url') });
    return sealedJob(signatures, consumer, [event]);
  }

  /** What the consumers counted meanwhile. */
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

/** Milliseconds that consumers have for what is delivered again. */
const handledWithinMs = 10_000;

const jobOptions = {
  attempts: 1_000_000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};

const fillAtOnce = 2_000;

/** What BullMQ's own script does for a job without delay and priority, many times: through it 100,000 would take minutes. */
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
