import { Failure } from '../failure.ts';
import type { Current } from './current.ts';
import type { ConfigurationDocument, Described, Item, Plain } from './document.ts';

const namesIn = (value: Plain | undefined): string[] =>
  ((value ?? []) as readonly Described[]).map(({ name }) => name);

const texts = (value: Plain | undefined): readonly string[] => (value ?? []) as readonly string[];

interface Manner {
  /** Existing objects are changed. */
  changes: boolean;
  /** Objects that the file does not name are deleted. */
  prune: boolean;
}

/**
 * Checks, before anything is changed, that the APIs will have the scopes and roles that the file gives to clients and
 * groups.
 * @throws Failure usage; conflict if a scope belongs to another API
 */
export function refuseUnusableApis(document: ConfigurationDocument, current: Current, manner: Manner): void {
  refuseMovedScopes(document, current);
  const afterwards = apisAfter(document, current, manner);
  const { apis = [] } = current.lists;
  const require = (identifier: string, by: string): Item => {
    const found = afterwards.get(identifier);
    if (found) return found;
    const isDeleted = apis.some(({ key }) => key === identifier);
    throw new Failure(
      'usage',
      isDeleted
        ? `${by} refers to the API ${identifier}, which --prune deletes: add the API to the file.`
        : `The file refers to the API ${identifier}, which does not exist.`,
    );
  };
  for (const identifier of texts(document.clientDocumentPolicy?.apis))
    require(identifier, 'clientDocumentPolicy');
  for (const { group, api, role } of document.groupApiRoles ?? []) {
    const { roles } = require(String(api), `The group ${group}`);
    if (!namesIn(roles).includes(String(role)))
      throw new Failure('usage', `The file refers to the role ${role}, which the API ${api} does not have.`);
  }
  const scopes = new Set([...afterwards.values()].flatMap((api) => namesIn(api.scopes)));
  const ending = new Set(
    apis.flatMap(({ item }) => namesIn(item.scopes)).filter((name) => !scopes.has(name)),
  );
  for (const client of document.clients ?? []) {
    const lost = [...texts(client.scopes), ...texts(client.ownScopes)].find((name) => ending.has(name));
    if (lost === undefined) continue;
    throw new Failure(
      'usage',
      `The file gives ${client.name} the scope ${lost}, which it removes from its API.`,
    );
  }
}

/** Returns the APIs that the tenant has after the changes, by identifier. */
function apisAfter(
  { apis: wanted }: ConfigurationDocument,
  { lists: { apis } }: Current,
  { changes, prune }: Manner,
): ReadonlyMap<string, Item> {
  const kept = prune && wanted !== undefined ? [] : apis.map(({ key, item }): [string, Item] => [key, item]);
  const after = new Map(kept);
  for (const item of wanted ?? []) {
    const key = String(item.identifier);
    const present = apis.find((each) => each.key === key)?.item;
    after.set(key, present === undefined || changes ? { ...present, ...item } : present);
  }
  return after;
}

/** A scope ends in clients when it leaves its API, so a move to another API takes two steps. */
function refuseMovedScopes({ apis = [] }: ConfigurationDocument, { lists }: Current): void {
  const owners = new Map(
    lists.apis.flatMap(({ key, item }) => namesIn(item.scopes).map((name): [string, string] => [name, key])),
  );
  for (const { identifier, scopes } of apis) {
    const moved = namesIn(scopes).find((name) => (owners.get(name) ?? identifier) !== identifier);
    if (moved === undefined) continue;
    throw new Failure(
      'conflict',
      `The scope ${moved} belongs to the API ${owners.get(moved)}, and the file gives it to ${identifier}.`,
      ['Remove the scope from that API, or delete the API. Then apply the file again.'],
    );
  }
}
