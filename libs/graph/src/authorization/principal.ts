import {
  graphResource,
  invalidToken,
  issuerOf,
  type Possession,
  type Principal,
  platformTenant,
  type TokenVerifier,
} from '@ostiary/access';

export interface GraphExpectation {
  publicOrigin: string;
  /** Tenant of the URL; undefined at the URL for all tenants. */
  addressed?: string | undefined;
  possession?: Possession | undefined;
}

/**
 * Returns the principal of a token at the graph: a tenant's own token, or one of the platform.
 * @throws AccessError for a token that is not accepted here; ServiceUnavailable if it cannot be verified now
 */
export async function graphPrincipal(
  verifier: TokenVerifier,
  token: string,
  { publicOrigin, addressed, possession }: GraphExpectation,
): Promise<Principal> {
  const principal = await verifier.verify(token, {
    audience: (tenant, named) =>
      tenant === platformTenant
        ? graphAudiences(publicOrigin, named)
        : [issuerOf(publicOrigin, tenant), graphResource(publicOrigin), graphResource(publicOrigin, tenant)],
    issuers: 'any',
    ...(possession === undefined ? {} : { possession }),
  });
  if (principal.kind === 'service') return platformPrincipal(principal, publicOrigin, addressed);
  if (addressed !== undefined && principal.tenant !== addressed) throw invalidToken();
  return principal;
}

/** The audiences of a platform token that are the graph's: that of the whole, and those of single tenants. */
const graphAudiences = (publicOrigin: string, named: readonly string[]): string[] =>
  named.filter(
    (audience) =>
      audience === graphResource(publicOrigin) || tenantOfGraph(publicOrigin, audience) !== undefined,
  );

/**
 * Returns the principal of a platform token at the graph. A token for the whole graph manages tenants and
 * acts in none. One for a single tenant's graph acts in that tenant only: the tenant is requested with the
 * token, signed by the issuer, and equal for every subgraph.
 * @param addressed tenant of the URL
 * @throws AccessError invalid_token for a token with several graphs as audience, or that of another tenant
 * than the URL
 */
export function platformPrincipal(principal: Principal, publicOrigin: string, addressed?: string): Principal {
  const audiences = graphAudiences(publicOrigin, principal.audience);
  if (audiences.length !== 1) throw invalidToken();
  const tenant = tenantOfGraph(publicOrigin, audiences[0] as string) ?? platformTenant;
  if (addressed !== undefined && addressed !== tenant) throw invalidToken();
  return tenant === platformTenant ? principal : { ...principal, tenant, home: platformTenant };
}

/** Reports whether the token manages tenants, and so acts in none. */
export const isPlatform = (principal: Principal): boolean => principal.tenant === platformTenant;

function tenantOfGraph(publicOrigin: string, audience: string): string | undefined {
  const tenant = /\/t\/([a-z0-9-]+)\/graphql$/.exec(audience)?.[1];
  return tenant !== undefined && audience === graphResource(publicOrigin, tenant) ? tenant : undefined;
}
