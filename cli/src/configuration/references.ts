import { Failure } from '../failure.ts';
import type { Current } from './current.ts';
import { type ConfigurationDocument, type Item, keysOf } from './document.ts';

type Exchange = { subjectClients?: readonly string[] } | null | undefined;

/** Returns the keys of the clients that an item refers to. */
export const clientsIn = ({ mayAct, clientId, clientIds, tokenExchange }: Item): string[] =>
  [
    mayAct,
    clientId,
    ...((clientIds ?? []) as string[]),
    ...((tokenExchange as Exchange)?.subjectClients ?? []),
  ].filter((key) => typeof key === 'string');

/**
 * Checks, before anything is changed, that all references of the file can be resolved afterwards.
 * @param prune objects that the file does not name are deleted
 * @throws Failure usage
 */
export function refuseDangling(document: ConfigurationDocument, current: Current, prune: boolean): void {
  const { clients, connectors = [], trustedIssuers = [] } = document;
  const there = prune && clients !== undefined ? [] : current.lists.clients.map(({ key }) => key);
  const known = new Set([...there, ...keysOf('clients', clients ?? [])]);
  for (const item of [...(clients ?? []), ...connectors, ...trustedIssuers]) {
    const missing = clientsIn(item).find((key) => !known.has(key));
    if (missing === undefined) continue;
    const isDeleted = current.lists.clients.some(({ key }) => key === missing);
    throw new Failure(
      'usage',
      isDeleted
        ? `${String(item.name)} refers to the client ${missing}, which --prune deletes: add the client to the file.`
        : `The file refers to the client ${missing}, which does not exist.`,
    );
  }
}
