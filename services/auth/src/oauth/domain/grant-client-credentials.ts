import { graphResource, isTenantId, platformTenant } from '@ostiary/access';
import { scopesForClient } from '../../access/index.ts';
import { single, unauthorizedClient } from '../../platform/index.ts';
import type { AccessTokens } from './access-token.ts';
import { resourcesOfTokenRequest, targetOfRequest } from './access-tokens/target.ts';
import type { GrantHandler } from './token-request.ts';

/** grant_type=client_credentials (RFC 6749 §4.4): without refresh token, user and stored grant. */
export const clientCredentialsGrant =
  (deps: { accessTokens: AccessTokens }): GrantHandler =>
  async ({ tenant, issuer, client, parameters, dpopJkt }) => {
    if (client.type !== 'confidential') {
      throw unauthorizedClient('client_credentials is for confidential clients only.');
    }
    const scope = single(parameters, 'scope');
    const requested = parameters.get('resource') ?? [];
    const graphs = tenant === platformTenant ? graphsOfTenants(issuer, client, requested) : [];
    const resources = resourcesOfTokenRequest(requested, client, issuer, graphs);
    const target = targetOfRequest(client, {
      scopes: scopesForClient(client, scope),
      byDefault: scope === undefined,
      resources,
    });
    const { token, expiresIn, scopes } = await deps.accessTokens.issue(tenant, {
      client,
      ...target,
      dpopJkt,
    });
    return {
      access_token: token,
      token_type: dpopJkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    };
  };

/**
 * Returns the graph resource of a tenant for a platform client that acts in the tenant. Only one per request, so that
 * each token states where it acts. The services' own clients have no scopes and no access there.
 */
function graphsOfTenants(
  issuer: string,
  client: { scopes: readonly string[] },
  requested: readonly string[],
): string[] {
  const origin = issuer.slice(0, issuer.lastIndexOf('/t/'));
  const [resource, ...more] = requested;
  const tenant = resource?.match(/\/t\/([^/]+)\/graphql$/)?.[1];
  if (client.scopes.length === 0 || more.length > 0 || tenant === undefined || !isTenantId(tenant)) return [];
  return [graphResource(origin, tenant)];
}
