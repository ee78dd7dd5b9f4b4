import type { Operation } from './operation.ts';
import { namesPartOfElement } from './path-keys-create-elements.ts';

/**
 * Entra ID replaces a sub-attribute of an element that may not exist yet and expects the element to be made.
 *
 *     {"op": "Replace", "path": "emails[type eq \"work\"].value", "value": "ada@example.com"}
 *     → emails: [{"type": "work", "value": "ada@example.com"}]
 *
 * Strictly that is `noTarget` (RFC 7644 section 3.5.2.3). `add` means the same where the element exists, and makes it
 * where it doesn't.
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
