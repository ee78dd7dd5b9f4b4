import { isJsonObject, type JsonObject } from '@ostiary/scim';
import type { Operation } from './operation.ts';

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

/** Reports whether a path names a part of an element: `emails[type eq "work"].value`, not `emails[type eq "work"]`. */
export const namesPartOfElement = (path: string): boolean => /\]\s*\.[^\]]*$/.test(path);
