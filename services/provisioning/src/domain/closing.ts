import { isJsonObject, type JsonObject } from '@ostiary/scim';
import { member, type Operation } from './compatibility/operation.ts';
import type { ResourceType } from './ports.ts';

/** Whether a User as it is to be is deactivated (RFC 7643 section 4.1.1). */
export const isDeactivated = (type: ResourceType, resource: JsonObject): boolean =>
  type === 'User' && member(resource, 'active') === false;

/** Whether a PATCH deactivates a User, in whichever of its two forms (RFC 7644 section 3.5.2.3). */
export const deactivates = (type: ResourceType, operations: readonly Operation[]): boolean =>
  type === 'User' &&
  operations.some(({ op, path, value }) => {
    if (op === 'remove') return false;
    if (path === undefined) return isJsonObject(value) && member(value, 'active') === false;
    return path.toLowerCase() === 'active' && value === false;
  });
