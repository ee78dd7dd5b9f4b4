import { isJsonObject } from '@ostiary/scim';
import { mapMembers, type Operation } from './operation.ts';

const readOnly = new Set(['id', 'schemas', 'meta', 'groups']);

/**
 * Okta renames a group with the whole resource's identity inside the value; strictly, `id` is readOnly and its
 * presence in a PATCH an error.
 *
 *     {"op": "replace", "value": {"id": "0190…", "displayName": "Engineering"}}
 *
 * (In PUT and POST such attributes are ignored for everybody: RFC 7644 section 3.5.1.)
 */
export function readOnlyKeys(operation: Operation): Operation {
  const { path, value } = operation;
  if (path !== undefined || !isJsonObject(value)) return operation;
  return {
    ...operation,
    value: mapMembers(value, (key, inner) => (readOnly.has(key.toLowerCase()) ? [] : [[key, inner]])),
  };
}
