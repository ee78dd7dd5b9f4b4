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
  /** The tenant whose own address was asked; undefined at the address for all. */
  addressed?: string | undefined;
  possession?: Possession | undefined;
}

/**
 * Whom a token speaks for at the graph: a tenant's own token, or one of the platform's.
 * @throws AccessError for a token that doesn't count here; ServiceUnavailable when that can't be decided now
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
 * Whom a platform token speaks for at the graph. A token for the whole graph manages tenants and is in none of them. One
 * for a single tenant's graph acts in that tenant, in its name and no other: to act across tenants is said when the
 * token is asked for, signed by the issuer, and the same for every subgraph.
 * @param addressed the tenant whose own address was asked
 * @throws AccessError invalid_token for a token that names several graphs, or another tenant's than the one addressed
 */
export function platformPrincipal(principal: Principal, publicOrigin: string, addressed?: string): Principal {
  const audiences = graphAudiences(publicOrigin, principal.audience);
  if (audiences.length !== 1) throw invalidToken();
  const tenant = tenantOfGraph(publicOrigin, audiences[0] as string) ?? platformTenant;
  if (addressed !== undefined && addressed !== tenant) throw invalidToken();
  return tenant === platformTenant ? principal : { ...principal, tenant, home: platformTenant };
}

/** Whether the token manages the tenants themselves, and so is in none of them. */
export const isPlatform = (principal: Principal): boolean => principal.tenant === platformTenant;

function tenantOfGraph(publicOrigin: string, audience: string): string | undefined {
  const tenant = /\/t\/([a-z0-9-]+)\/graphql$/.exec(audience)?.[1];
  return tenant !== undefined && audience === graphResource(publicOrigin, tenant) ? tenant : undefined;
}
