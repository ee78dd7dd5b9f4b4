import { batchOne, type DataLoader, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

/** Federation key of an entity. */
export type Reference = { id: string };

/** Returns a loader by id, one statement for many; malformed ids are not looked up. */
export const byId = <T extends { id: string }>(
  load: (ids: string[]) => Promise<readonly T[]>,
): DataLoader<string, T | null> =>
  batchOne<T>(
    (ids) => load(ids.filter(isUuid)),
    ({ id }) => id,
  );

/** Returns an object of a user to that user and to callers with the scope to read all users'; others get null. */
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

/** Maximum number of entries of a list that is no connection, where nothing else limits it. */
export const maxListed = 100;
