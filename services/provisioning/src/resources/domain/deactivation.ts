import { isJsonObject, type JsonObject, type JsonValue } from '@ostiary/scim';
import { member, type Operation, schemaUrns } from '../../compatibility/index.ts';
import type { ResourceType } from '../../protocol/index.ts';

/** Reports whether the new state of a User is deactivated (RFC 7643 §4.1.1). */
export const isDeactivated = (type: ResourceType, resource: JsonObject): boolean =>
  type === 'User' && member(resource, 'active') === false;

/**
 * Reports whether a PATCH leaves a User deactivated, in both of its forms (RFC 7644 §3.5.2.3) and in all spellings of
 * the attribute's name (§3.10). The last operation on it counts: a later activation in the same request prevails.
 */
export function deactivates(type: ResourceType, operations: readonly Operation[]): boolean {
  if (type !== 'User') return false;
  return operations.flatMap(saidOfActive).at(-1) === false;
}

/** Returns the values that an operation sets for `active`; null for its removal. */
function saidOfActive({ op, path, value }: Operation): (JsonValue | undefined)[] {
  if (path !== undefined) return isActive(path) ? [op === 'remove' ? null : value] : [];
  if (op === 'remove' || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (isActive(key) ? [inner] : []));
}

const names: readonly string[] = ['active', `${schemaUrns.user}:active`];

const isActive = (path: string): boolean => names.includes(path.trim().toLowerCase());
