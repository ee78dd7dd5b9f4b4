import { isJsonObject, type JsonObject, type JsonValue } from '@ostiary/scim';
import { member, type Operation, schemaUrns } from '../../compatibility/index.ts';
import type { ResourceType } from '../../protocol/index.ts';

/** Whether a User as it is to be is deactivated (RFC 7643 section 4.1.1). */
export const isDeactivated = (type: ResourceType, resource: JsonObject): boolean =>
  type === 'User' && member(resource, 'active') === false;

/**
 * Whether a PATCH leaves a User deactivated, in whichever of its two forms (RFC 7644 section 3.5.2.3) and however the attribute's name is
 * written (section 3.10). What is said of it last counts: who opens the door again in the same request closes none.
 */
export function deactivates(type: ResourceType, operations: readonly Operation[]): boolean {
  if (type !== 'User') return false;
  return operations.flatMap(saidOfActive).at(-1) === false;
}

/** What an operation makes of `active`; null for its removal. */
function saidOfActive({ op, path, value }: Operation): (JsonValue | undefined)[] {
  if (path !== undefined) return isActive(path) ? [op === 'remove' ? null : value] : [];
  if (op === 'remove' || !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (isActive(key) ? [inner] : []));
}

const names: readonly string[] = ['active', `${schemaUrns.user}:active`];

const isActive = (path: string): boolean => names.includes(path.trim().toLowerCase());
