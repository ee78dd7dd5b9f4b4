import { keyValidation, type Redis } from '@ostiary/service';
import { eventQueue, queuePrefix } from './contracts.ts';

/** Types of a queue's BullMQ keys except its jobs. Schedules, limits and pauses are not used. */
const keyTypes = {
  wait: 'list',
  active: 'list',
  paused: 'list',
  prioritized: 'zset',
  delayed: 'zset',
  'waiting-children': 'zset',
  completed: 'zset',
  failed: 'zset',
  stalled: 'set',
  'stalled-check': 'string',
  meta: 'hash',
  events: 'stream',
  id: 'string',
  pc: 'string',
  marker: 'zset',
  repeat: 'none',
  limiter: 'none',
} as const;

/** Maximum number of jobs checked in one round. */
const batchSize = 1_000;

// KEYS: as above, in that order. ARGV: the types; maximum delay of a job and interval of the stalled check in
// ms.
const tidyScript = `${keyValidation}
local key = {}
for i = 1, #KEYS do
  key[string.match(KEYS[i], '[^:]+$')] = KEYS[i]
  only(KEYS[i], ARGV[i])
end
local delayMs, stalledMs = tonumber(ARGV[#KEYS + 1]), tonumber(ARGV[#KEYS + 2])
local wasHeldUp = redis.call('HDEL', key.meta, 'paused', 'concurrency', 'max', 'duration') > 0
lasts(key['stalled-check'], 2 * stalledMs)
for _, counter in ipairs({key.id, key.pc}) do
  local n = redis.call('GET', counter)
  if n and (#n > 15 or not string.match(n, '^%d+$')) then redis.call('UNLINK', counter) end
end
if type(redis.pcall('XADD', key.events, 'NOMKSTREAM', 'MAXLEN', '~', 100, '*', 'event', 'tidied')) == 'table' then
  redis.call('UNLINK', key.events)
end
local time = redis.call('TIME')
local latest = (time[1] * 1000 + delayMs) * 0x1000
local late = redis.call('ZRANGEBYSCORE', key.delayed, string.format('(%.0f', latest), '+inf', 'LIMIT', 0, ${batchSize})
for _, id in ipairs(late) do
  redis.call('ZREM', key.delayed, id)
  redis.call('LPUSH', key.wait, id)
end
if wasHeldUp or #late > 0 then redis.call('ZADD', key.marker, 0, '0') end
return redis.call('LRANGE', key.active, 0, ${batchSize - 1})`;

/** Fields that BullMQ parses as JSON before it returns a job. */
const jsonFields = ['data', 'opts', 'progress', 'returnvalue', 'stacktrace', 'parent'] as const;

export interface QueueMaintenanceOptions {
  consumer: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** Maximum delay of a job in ms, and interval of the search for stalled jobs. */
  maxDelayMs: number;
  stalledIntervalMs: number;
}

/**
 * Repairs the queue: malformed keys and jobs, which were written by another party, would block it
 * permanently. Lost jobs are sent again.
 */
export async function tidyQueue(redis: Redis, o: QueueMaintenanceOptions): Promise<void> {
  const stem = `${queuePrefix(o.prefix)}:${eventQueue(o.consumer)}:`;
  const names = Object.keys(keyTypes);
  const active = (await redis.eval(
    tidyScript,
    names.length,
    ...names.map((name) => stem + name),
    ...Object.values(keyTypes),
    o.maxDelayMs,
    o.stalledIntervalMs,
  )) as string[];
  for (const id of active) {
    if (await isReadable(redis, stem + id)) continue;
    await redis
      .multi()
      .lrem(`${stem}active`, 0, id)
      .unlink(stem + id, `${stem}${id}:lock`)
      .exec();
  }
}

/** Reports whether BullMQ can return a job. An unreadable one would return repeatedly and delay others. */
async function isReadable(redis: Redis, job: string): Promise<boolean> {
  if (!['hash', 'none'].includes(await redis.type(job))) return false;
  try {
    for (const value of await redis.hmget(job, ...jsonFields)) if (value !== null) JSON.parse(value);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
