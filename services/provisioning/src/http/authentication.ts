import { bearerToken, invalidToken, issuerOf, missingToken, type TokenVerifier } from '@ostiary/access';
import type { FastifyRequest } from 'fastify';
import type { Connectors } from '../data/connectors.ts';
import { type Caller, clientCaller, connectorCaller, userCaller } from '../domain/caller.ts';
import { isWellFormedConnectorToken, looksLikeConnectorToken } from '../domain/connector-token.ts';

export interface AuthenticatorOptions {
  verifier: TokenVerifier;
  connectors: Connectors;
  publicOrigin: string;
  /** Told of each use of a connector token; must not wait. */
  onTokenUse: (tenant: string, tokenId: string) => void;
}

/**
 * Finds out who sends a SCIM request: a connector by its own token, or an OAuth client or person by an access token of
 * the tenant. Only the Authorization header counts (RFC 6750 section 2.1). Whatever is wrong with a token, the answer
 * is the same: so neither tenants nor tokens of other tenants can be found out.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** @throws AccessError; ServiceUnavailable or DatabaseUnavailable when it can't be decided now */
  async authenticate(request: FastifyRequest, tenant: string): Promise<Caller> {
    const token = bearerToken(request);
    if (token === undefined) throw missingToken();
    return looksLikeConnectorToken(token)
      ? this.#connector(token, tenant)
      : this.#clientOrUser(token, tenant);
  }

  async #connector(token: string, tenant: string): Promise<Caller> {
    const found = isWellFormedConnectorToken(token)
      ? await this.#options.connectors.byToken(token)
      : undefined;
    if (found?.connector.tenant !== tenant) throw invalidToken();
    this.#options.onTokenUse(tenant, found.tokenId);
    return connectorCaller(found.connector);
  }

  async #clientOrUser(token: string, tenant: string): Promise<Caller> {
    const { verifier, connectors, publicOrigin } = this.#options;
    const principal = await verifier.verify(token, { audience: issuerOf(publicOrigin, tenant), tenant });
    if (principal.kind === 'user') return userCaller(tenant, principal.subject, principal.scopes);
    const connector = await connectors.byClient(tenant, principal.clientId);
    if (connector?.status === 'disabled') throw invalidToken();
    return clientCaller(tenant, principal.clientId, principal.scopes, connector);
  }
}
