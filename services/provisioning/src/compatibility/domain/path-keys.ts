import { isJsonObject, type JsonObject } from '@ostiary/scim';
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

/**
 * Entra ID sends a part of an element as a key of a PATCH without a path, and expects the creation of a missing
 * element.
 *
 *     {"op": "Replace", "value": {"displayName": "Ada", "emails[type eq \"work\"].value": "ada@example.com"}}
 *     → replace {"displayName": "Ada"}, add emails[type eq "work"].value
 *
 * With a path, `add` has this effect (RFC 7644 §3.5.2.1). RFC 7644 does not define such keys, so the rewrite changes no
 * standard meaning.
 */
export function pathKeysCreateElements(operation: Operation): Operation[] {
  const { op, path, value } = operation;
  if (op !== 'replace' || path !== undefined || !isJsonObject(value)) return [operation];
  const entries = Object.entries(value);
  const parts = entries.filter(
    ([key, inner]) => namesPartOfElement(key) && inner !== null && inner !== undefined,
  );
  if (parts.length === 0) return [operation];
  const rest = entries.filter((entry) => !parts.includes(entry));
  return [
    ...(rest.length > 0 ? [{ ...operation, value: Object.fromEntries(rest) as JsonObject }] : []),
    ...parts.map(([key, inner]): Operation => ({ op: 'add', path: key, value: inner })),
  ];
}

/**
 * Entra ID replaces a sub-attribute of an element that may not exist yet and expects its creation.
 *
 *     {"op": "Replace", "path": "emails[type eq \"work\"].value", "value": "ada@example.com"}
 *     → emails: [{"type": "work", "value": "ada@example.com"}]
 *
 * Strictly that is `noTarget` (RFC 7644 §3.5.2.3). `add` has the same effect on an existing
 * element, and creates a missing one.
 */
export function replaceCreatesElement(operation: Operation): Operation {
  const { op, path, value } = operation;
  return op === 'replace' &&
    path !== undefined &&
    namesPartOfElement(path) &&
    value !== undefined &&
    value !== null
    ? { ...operation, op: 'add' }
    : operation;
}

/** Reports whether a path names a part of an element: `emails[type eq "work"].value`, not `emails[type eq "work"]`. */
const namesPartOfElement = (path: string): boolean => /\]\s*\.[^\]]*$/.test(path);
