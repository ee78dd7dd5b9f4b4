import { isJsonObject } from '@ostiary/scim';
import { mapMembers, type Operation } from './operation.ts';

const readOnly = new Set(['id', 'schemas', 'meta', 'groups']);

/**
 * Okta renames a group with the identity of the resource inside the value. Strictly, `id` is readOnly and an error in
 * a PATCH.
 *
 *     {"op": "replace", "value": {"id": "0190…", "displayName": "Engineering"}}
 *
 * In PUT and POST such attributes are ignored for all clients (RFC 7644 §3.5.1).
 */
export function readOnlyKeys(operation: Operation): Operation {
  const { path, value } = operation;
  if (path !== undefined || !isJsonObject(value)) return operation;
  return {
    ...operation,
    value: mapMembers(value, (key, inner) => (readOnly.has(key.toLowerCase()) ? [] : [[key, inner]])),
  };
}
