import { isJsonObject } from '@ostiary/scim';
import { schemaUrns } from './attributes.ts';
import { mapMembers, type Operation } from './operation.ts';

/**
 * Entra ID sends paths as keys of a PATCH without a path, which the engine accepts. They are no attribute names of
 * RFC 7643 §2.1; without the flag they are ignored like unknown attributes.
 *
 *     {"op": "Replace", "value": {"name.givenName": "Ada",
 *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber": "7"}}
 *
 * The URN of a schema alone is no path: {"urn:…:enterprise:2.0:User": {"employeeNumber": "7"}} is the form of RFC 7643.
 */
export function withoutPathKeys(operation: Operation): Operation {
  const { path, value } = operation;
  if (path !== undefined || !isJsonObject(value)) return operation;
  return { ...operation, value: mapMembers(value, (key, inner) => (isPath(key) ? [] : [[key, inner]])) };
}

/** An object behind a URN is an extension; any other value is that of an attribute. */
function isPath(key: string): boolean {
  const lower = key.toLowerCase();
  if (!lower.startsWith('urn:')) return /[.[]/.test(key);
  return Object.values(schemaUrns).some((urn) => lower.startsWith(`${urn}:`));
}
