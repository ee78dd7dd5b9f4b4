import type { Operation } from './operation.ts';
import { namesPartOfElement } from './path-keys-create-elements.ts';

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
