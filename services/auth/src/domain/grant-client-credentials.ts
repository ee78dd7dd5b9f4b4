import type { AccessTokens } from './access-token.ts';
import { unauthorizedClient } from './errors.ts';
import { single } from './parameters.ts';
import { checkResources, ownResources, scopesForClient } from './scopes.ts';
import type { GrantHandler } from './token-request.ts';

/** grant_type=client_credentials (RFC 6749 §4.4): no refresh token, no person, nothing stored. */
export const clientCredentialsGrant =
  (deps: { accessTokens: AccessTokens }): GrantHandler =>
  async ({ tenant, issuer, client, parameters, dpopJkt }) => {
    if (client.type !== 'confidential') {
      throw unauthorizedClient('client_credentials is for confidential clients only.');
    }
    const scopes = scopesForClient(client.scopes, single(parameters, 'scope'));
    const resources = checkResources(parameters.get('resource') ?? [], [
      ...ownResources(issuer),
      ...client.resources,
    ]);
    const { token, expiresIn } = await deps.accessTokens.issue(tenant, {
      client,
      scopes,
      resources,
      dpopJkt,
    });
    return {
      access_token: token,
      token_type: dpopJkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: expiresIn,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    };
  };
