import { type FailureReason, NotReady } from '../kit/reasons.ts';
import type { Redis } from './connection.ts';
import type { ProcessName } from './keys.ts';
import { probeRedis } from './probe.ts';

/** What Redis refuses with, by the first word of its answer. */
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

/** Why Redis refuses, as far as the error says; also where a script says it of a command of its own. */
function redisReasonOf(error: unknown): FailureReason {
  const message = error instanceof Error ? error.message : '';
  if (/unknown command/i.test(message)) return 'wrong_mode';
  for (const [word, reason] of Object.entries(refusals)) {
    if (new RegExp(`(?:^|[\\s:-])${word}(?:[\\s,]|$)`).test(message)) return reason;
  }
  return 'unreachable';
}

/** How long a refusal explains that there is no connection, in ms. */
const refusalLastsMs = 3_000;

/**
 * A probe of Redis that proves that this process can write: a connection that stands says nothing about that.
 * @param prefix REDIS_PREFIX
 */
export function redisProbe(redis: Redis, prefix: string, process: ProcessName): () => Promise<void> {
  let refused: unknown;
  // A refusal may be why there is no connection: a client leaves a server that has become a replica.
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
      // While there is no connection, what kept it from being made says more than that there is none.
      const reason = said === 'unreachable' ? redisReasonOf(refused) : said;
      const now = performance.now();
      if (reason !== 'unreachable') last = { reason, at: now };
      const isRecent = last !== undefined && now - last.at < refusalLastsMs;
      throw new NotReady(isRecent && last ? last.reason : reason, error);
    }
  };
}

/** Whether Redis is there and takes nothing: that doesn't end by waiting. */
export const isRefusal = (reason: FailureReason): boolean =>
  !['unreachable', 'timeout', 'starting', 'cluster_down'].includes(reason);
