import { isJsonObject, type JsonObject } from '@ostiary/scim';
import type { Operation } from './operation.ts';

/**
 * Entra ID names a part of an element in a key of a PATCH without a path, whether the element exists or not, and expects it to be
 * made.
 *
 *     {"op": "Replace", "value": {"displayName": "Ada", "emails[type eq \"work\"].value": "ada@example.com"}}
 *     → replace {"displayName": "Ada"}, add emails[type eq "work"].value
 *
 * A path says so with `add` (RFC 7644 section 3.5.2.1). A key can't, and as RFC 7644 knows no such keys, there is no other meaning to keep.
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

/** `emails[type eq "work"].value`, not `emails[type eq "work"]`. */
export const namesPartOfElement = (path: string): boolean => /\]\s*\.[^\]]*$/.test(path);
