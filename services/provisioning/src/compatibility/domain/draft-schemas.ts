import { GROUP_SCHEMA, type JsonObject, type JsonValue, USER_SCHEMA } from '@ostiary/scim';
import { mapMembers } from './operation.ts';

const coreSchemas = { User: USER_SCHEMA, Group: GROUP_SCHEMA };

export type CoreType = keyof typeof coreSchemas;

/** URNs of drafts of RFC 7643 in lower case, with their resource type. */
const drafts: ReadonlyMap<JsonValue, CoreType | 'any'> = new Map([
  ['urn:scim:schemas:core:1.0', 'any'],
  ['urn:scim:schemas:core:2.0', 'any'],
  ['urn:scim:schemas:core:2.0:user', 'User'],
  ['urn:scim:schemas:core:2.0:group', 'Group'],
]);

/**
 * OneLogin's stock template declares the schemas of drafts.
 *
 *     {"schemas": ["urn:scim:schemas:core:1.0"], "userName": "ada"}
 *     {"schemas": ["urn:scim:schemas:core:2.0:User"], "userName": "ada"}
 *
 * They are replaced by the core schema of the resource type. The draft URN of another resource type stays.
 */
export const draftSchemas = (resource: JsonObject, type: CoreType): JsonObject =>
  mapMembers(resource, (key, value) => [
    [key, key.toLowerCase() === 'schemas' && Array.isArray(value) ? value.map(current(type)) : value],
  ]);

const current =
  (type: CoreType) =>
  (schema: JsonValue): JsonValue => {
    const draft = typeof schema === 'string' ? drafts.get(schema.toLowerCase()) : undefined;
    return draft === 'any' || draft === type ? coreSchemas[type] : schema;
  };
