import { dpopAlgorithms } from '../dpop/dpop-proof.ts';
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

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * Returns the URL of a resource's metadata; the well-known part is between host and path (RFC 9728 section
 * 3.1).
 */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${wellKnown}${pathname}`;
}

/** Metadata of a protected resource (RFC 9728 section 2). */
export interface ResourceMetadata {
  resource: string;
  authorization_servers?: readonly string[];
  bearer_methods_supported: readonly string[];
  scopes_supported: readonly string[];
  dpop_signing_alg_values_supported: readonly string[];
  dpop_bound_access_tokens_required: false;
  resource_name: string;
}

/**
 * Returns the metadata of a resource that accepts tokens in the Authorization header, with or without DPoP.
 */
export const resourceMetadata = (o: {
  resource: string;
  name: string;
  scopes: readonly string[];
  /** Issuers; omitted by a resource that serves all tenants. */
  authorizationServers?: readonly string[];
}): ResourceMetadata => ({
  resource: o.resource,
  ...(o.authorizationServers ? { authorization_servers: o.authorizationServers } : {}),
  bearer_methods_supported: ['header'],
  scopes_supported: o.scopes,
  dpop_signing_alg_values_supported: dpopAlgorithms,
  dpop_bound_access_tokens_required: false,
  resource_name: o.name,
});
