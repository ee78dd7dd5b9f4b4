import { keyStem, keyValidation, type Redis } from '@ostiary/service';
import type { AttemptLimit, Attempts } from '../domain/attempts.ts';

// A stored state that counting cannot have produced is reset, so that no caller waits longer than the limit permits.
const begin = `${keyValidation}
only(KEYS[1], 'hash')
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local free, longest, forget = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'next', 'count', 'at')
local nextAt, count, at = tonumber(kept[1] or 0), tonumber(kept[2] or 0), tonumber(kept[3] or ms)
local possible = nextAt and count and at and nextAt - ms <= longest and count >= 0 and count <= 2 * free + 1000 and at <= ms + longest
if not possible then
  redis.call('UNLINK', KEYS[1])
  nextAt, count, at = 0, 0, ms
end
if ms < nextAt then return nextAt - ms end
local forgotten = math.max(0, math.floor((ms - at) * free / forget))
if forgotten >= count then count, at = 0, ms
else count, at = count - forgotten, at + forgotten * forget / free end
count = count + 1
redis.call('HSET', KEYS[1], 'count', count, 'at', string.format('%.0f', at))
if count >= free then
  local wait = math.min(tonumber(ARGV[2]) * 2 ^ math.min(count - free, 30), longest)
  redis.call('HSET', KEYS[1], 'next', string.format('%.0f', ms + wait))
end
redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(count * forget / free, longest)))
return 0`;

const succeed = `${keyValidation}
only(KEYS[1], 'hash')
if ARGV[1] == 'all' then return redis.call('DEL', KEYS[1]) end
local count = redis.call('HGET', KEYS[1], 'count') or '0'
if #count > 9 or not string.match(count, '^%d+$') or tonumber(count) <= 1 then return redis.call('DEL', KEYS[1]) end
redis.call('HDEL', KEYS[1], 'next')
return redis.call('HINCRBY', KEYS[1], 'count', -1)`;

/**
 * Stores attempt counters against floods in Redis: by address, client and tenant. No security decision depends on
 * them (see `Guesses`). Uses the clock of Redis, so that differences between processes have no effect.
 */
export class RedisAttempts implements Attempts {
  readonly #redis: Redis;
  readonly #stem: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#stem = keyStem(prefix, 'attempts');
  }

  async begin(key: string, { free, firstMs, maxMs, forgetMs }: AttemptLimit): Promise<number> {
    const full = this.#stem + key;
    return Number(await this.#redis.eval(begin, 1, full, free, firstMs, maxMs, forgetMs));
  }

  async succeed(key: string, forget: 'all' | 'this'): Promise<void> {
    await this.#redis.eval(succeed, 1, this.#stem + key, forget);
  }
}
