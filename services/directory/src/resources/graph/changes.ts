import { type GraphContext, requirePrincipal } from '@ostiary/graph';
import { type JsonObject, weakEtag } from '@ostiary/scim';
import { actorOf } from '../../audit/graph/actor.ts';
import { type ConferringLoaders, conferringOf } from './conferring.ts';

export type Fields = Record<string, unknown>;

export interface Versioned {
  id: string;
  version?: number | null;
}

export interface Input<T> {
  input: T;
}

/** Returns the actor of a change, the id, and the expected version. */
export const change = ({ id, version }: Versioned, context: GraphContext<ConferringLoaders>) => ({
  id,
  actor: actorOf(requirePrincipal(context)),
  mayGive: conferringOf(context),
  ...(version !== null && version !== undefined && { ifMatch: [weakEtag(version)] }),
});

/** Names in SCIM of attributes whose name is used otherwise in the graph. */
const attributeNames: Readonly<Record<string, string>> = { scimRoles: 'roles' };

/** Returns the fields of an input by their names in SCIM. */
export const attributesOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [attributeNames[name] ?? name, value]));

/** Returns the PATCH operations that set the given fields and remove those that are null. */
export const operationsOf = (fields: Fields): object[] =>
  Object.entries(fields).flatMap(([path, value]) => {
    if (value === undefined) return [];
    return value === null ? [{ op: 'remove', path }] : [{ op: 'replace', path, value: withoutNulls(value) }];
  });

/** Removes nulls: a null in an input object equals an omitted field. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)]],
    ),
  );
}

/** Returns the PATCH operations on extensions: null clears an attribute, or the extension. */
export const extensionOperations = (extensions: readonly [string, JsonObject | null][]): object[] =>
  extensions.map(([path, value]) =>
    value === null ? { op: 'remove', path } : { op: 'replace', path, value },
  );
