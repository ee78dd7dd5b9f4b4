import type { JsonObject, JsonValue, Resource } from '../json.ts';
import type { Attribute, Schema } from '../schema/attribute.ts';
import type { ResourceType, SchemaRegistry } from '../schema/registry.ts';
import { RESOURCE_TYPE_SCHEMA, SCHEMA_SCHEMA, SERVICE_PROVIDER_CONFIG_SCHEMA } from '../urns.ts';

/** An entry of `authenticationSchemes` (RFC 7643 §5). */
export interface AuthenticationScheme {
  type: 'oauth' | 'oauth2' | 'oauthbearertoken' | 'httpbasic' | 'httpdigest';
  name: string;
  description: string;
  specUri?: string;
  documentationUri?: string;
  primary?: boolean;
}

/** Capabilities of the service. Sizes are in bytes, the cursor's lifetime in seconds. */
export interface ServiceProviderOptions {
  documentationUri?: string;
  patch: boolean;
  bulk: { supported: boolean; maxOperations: number; maxPayloadSize: number };
  filter: { supported: boolean; maxResults: number };
  changePassword: boolean;
  sort: boolean;
  etag: boolean;
  /** RFC 9865 §4; absent if only index paging is supported. */
  pagination?: {
    cursor: boolean;
    index: boolean;
    defaultPaginationMethod?: 'cursor' | 'index';
    defaultPageSize?: number;
    maxPageSize?: number;
    cursorTimeout?: number;
  };
  /** RFC 9967 §4; absent if no security events are sent. */
  securityEvents?: { asyncRequest: 'none' | 'long' | 'request'; eventUris: readonly string[] };
  authenticationSchemes: readonly AuthenticationScheme[];
}

/**
 * The ServiceProviderConfig document (RFC 7643 §5).
 * @param baseUrl the SCIM base address without a slash at its end, e.g. `https://id.example/t/demo/scim/v2`.
 */
export function serviceProviderConfig(options: ServiceProviderOptions, baseUrl: string): Resource {
  return {
    schemas: [SERVICE_PROVIDER_CONFIG_SCHEMA],
    ...(options.documentationUri === undefined ? {} : { documentationUri: options.documentationUri }),
    patch: { supported: options.patch },
    bulk: { ...options.bulk },
    filter: { ...options.filter },
    changePassword: { supported: options.changePassword },
    sort: { supported: options.sort },
    etag: { supported: options.etag },
    ...(options.pagination === undefined ? {} : { pagination: defined(options.pagination) }),
    ...(options.securityEvents === undefined
      ? {}
      : {
          securityEvents: {
            asyncRequest: options.securityEvents.asyncRequest,
            eventUris: [...options.securityEvents.eventUris],
          },
        }),
    authenticationSchemes: options.authenticationSchemes.map((scheme) => defined(scheme)),
    meta: meta('ServiceProviderConfig', `${baseUrl}/ServiceProviderConfig`),
  };
}

/** The ResourceType documents (RFC 7643 §6), for a ListResponse or, found by `id`, alone. */
export function resourceTypes(registry: SchemaRegistry, baseUrl: string): Resource[] {
  return registry.resourceTypes().map((type) => resourceTypeDocument(type, baseUrl));
}

function resourceTypeDocument(type: ResourceType, baseUrl: string): Resource {
  return {
    schemas: [RESOURCE_TYPE_SCHEMA],
    id: type.name,
    name: type.name,
    description: type.description,
    endpoint: type.endpoint,
    schema: type.schema,
    schemaExtensions: type.schemaExtensions.map(({ schema, required }) => ({ schema, required })),
    meta: meta('ResourceType', `${baseUrl}/ResourceTypes/${encodeURIComponent(type.name)}`),
  };
}

/** The Schema documents (RFC 7643 §7), for a ListResponse or, found by `id`, alone. */
export function schemas(registry: SchemaRegistry, baseUrl: string): Resource[] {
  return registry.schemas().map((schema) => schemaDocument(schema, baseUrl));
}

function schemaDocument(schema: Schema, baseUrl: string): Resource {
  return {
    schemas: [SCHEMA_SCHEMA],
    id: schema.id,
    name: schema.name,
    description: schema.description,
    attributes: schema.attributes.map(attributeDocument),
    meta: meta('Schema', `${baseUrl}/Schemas/${schema.id}`),
  };
}

function attributeDocument(attribute: Attribute): JsonObject {
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued,
    description: attribute.description,
    required: attribute.required,
    ...(attribute.canonicalValues === undefined ? {} : { canonicalValues: [...attribute.canonicalValues] }),
    caseExact: attribute.caseExact,
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(attribute.referenceTypes === undefined ? {} : { referenceTypes: [...attribute.referenceTypes] }),
    ...(attribute.subAttributes === undefined
      ? {}
      : { subAttributes: attribute.subAttributes.map(attributeDocument) }),
  };
}

function meta(resourceType: string, location: string): JsonObject {
  return { resourceType, location };
}

/** The object without its undefined members. */
function defined(object: object): JsonObject {
  const entries = Object.entries(object).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
