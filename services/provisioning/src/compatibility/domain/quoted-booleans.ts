import { isJsonObject } from '@ostiary/scim';
import { mapMembers, type Operation } from './operation.ts';

const quoted = /\b(primary|active)(\s+(?:eq|ne)\s+)"(true|false)"/gi;

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
