import { isJsonObject } from '@ostiary/scim';
import { schemaUrns } from './attributes.ts';
import { mapMembers, type Operation } from './operation.ts';

/**
 * Entra ID writes paths as keys of a PATCH without a path. The engine reads them so; to RFC 7643 section 2.1 they are no
 * attribute names, and without the flag they are ignored as unknown attributes are.
 *
 *     {"op": "Replace", "value": {"name.givenName": "Ada",
 *       "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber": "7"}}
 *
 * The URN of a schema as a whole is no path: {"urn:…:enterprise:2.0:User": {"employeeNumber": "7"}} is RFC 7643's own form.
 */
export function withoutPathKeys(operation: Operation): Operation {
  const { path, value } = operation;
  if (path !== undefined || !isJsonObject(value)) return operation;
  return { ...operation, value: mapMembers(value, (key, inner) => (isPath(key) ? [] : [[key, inner]])) };
}

/** An object behind a URN is an extension; another value behind one is that of an attribute. */
function isPath(key: string): boolean {
  const lower = key.toLowerCase();
  if (!lower.startsWith('urn:')) return /[.[]/.test(key);
  return Object.values(schemaUrns).some((urn) => lower.startsWith(`${urn}:`));
}
