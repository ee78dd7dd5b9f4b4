import { isJsonObject, type JsonObject, type JsonValue } from '@ostiary/scim';
import { withoutSchema } from './attributes.ts';
import { mapMembers, type Operation } from './operation.ts';

const booleanAttributes = new Set(['active', 'primary']);
const quoted = /\b(primary|active)(\s+(?:eq|ne)\s+)"(true|false)"/gi;

/**
 * Entra ID sends booleans as capitalised strings unless its tenant URL carries a feature flag; others send "true".
 *
 *     {"op": "Replace", "path": "active", "value": "False"}
 *     {"op": "replace", "value": {"active": "false"}}
 *     {"userName": "ada@example.com", "active": "True", "emails": [{"primary": "True", "value": "…"}]}
 *
 * Only `active` and `primary` are rewritten, and only these two words. Any other value stays and is rejected.
 */
export function stringBooleans(operation: Operation): Operation {
  const { path, value } = operation;
  if (value === undefined) return operation;
  const atBoolean = path !== undefined && isBoolean(path);
  return { ...operation, value: atBoolean ? asBoolean(value) : stringBooleansIn(value) };
}

/** The same in a resource. */
export const resourceStringBooleans = (resource: JsonObject): JsonObject =>
  mapMembers(resource, (key, inner) => [[key, isBoolean(key) ? asBoolean(inner) : stringBooleansIn(inner)]]);

function stringBooleansIn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(stringBooleansIn);
  return isJsonObject(value) ? resourceStringBooleans(value) : value;
}

const isBoolean = (path: string): boolean =>
  booleanAttributes.has(withoutSchema(path).split('.').at(-1) ?? '');

function asBoolean(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const word = value.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : value;
}

/**
 * Entra ID compares booleans with strings, in paths and in filters.
 *
 *     {"op": "Replace", "path": "emails[primary eq \"True\"].value", "value": "ada@example.com"}
 *     {"op": "Replace", "value": {"emails[primary eq \"True\"].value": "ada@example.com"}}
 */
export function quotedBooleans(operation: Operation): Operation {
  const { path, value } = operation;
  if (path !== undefined) return { ...operation, path: quotedBooleansIn(path) };
  if (!isJsonObject(value)) return operation;
  return { ...operation, value: mapMembers(value, (key, inner) => [[quotedBooleansIn(key), inner]]) };
}

/**
 * Rewrites the text of a filter. A quotation mark inside a string literal is written `\"`, so a comparison inside a
 * literal never matches.
 */
export const quotedBooleansIn = (filter: string): string =>
  filter.replace(quoted, (_match, name: string, operator: string, value: string) => {
    return `${name}${operator}${value.toLowerCase()}`;
  });
