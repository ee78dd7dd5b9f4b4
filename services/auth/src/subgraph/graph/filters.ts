import { badUserInput } from '@ostiary/graph';

/** Filters as GraphQL gives them: null says the same as nothing. */
export type Given<F> = { [K in keyof F]?: F[K] | null };

/** A filter without what doesn't narrow. @throws BAD_USER_INPUT for a text that is in no database */
export function filterOf<F extends object>(given: Given<F> | null | undefined): F {
  if (Object.values(given ?? {}).some((value) => typeof value === 'string' && value.includes('\u0000'))) {
    throw badUserInput('A filter must not contain NUL.');
  }
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null)) as F;
}
