import { Failure } from '../failure.ts';
import type { Current } from './current.ts';
import { type ConfigurationDocument, type Item, keysOf } from './document.ts';

type Exchange = { subjectClients?: readonly string[] } | null | undefined;

/** The clients that an item refers to, by their keys. */
export const clientsIn = ({ mayAct, clientId, clientIds, tokenExchange }: Item): string[] =>
  [
    mayAct,
    clientId,
    ...((clientIds ?? []) as string[]),
    ...((tokenExchange as Exchange)?.subjectClients ?? []),
  ].filter((key) => typeof key === 'string');

/**
 * Before anything is changed: what the file refers to is there afterwards.
 * @param prune what the file doesn't name is deleted
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
        ? `${String(item.name)} refers to the client ${missing}, which --prune deletes: name it in the file, too.`
        : `There is no client ${missing}, which something in the file refers to.`,
    );
  }
}
