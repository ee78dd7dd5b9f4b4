import type { ApiTokenKind } from './api-token.ts';

/** The party that a verified access token represents. */
export interface Principal {
  tenant: string;
  /** Tenant of the token if it differs: the platform's, with which its operator acts in the tenant. */
  home?: string;
  /** user: a token of a user. client: an app that acts for itself. service: an Ostiary process. */
  kind: 'user' | 'client' | 'service';
  /** `sub`: a user id, or the client id when the client acts for itself. */
  subject: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  issuer: string;
  audience: readonly string[];
  jti: string;
  /** `kid` of the signing key; absent for unsigned tokens. */
  keyId?: string;
  /** Unix seconds. */
  expiresAt: number;
  sessionId?: string;
  grantId?: string;
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** Class of the sign-in (OpenID Connect Core section 2). */
  acr?: string;
  /** Epoch of the subject at issue; a subject revocation with a higher epoch invalidates the token. */
  subjectEpoch?: number;
  clientEpoch?: number;
  /** Actors for the subject, the current one first (RFC 8693 §4.1); absent if the subject acts itself. */
  actors?: readonly ActingParty[];
  /** Tokens from which this one was exchanged; revoking one of them revokes this one. */
  ancestors?: readonly TokenAncestor[];
  /** Thumbprint of the key to which the token is bound (RFC 9449 section 6.1). */
  jkt?: string;
  /** Set for a personal access token or API key. */
  apiToken?: ApiTokenKind;
}

/**
 * Reports whether the token is from an exchange (RFC 8693): its holder got it for other purposes than actions
 * reserved for the user.
 */
export const isExchanged = ({ actors, ancestors }: Pick<Principal, 'actors' | 'ancestors'>): boolean =>
  actors !== undefined || ancestors !== undefined;

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

/** A party that acts for the subject of a token (RFC 8693 §4.1). */
export interface ActingParty {
  /** `sub` of the actor: a user id, or a client id. */
  subject: string;
  /** The client through which it acts. */
  clientId?: string;
}

/**
 * A token from which another was exchanged, or that was presented as its actor token, with the values that
 * revocations match. The exchanged token contains all of them (claim `derived_from`), so that it is revoked
 * with each.
 */
export interface TokenAncestor {
  jti: string;
  subject: string;
  clientId: string;
  clientEpoch?: number;
  /** Only for a user's token. */
  subjectEpoch?: number;
  grantId?: string;
  sessionId?: string;
  /** Set for a personal access token or API key. */
  apiToken?: 'personal' | 'service_account';
}
