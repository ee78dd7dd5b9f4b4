import { batchOne, type DataLoader, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

/** How a key of federation names a thing. */
export type Reference = { id: string };

/** A loader of things by their own ids, one statement for many; what can't be an id isn't looked up. */
export const byId = <T extends { id: string }>(
  load: (ids: string[]) => Promise<readonly T[]>,
): DataLoader<string, T | null> =>
  batchOne<T>(
    (ids) => load(ids.filter(isUuid)),
    ({ id }) => id,
  );

/** A thing that belongs to a user is there for them, and for who may read it of everybody; to anybody else it is as if it weren't. */
export async function visible<T>(
  context: GraphContext<unknown>,
  found: Promise<T | null>,
  ownerOf: (found: T) => string,
): Promise<T | null> {
  const { scopes, kind, subject } = requirePrincipal(context);
  const thing = await found;
  const isOwn = thing !== null && kind === 'user' && ownerOf(thing) === subject;
  return scopes.has('sessions:read') || isOwn ? thing : null;
}

/** Entries of a list that isn't a connection, where nothing else bounds it. */
export const mostListed = 100;
