import type { AgeingKeys } from './domain/key-rotation.ts';

/** Maximum number of keys changed in one run: a few hundred milliseconds of RSA key generation. */
const batch = 50;

/**
 * Publishes successors of keys that reach their maximum age, and promotes those published long enough, also after a
 * rotation by command. Any number of processes may run it simultaneously.
 */
export async function rotateDueKeys(
  keys: AgeingKeys,
  o: { rotationSeconds: number; leadSeconds: number },
  signal?: AbortSignal,
): Promise<void> {
  for (const { tenant, alg, step } of await keys.due(o, batch)) {
    if (signal?.aborted) return;
    if (step === 'prepare') await keys.prepare(tenant, [alg]);
    else await keys.promote(tenant, alg, o.leadSeconds);
  }
}
