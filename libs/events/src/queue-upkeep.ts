import { keyValidation, type Redis } from '@ostiary/service';
import { eventQueue, queuePrefix } from './contracts.ts';

/** The keys of a queue, besides its jobs, as BullMQ has them. Schedules, limits and pauses we have none. */
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

/** Jobs that are looked at in one round. */
const atOnce = 1_000;

// KEYS: as above, in that order. ARGV: the types; then milliseconds that a job may be delayed, and between two looks for
// stalled ones.
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
local late = redis.call('ZRANGEBYSCORE', key.delayed, string.format('(%.0f', latest), '+inf', 'LIMIT', 0, ${atOnce})
for _, id in ipairs(late) do
  redis.call('ZREM', key.delayed, id)
  redis.call('LPUSH', key.wait, id)
end
if wasHeldUp or #late > 0 then redis.call('ZADD', key.marker, 0, '0') end
return redis.call('LRANGE', key.active, 0, ${atOnce - 1})`;

/** What BullMQ reads as JSON before it hands a job over. */
const jsonFields = ['data', 'opts', 'progress', 'returnvalue', 'stacktrace', 'parent'] as const;

export interface QueueUpkeepOptions {
  consumer: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** The longest that a job is put off, in ms, and the time between two looks for stalled ones. */
  longestDelayMs: number;
  stalledIntervalMs: number;
}

/**
 * Puts the queue in order: what isn't as BullMQ and we would have it was written by somebody else, and would keep the queue from
 * working for good. Jobs that are lost by it are sent again.
 */
export async function tidyQueue(redis: Redis, o: QueueUpkeepOptions): Promise<void> {
  const stem = `${queuePrefix(o.prefix)}:${eventQueue(o.consumer)}:`;
  const names = Object.keys(keyTypes);
  const active = (await redis.eval(
    tidyScript,
    names.length,
    ...names.map((name) => stem + name),
    ...Object.values(keyTypes),
    o.longestDelayMs,
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

/** Whether a job can be handed over. One that can't comes back, again and again, and holds the others up. */
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
