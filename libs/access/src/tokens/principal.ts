import type { ApiTokenKind } from './api-token.ts';

/** Who a verified access token speaks for. */
export interface Principal {
  tenant: string;
  /** Whose token it is, when not the tenant's own: the platform's, by which its operator acts in the tenant. */
  home?: string;
  /** user: a person's token. client: an app acting for itself. service: one of Ostiary's own processes. */
  kind: 'user' | 'client' | 'service';
  /** `sub`: a user id, or the client id when the client acts for itself. */
  subject: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  issuer: string;
  audience: readonly string[];
  jti: string;
  /** `kid` of the key that signed it; absent for what isn't signed. */
  keyId?: string;
  /** Unix seconds. */
  expiresAt: number;
  sessionId?: string;
  grantId?: string;
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** Class of the sign-in (OpenID Connect Core section 2). */
  acr?: string;
  /** The subject's epoch at issuance; a subject revocation with a higher epoch kills the token. */
  subjectEpoch?: number;
  clientEpoch?: number;
  /** Who acts for the subject, the current actor first (RFC 8693 §4.1); absent when the subject acts itself. */
  actors?: readonly ActingParty[];
  /** The tokens this one was exchanged for: what kills one of them kills this. */
  ancestors?: readonly TokenAncestor[];
  /** Thumbprint of the key the token is bound to (RFC 9449 section 6.1). */
  jkt?: string;
  /** What was presented was no access token of a grant, but a person's or a service account's own token. */
  apiToken?: ApiTokenKind;
}

/**
 * Whether the token was had by exchange (RFC 8693): it is in the hands of somebody who was given it for something else than what its
 * owner alone may do.
 */
export const isExchanged = ({ actors, ancestors }: Pick<Principal, 'actors' | 'ancestors'>): boolean =>
  actors !== undefined || ancestors !== undefined;

/** The issuer of tokens between Ostiary's own services. It has no people and no OAuth clients of its own. */
export const platformTenant = 'platform';

/** The audience a service expects in tokens meant for its internal surface. */
export const serviceAudience = (service: string): string => `urn:ostiary:service:${service}`;

/**
 * The audience of the tokens by which the gateway vouches to a subgraph that it has checked a proof of possession. It
 * isn't the service's own: such a token opens no internal route.
 */
export const subgraphAudience = (service: string): string => `urn:ostiary:subgraph:${service}`;

/** A tenant's issuer identifier, which is also the audience of tokens for the tenant's own API. */
export const issuerOf = (publicOrigin: string, tenant: string): string => `${publicOrigin}/t/${tenant}`;

const tenantPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the text can be a tenant id at all. */
export const isTenantId = (text: string): boolean => tenantPattern.test(text);

/** The tenant an issuer belongs to, or nothing when the issuer isn't ours. */
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
 * A token another one was exchanged for, or that was presented beside it as the actor's: what a revocation is matched
 * with. The exchanged token carries all of them (claim `derived_from`), so that it dies with each.
 */
export interface TokenAncestor {
  jti: string;
  subject: string;
  clientId: string;
  clientEpoch?: number;
  /** Only for a person's token. */
  subjectEpoch?: number;
  grantId?: string;
  sessionId?: string;
  /** Not an access token, but a personal access token or an API key. */
  apiToken?: 'personal' | 'service_account';
}
