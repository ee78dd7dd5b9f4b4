import type { AgeingKeys } from '../domain/key-rotation.ts';

/** Keys changed in one run: a few hundred milliseconds of generating RSA keys beside the requests. */
const batch = 50;

/**
 * Carries out what is due: publishes successors of ageing keys, and lets those sign that have been published long
 * enough, whether they were made on schedule or by command. Any number of processes may do so at once.
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
