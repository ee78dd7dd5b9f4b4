import { isJsonObject, type JsonObject } from '@ostiary/scim';
import { schemaUrns, withoutSchema } from './attributes.ts';
import { mapMembers, type Operation } from './operation.ts';

/**
 * Entra ID sets the manager as a bare id, and unassigns it with an empty string.
 *
 *     {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager", "value": "0190…"}
 *     {"op": "Replace", "path": "urn:…:User:manager", "value": ""}
 *     {"op": "Replace", "value": {"urn:…:User:manager": "0190…"}}
 */
export function bareManager(operation: Operation): Operation {
  const { path, value } = operation;
  if (path === undefined) {
    return isJsonObject(value) ? { ...operation, value: resourceBareManager(value) } : operation;
  }
  if (path.toLowerCase() === schemaUrns.enterpriseUser && isJsonObject(value)) {
    return { ...operation, value: withManager(value) };
  }
  if (withoutSchema(path) !== 'manager' || typeof value !== 'string') return operation;
  return value === '' ? { op: 'remove', path } : { ...operation, value: { value } };
}

/**
 * The same in a resource.
 *
 *     {"userName": "ada", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"manager": "0190…"}}
 */
export const resourceBareManager = (resource: JsonObject): JsonObject =>
  withManager(
    mapMembers(resource, (key, value) => [
      [
        key,
        key.toLowerCase() === schemaUrns.enterpriseUser && isJsonObject(value) ? withManager(value) : value,
      ],
    ]),
  );

/** null is SCIM's 'unassigned' (RFC 7643 §2.5), in replaced and merged resources. */
const withManager = (object: JsonObject): JsonObject =>
  mapMembers(object, (key, value) => {
    if (withoutSchema(key) !== 'manager' || typeof value !== 'string') return [[key, value]];
    return [[key, value === '' ? null : { value }]];
  });

/**
 * Entra ID queries an assigned manager by the attribute's bare name, which is no attribute of the core schema.
 *
 *     GET /Users?filter=id eq "0190…" and manager eq "0191…"&attributes=id
 *
 * Quoted texts stay unchanged.
 */
export const bareManagerIn = (filter: string): string =>
  filter
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/(^|[\s(])manager(?=\s+(?:eq|ne|pr)\b)/gi, named)))
    .join('');

const named = (_match: string, before: string): string =>
  `${before}urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value`;
