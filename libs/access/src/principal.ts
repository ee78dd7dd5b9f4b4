/** Who a verified access token speaks for. */
export interface Principal {
  tenant: string;
  /** user: a person's token. client: an app acting for itself. service: one of Ostiary's own processes. */
  kind: 'user' | 'client' | 'service';
  /** `sub`: a user id, or the client id when the client acts for itself. */
  subject: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  issuer: string;
  audience: readonly string[];
  jti: string;
  /** Unix seconds. */
  expiresAt: number;
  sessionId?: string;
  grantId?: string;
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** The subject's epoch at issuance; a subject revocation with a higher epoch kills the token. */
  subjectEpoch?: number;
  clientEpoch?: number;
}

/** The issuer of tokens between Ostiary's own services. It has no people and no OAuth clients of its own. */
export const platformTenant = 'platform';

/** The audience a service expects in tokens meant for its internal surface. */
export const serviceAudience = (service: string): string => `urn:ostiary:service:${service}`;

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
