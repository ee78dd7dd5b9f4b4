/** Schema URNs of RFC 7643 §8 and §7. */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_USER_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
export const RESOURCE_TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const SERVICE_PROVIDER_CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/** Message URNs of RFC 7644. */
export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const BULK_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

/** Media type of every SCIM request and response (RFC 7644 §3.1). */
export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** SCIM event URIs that Ostiary sends (RFC 9967 §2.4). */
export const SCIM_EVENT = {
  create: 'urn:ietf:params:scim:event:prov:create:notice',
  patch: 'urn:ietf:params:scim:event:prov:patch:notice',
  delete: 'urn:ietf:params:scim:event:prov:delete',
  activate: 'urn:ietf:params:scim:event:prov:activate',
  deactivate: 'urn:ietf:params:scim:event:prov:deactivate',
} as const;
