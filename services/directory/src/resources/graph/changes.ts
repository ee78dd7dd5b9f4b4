import { type GraphContext, requirePrincipal } from '@ostiary/graph';
import { type JsonObject, weakEtag } from '@ostiary/scim';
import { actorOf } from '../../audit/graph/index.ts';
import { type ConferringLoaders, conferringOf } from './conferring.ts';

export type Fields = Record<string, unknown>;

export interface Versioned {
  id: string;
  version?: number | null;
}

export interface Input<T> {
  input: T;
}

/** The actor of a change, what it changes, and based on which version. */
export const change = ({ id, version }: Versioned, context: GraphContext<ConferringLoaders>) => ({
  id,
  actor: actorOf(requirePrincipal(context)),
  mayGive: conferringOf(context),
  ...(version !== null && version !== undefined && { ifMatch: [weakEtag(version)] }),
});

/** What attributes of SCIM are called here whose names are taken. */
const attributeNames: Readonly<Record<string, string>> = { scimRoles: 'roles' };

/** Fields of an input by their names in SCIM. */
export const attributesOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [attributeNames[name] ?? name, value]));

/** The operations that set what is given and remove what is null. */
export const operationsOf = (fields: Fields): object[] =>
  Object.entries(fields).flatMap(([path, value]) => {
    if (value === undefined) return [];
    return value === null ? [{ op: 'remove', path }] : [{ op: 'replace', path, value: withoutNulls(value) }];
  });

/** A null in an input object says the same as leaving it out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)]],
    ),
  );
}

/** The operations that write attributes of extensions: null clears one, and null for all clears the extension. */
export const extensionOperations = (extensions: readonly [string, JsonObject | null][]): object[] =>
  extensions.map(([path, value]) =>
    value === null ? { op: 'remove', path } : { op: 'replace', path, value },
  );
