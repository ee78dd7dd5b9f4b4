import { dpopAlgorithms } from '../dpop-algorithms.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * Returns the URL of a resource's metadata: the well-known part is between host and path, without a slash
 * that ends at the host (RFC 9728 section 3.1).
 */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}${search}`;
}

/** Metadata of a protected resource (RFC 9728 section 2). */
export interface ResourceMetadata {
  resource: string;
  authorization_servers?: readonly string[];
  bearer_methods_supported: readonly string[];
  scopes_supported?: readonly string[];
  dpop_signing_alg_values_supported: readonly string[];
  dpop_bound_access_tokens_required: false;
  resource_name?: string;
}

/**
 * Returns the metadata of a resource that accepts tokens in the Authorization header, with or without DPoP.
 */
export const resourceMetadata = (o: {
  resource: string;
  name?: string | undefined;
  scopes?: readonly string[] | undefined;
  /** Issuers; omitted by a resource that serves all tenants. */
  authorizationServers?: readonly string[];
}): ResourceMetadata => ({
  resource: o.resource,
  ...(o.authorizationServers ? { authorization_servers: o.authorizationServers } : {}),
  bearer_methods_supported: ['header'],
  ...(o.scopes ? { scopes_supported: o.scopes } : {}),
  dpop_signing_alg_values_supported: dpopAlgorithms,
  dpop_bound_access_tokens_required: false,
  ...(o.name === undefined ? {} : { resource_name: o.name }),
});
