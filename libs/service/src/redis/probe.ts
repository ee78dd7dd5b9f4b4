import { pid } from 'node:process';
import type { Redis } from './connection.ts';
import { type KeyFamily, type KeyFamilyName, keyStem, type ProcessName, redisKeys } from './keys.ts';
import { keyOnEach } from './servers.ts';

/** Leaves no key. */
const writeScript = `redis.call('SET', KEYS[1], '1', 'PX', 1000)
return redis.call('DEL', KEYS[1])`;

/** Changes nothing, but requires write permission for the key. */
const mayWriteScript = 'return 1';

/** Explanations of Redis errors, by the first word of the error. */
const refusals = {
  READONLY: 'is a read-only replica',
  OOM: 'is out of memory (maxmemory)',
  MISCONF: 'cannot save to its disk',
  NOREPLICAS: 'has too few replicas to accept writes',
  NOPERM: 'does not permit a command that this process needs (ACL)',
  WRONGPASS: 'rejects the user or the password',
  NOAUTH: 'requires a user or a password',
  MOVED: 'is a cluster, but REDIS_URL does not begin with redis+cluster',
  CROSSSLOT: 'is a cluster, but REDIS_URL does not begin with redis+cluster',
  CLUSTERDOWN: 'is a cluster that is down',
  LOADING: 'is loading its data',
  BUSY: 'is busy with a script',
  MASTERDOWN: 'is a replica without a primary',
} as const;

/** Returns the explanation of a Redis error as a predicate, or undefined if it is not a refusal by Redis. */
export function redisRefusal(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  if (/unknown command/i.test(message))
    return 'lacks a required command: it is a Sentinel, or commands are renamed';
  // The others redirect to a failed node until another has taken over.
  if (/Too many Cluster redirections.*(?:MOVED|closed)/.test(message))
    return 'is a cluster with unavailable nodes';
  for (const [word, meaning] of Object.entries(refusals)) {
    if (new RegExp(`(?:^|[\\s:-])${word}(?:\\s|$)`).test(message)) return meaning;
  }
  return undefined;
}

/**
 * Verifies that this process can write, with a script, on every server that has keys: an open connection does
 * not prove that. Also verifies its permissions in every family of keys, which users created for an older
 * version or by hand may lack. All checks run at the same time and leave no key.
 * The written key belongs to a family that every process writes, so no user needs an extra permission.
 * @param prefix REDIS_PREFIX
 * @throws Error with a reason without host names, if any server refuses or does not respond
 */
export async function probeRedis(redis: Redis, prefix: string, process: ProcessName): Promise<void> {
  if (redis.status !== 'ready') throw new Error('Redis is not connected');
  const onEach = keyOnEach(redis, probeKey(prefix, 'dpop_proof'));
  const families = Object.entries(redisKeys) as [KeyFamilyName, KeyFamily][];
  const asked = families.flatMap(([name, { read, write }]): Promise<unknown>[] => {
    if (write.includes(process)) return [redis.eval(mayWriteScript, 1, probeKey(prefix, name))];
    return read?.includes(process) ? [redis.type(probeKey(prefix, name))] : [];
  });
  try {
    await Promise.all([...onEach.map((key) => redis.eval(writeScript, 1, key)), ...asked]);
  } catch (error) {
    throw new Error(`Redis ${redisRefusal(error) ?? 'does not answer'}`, { cause: error });
  }
}

/** Returns a key of the family, or its only key. */
function probeKey(prefix: string, family: KeyFamilyName): string {
  const stem = keyStem(prefix, family);
  return stem.endsWith(':') ? `${stem}probe:${pid}:` : stem;
}
