import { issuerOf } from '../tokens/principal.ts';

/**
 * Returns the resource identifier of a tenant's SCIM API, which tokens may have as their only audience (RFC
 * 8707).
 */
export const scimResource = (publicOrigin: string, tenant: string): string =>
  `${issuerOf(publicOrigin, tenant)}/scim/v2`;

/**
 * Returns the resource identifier of the graph: one URL for all tenants, because the token states the tenant,
 * and one per tenant, whose metadata can state the authorization server.
 */
export const graphResource = (publicOrigin: string, tenant?: string): string =>
  `${tenant === undefined ? publicOrigin : issuerOf(publicOrigin, tenant)}/graphql`;
