import type { JsonObject, JsonValue } from '@ostiary/scim';
import { schemaUrns } from './attributes.ts';
import { mapMembers } from './operation.ts';

const known: readonly string[] = Object.values(schemaUrns);

/**
 * Entra ID declares a schema of its own in groups.
 *
 *     {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group",
 *                  "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
 *      "displayName": "Engineering"}
 *
 * Only the schemas of RFC 7643 stay in the list. The extensions of a resource follow from its content, and content of an
 * unknown extension is ignored like an unknown attribute.
 */
export const unknownSchemas = (resource: JsonObject): JsonObject =>
  mapMembers(resource, (key, value) => [
    [key, key.toLowerCase() === 'schemas' && Array.isArray(value) ? value.filter(keep) : value],
  ]);

const keep = (schema: JsonValue): boolean =>
  typeof schema !== 'string' || known.includes(schema.toLowerCase());
