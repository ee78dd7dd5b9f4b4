import { Failure } from '../failure.ts';
import type { Current } from './current.ts';
import { type ConfigurationDocument, type Described, type Item, keysOf, type Plain } from './document.ts';
import { described, onlyIn } from './order.ts';
import type { Manner } from './plan.ts';

const namesIn = (value: Plain | undefined): string[] =>
  ((value ?? []) as readonly Described[]).map(({ name }) => name);

const texts = (value: Plain | undefined): readonly string[] => (value ?? []) as readonly string[];

/** Maximum number of entries of an API (`registerApi`). */
const most = { scopes: 100, roles: 50 } as const;

/**
 * Checks, before anything is changed, that the server accepts the scopes and roles of the APIs, and that the APIs will
 * have those that the file gives to clients and groups.
 * @throws Failure usage; conflict if a scope belongs to another API, or if the change takes two steps
 */
export function refuseUnusableApis(document: ConfigurationDocument, current: Current, manner: Manner): void {
  const written = (document.apis ?? []).filter(
    ({ identifier }) => manner.changes || presentOf(current, identifier) === undefined,
  );
  refuseRepeated(written);
  refuseMovedScopes(written, current);
  refuseTooMany(written, current);
  const afterwards = apisAfter(document, current, manner);
  refuseUnknown(document, current, { afterwards, manner });
  refuseMissingScopes(document, current, { afterwards, manner });
}

interface Afterwards {
  /** APIs that the tenant has after the changes, by identifier. */
  afterwards: ReadonlyMap<string, Item>;
  manner: Manner;
}

const presentOf = ({ lists }: Current, identifier: Plain | undefined): Item | undefined =>
  lists.apis.find(({ key }) => key === identifier)?.item;

/** A scope belongs to one API, and an API has a scope, and a role, once. */
function refuseRepeated(written: readonly Item[]): void {
  const owners = new Map<string, Plain | undefined>();
  const identifiers = new Set<Plain | undefined>();
  for (const { identifier, scopes, roles } of written) {
    if (identifiers.has(identifier))
      throw new Failure('usage', `The file contains the API ${identifier} twice.`);
    identifiers.add(identifier);
    for (const name of namesIn(scopes)) {
      const owner = owners.get(name);
      if (owner !== undefined && owner !== identifier)
        throw new Failure(
          'usage',
          `The file gives the scope ${name} to the APIs ${owner} and ${identifier}: a scope belongs to one API.`,
        );
      owners.set(name, identifier);
    }
    const repeated = [scopes, roles].map(namesIn).flatMap((names) => repeatedIn(names));
    if (repeated.length > 0)
      throw new Failure('usage', `The file gives the API ${identifier} the name ${repeated[0]} twice.`);
  }
}

const repeatedIn = (names: readonly string[]): string[] =>
  names.filter((name, at) => names.indexOf(name) !== at);

/** A scope ends in clients when it leaves its API, so a move to another API takes two steps. */
function refuseMovedScopes(written: readonly Item[], { lists }: Current): void {
  const owners = new Map(
    lists.apis.flatMap(({ key, item }) => namesIn(item.scopes).map((name): [string, string] => [name, key])),
  );
  for (const { identifier, scopes } of written) {
    const moved = namesIn(scopes).find((name) => (owners.get(name) ?? identifier) !== identifier);
    if (moved === undefined) continue;
    throw new Failure(
      'conflict',
      `The scope ${moved} belongs to the API ${owners.get(moved)}, and the file gives it to ${identifier}.`,
      ['Remove the scope from that API, or delete the API. Then apply the file again.'],
    );
  }
}

/** An API gets the new scopes and roles before it loses others, so that clients and groups can change in between. */
function refuseTooMany(written: readonly Item[], current: Current): void {
  for (const item of written) {
    const { identifier } = item;
    const present = presentOf(current, identifier);
    for (const field of described) {
      const wanted = namesIn(item[field]);
      if (wanted.length > most[field])
        throw new Failure(
          'usage',
          `The file gives the API ${identifier} ${wanted.length} ${field}; the maximum is ${most[field]}.`,
        );
      const former = present === undefined ? [] : onlyIn(present[field], item[field]);
      const isAdded = onlyIn(item[field], present?.[field]).length > 0;
      if (item[field] === undefined || !isAdded || wanted.length + former.length <= most[field]) continue;
      throw new Failure(
        'conflict',
        `The API ${identifier} would have ${wanted.length + former.length} ${field} during the change, the former and the new ones; the maximum is ${most[field]}.`,
        [`Apply a file first that only removes ${field} from the API. Then apply this file again.`],
      );
    }
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

function refuseUnknown(
  document: ConfigurationDocument,
  current: Current,
  { afterwards, manner }: Afterwards,
): void {
  const require = (identifier: string, by: string): Item => {
    const found = afterwards.get(identifier);
    if (found) return found;
    throw new Failure(
      'usage',
      presentOf(current, identifier)
        ? `${by} refers to the API ${identifier}, which --prune deletes: add the API to the file.`
        : `The file refers to the API ${identifier}, which does not exist.`,
    );
  };
  // An import does not change the policy.
  for (const identifier of manner.changes ? texts(document.clientDocumentPolicy?.apis) : [])
    require(identifier, 'clientDocumentPolicy');
  for (const { group, api, role } of document.groupApiRoles ?? []) {
    const { roles } = require(String(api), `The group ${group}`);
    if (!namesIn(roles).includes(String(role)))
      throw new Failure('usage', `The file refers to the role ${role}, which the API ${api} does not have.`);
  }
}

function refuseMissingScopes(
  { clients = [] }: ConfigurationDocument,
  { lists }: Current,
  { afterwards, manner }: Afterwards,
): void {
  const scopes = new Set([...afterwards.values()].flatMap((api) => namesIn(api.scopes)));
  const ending = new Set(
    lists.apis.flatMap(({ item }) => namesIn(item.scopes)).filter((name) => !scopes.has(name)),
  );
  const there = new Set(lists.clients.map(({ key }) => key));
  const keys = keysOf('clients', clients);
  const written = clients.filter((_, at) => manner.changes || !there.has(keys[at] ?? ''));
  for (const { name, scopes: given, ownScopes } of written) {
    const lost = [...texts(given), ...texts(ownScopes)].find((scope) => ending.has(scope));
    if (lost !== undefined)
      throw new Failure('usage', `The file gives ${name} the scope ${lost}, which it removes from its API.`);
    const unknown = texts(ownScopes).find((scope) => !scopes.has(scope));
    if (unknown !== undefined)
      throw new Failure('usage', `ownScopes of ${name} has the scope ${unknown}, which no API has.`);
  }
}
