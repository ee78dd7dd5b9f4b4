import { badUserInput } from '@ostiary/graph';

/** Filter as GraphQL passes it: null has the meaning of an absent field. */
export type Given<F> = { [K in keyof F]?: F[K] | null };

/**
 * Returns a filter without conditions that do not restrict. @throws BAD_USER_INPUT for text that no database can store
 */
export function filterOf<F extends object>(given: Given<F> | null | undefined): F {
  if (Object.values(given ?? {}).some((value) => typeof value === 'string' && value.includes('\u0000'))) {
    throw badUserInput('A filter must not contain NUL.');
  }
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null)) as F;
}
