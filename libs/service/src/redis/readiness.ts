import { type FailureReason, NotReady } from '../kit/reasons.ts';
import type { Redis } from './connection.ts';
import type { ProcessName } from './keys.ts';
import { probeRedis } from './probe.ts';

/** Reasons of Redis errors, by the first word of the error. */
const refusals: Readonly<Record<string, FailureReason>> = {
  READONLY: 'read_only',
  OOM: 'out_of_memory',
  MISCONF: 'cannot_save',
  NOREPLICAS: 'too_few_replicas',
  NOPERM: 'rights_missing',
  WRONGPASS: 'credential_rejected',
  NOAUTH: 'credential_rejected',
  MOVED: 'wrong_mode',
  CROSSSLOT: 'wrong_mode',
  CLUSTERDOWN: 'cluster_down',
  LOADING: 'starting',
  MASTERDOWN: 'read_only',
};

/** Returns the reason of a Redis error, also of a command inside a script. */
function redisReasonOf(error: unknown): FailureReason {
  const message = error instanceof Error ? error.message : '';
  if (/unknown command/i.test(message)) return 'wrong_mode';
  for (const [word, reason] of Object.entries(refusals)) {
    if (new RegExp(`(?:^|[\\s:-])${word}(?:[\\s,]|$)`).test(message)) return reason;
  }
  return 'unreachable';
}

/** Time in ms for which a refusal explains a missing connection. */
const refusalLastsMs = 3_000;

/**
 * Returns a probe that verifies that this process can write; an open connection does not prove that.
 * @param prefix REDIS_PREFIX
 */
export function redisProbe(redis: Redis, prefix: string, process: ProcessName): () => Promise<void> {
  let refused: unknown;
  // A refusal may be the cause of a missing connection: clients disconnect from a server that became a
  // replica.
  let last: { reason: FailureReason; at: number } | undefined;
  redis.on('error', (error: unknown) => {
    refused = error;
  });
  redis.on('ready', () => {
    refused = undefined;
  });
  return async () => {
    try {
      await probeRedis(redis, prefix, process);
      last = undefined;
    } catch (error) {
      const said = redisReasonOf((error as Error).cause ?? error);
      // Without a connection, the refusal that prevented it is the better reason.
      const reason = said === 'unreachable' ? redisReasonOf(refused) : said;
      const now = performance.now();
      if (reason !== 'unreachable') last = { reason, at: now };
      const isRecent = last !== undefined && now - last.at < refusalLastsMs;
      throw new NotReady(isRecent && last ? last.reason : reason, error);
    }
  };
}

/** Reports whether Redis is reachable but refuses commands, which waiting does not change. */
export const isRefusal = (reason: FailureReason): boolean =>
  !['unreachable', 'timeout', 'starting', 'cluster_down'].includes(reason);
