import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@ostiary/events';
import { type KeyFamily, type KeyFamilyName, keyFamilyOf, keyStem, redisKeys } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import { monitorRedis } from '../support/cost/redis-monitor.ts';

/** REDIS_PREFIX of the system. */
export const prefix = 'ostiary';

/** Job as stored in Redis, and its content, which only holders of the key can open. */
export interface SeenJob {
  queue: string;
  data: { sealed: string };
  events: readonly DomainEvent[];
}

/** Attacker who reads and writes everything in Redis and sees its traffic. */
export class Attacker {
  readonly redis: Redis;
  readonly jobs: SeenJob[] = [];
  readonly #open: (queue: string, data: unknown) => readonly DomainEvent[] | undefined;
  readonly #url: string;
  #stopMonitor: (() => void) | undefined;

  /** @param open opens a job for the test; the attacker cannot */
  constructor(url: string, open: (queue: string, data: unknown) => readonly DomainEvent[] | undefined) {
    this.#url = url;
    this.redis = new Redis(url);
    this.#open = open;
  }

  /** Starts to record every job. */
  async listen(): Promise<void> {
    const seen = new Set<string>();
    this.#stopMonitor = await monitorRedis(this.#url, (args) => {
      const queue = args.map((arg) => /:(events-[a-z]+):/.exec(arg)?.[1]).find((name) => name !== undefined);
      const text = args.find((arg) => arg.startsWith('{"sealed":'));
      if (queue === undefined || text === undefined) return;
      const data = JSON.parse(text) as SeenJob['data'];
      if (seen.has(data.sealed)) return;
      seen.add(data.sealed);
      this.jobs.push({ queue, data, events: this.#open(queue, data) ?? [] });
    });
  }

  /** Adds jobs to a queue, and waits until they are removed from it. */
  async inject(queue: string, jobs: readonly unknown[], fields: Record<string, string> = {}): Promise<void> {
    const stem = `{${prefix}}:${queue}:`;
    const ids: string[] = [];
    for (const data of jobs) {
      const id = randomUUID();
      ids.push(id);
      await this.redis.hset(stem + id, {
        name: 'events',
        data: JSON.stringify(data),
        opts: '{"attempts":1}',
        timestamp: Date.now(),
        delay: 0,
        priority: 0,
        ...fields,
      });
      await this.redis.lpush(`${stem}wait`, id);
    }
    await this.redis.zadd(`${stem}marker`, 0, '0');
    await eventually(
      async () => ids.length === 0 || (await this.redis.exists(...ids.map((id) => stem + id))) === 0,
    );
  }

  async keys(): Promise<string[]> {
    const found: string[] = [];
    let cursor = '0';
    do {
      const [next, keys] = await this.redis.scan(cursor, 'COUNT', 1_000);
      cursor = next;
      found.push(...keys);
    } while (cursor !== '0');
    return found;
  }

  /** Returns the existing keys by family. @throws Error for a key of no family */
  async byFamily(): Promise<Map<KeyFamilyName, string[]>> {
    const families = new Map<KeyFamilyName, string[]>();
    for (const key of await this.keys()) {
      const family = keyFamilyOf(prefix, key);
      if (family === undefined) throw new Error(`${key} is of no family`);
      families.set(family, [...(families.get(family) ?? []), key]);
    }
    return families;
  }

  /** Stops the recording. */
  listenNoMore(): void {
    this.#stopMonitor?.();
    this.#stopMonitor = undefined;
  }

  stop(): void {
    this.listenNoMore();
    this.redis.disconnect();
  }
}

export const families = Object.keys(redisKeys) as KeyFamilyName[];
export const trustOf = (family: KeyFamilyName): KeyFamily['trust'] => redisKeys[family].trust;

/** Keys that BullMQ may create for a queue. */
const ofQueues = [
  'active',
  'completed',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
];

/** Keys with fixed names, which are attacked even if they do not exist. */
export const knownKeys: readonly string[] = [
  ...(['jobs_auth', 'jobs_provisioning'] as const).flatMap((family) =>
    ofQueues.map((name) => keyStem(prefix, family) + name),
  ),
  keyStem(prefix, 'revocations'),
  keyStem(prefix, 'live'),
  ...['n', 'run'].map((name) => keyStem(prefix, 'live_order') + name),
];

const never = '99999999999999';
const tableOfNever = {
  ...{ count: never, at: '0', next: never },
  ...{ state: 'pending', expires: never },
  ...{ paused: '1', concurrency: '0' },
};
const setOfNever = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => ['9000000000000000', `garbage-${n}`]).flat();
/** More than the maximum number of pending entries of a client. */
const tooMany = 12_000;

/** Attacks on a key. None of them expires. */
export const spoilings: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  'taken away': (redis, key) => redis.unlink(key),
  'a number beyond all': async (redis, key) => redis.set(key, '9223372036854775806'),
  'a list': (redis, key) => redis.multi().unlink(key).rpush(key, 'garbage', '{"batch":"{}"}', '').exec(),
  'a table of what never ends': (redis, key) => redis.multi().unlink(key).hset(key, tableOfNever).exec(),
  'a sorted set of what never ends': (redis, key) =>
    redis
      .multi()
      .unlink(key)
      .zadd(key, ...setOfNever(keyFamilyOf(prefix, key) === 'devices_waiting' ? tooMany : 12))
      .exec(),
  'a stream at the end of its ids': (redis, key) =>
    redis
      .multi()
      .unlink(key)
      .xadd(key, '18446744073709551615-18446744073709551615', 'n', '1', 'start', 'garbage')
      .exec(),
  'a stream of the far future': (redis, key) =>
    redis.multi().unlink(key).xadd(key, '99999999999999-0', 'entries', '[]', 'mac', 'garbage').exec(),
  'a megabyte': (redis, key) =>
    redis
      .multi()
      .unlink(key)
      .setrange(key, 1024 * 1024, 'garbage')
      .exec(),
};
