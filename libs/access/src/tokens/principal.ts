import type { ApiTokenKind, VerifiedToken } from '@ostiary/verifier/core';

/** The party that a verified access token represents. */
export interface Principal extends Omit<VerifiedToken, 'kind'> {
  tenant: string;
  /** Tenant of the token if it differs: the platform's, with which its operator acts in the tenant. */
  home?: string;
  /** user: a token of a user. client: an app that acts for itself. service: an Ostiary process. */
  kind: VerifiedToken['kind'] | 'service';
  /** Set for a personal access token or API key. */
  apiToken?: ApiTokenKind;
}

/** Issuer of tokens between Ostiary's own services. It has no users or OAuth clients. */
export const platformTenant = 'platform';

/** Returns the audience of tokens for a service's internal API. */
export const serviceAudience = (service: string): string => `urn:ostiary:service:${service}`;

/**
 * Returns the audience of the gateway's vouchers for a subgraph, stating that it verified a proof of
 * possession. It differs from the service's own audience, so that a voucher gives no access to internal
 * routes.
 */
export const subgraphAudience = (service: string): string => `urn:ostiary:subgraph:${service}`;

/** Returns a tenant's issuer identifier, also the audience of tokens for the tenant's own API. */
export const issuerOf = (publicOrigin: string, tenant: string): string => `${publicOrigin}/t/${tenant}`;

const tenantPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reports whether a text is a valid tenant id. */
export const isTenantId = (text: string): boolean => tenantPattern.test(text);

/** Returns the tenant of an issuer, or undefined for an external issuer. */
export function tenantOfIssuer(publicOrigin: string, issuer: unknown): string | undefined {
  const prefix = `${publicOrigin}/t/`;
  if (typeof issuer !== 'string' || !issuer.startsWith(prefix)) return undefined;
  const tenant = issuer.slice(prefix.length);
  return isTenantId(tenant) ? tenant : undefined;
}
