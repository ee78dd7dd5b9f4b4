import { StartError } from './start-error.ts';

/** Waits for all even if one fails, so that nothing is still starting while the rest is being stopped. */
export async function settled<T extends readonly unknown[]>(
  work: {
    [K in keyof T]: Promise<T[K]>;
  },
): Promise<{ -readonly [K in keyof T]: T[K] }> {
  const results = await Promise.allSettled(work);
  const failures = results
    .filter((result) => result.status === 'rejected')
    .map((result) => result.reason as unknown);
  if (failures.length > 0) throw failures.find((failure) => failure instanceof StartError) ?? failures[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: T[K];
  };
}
