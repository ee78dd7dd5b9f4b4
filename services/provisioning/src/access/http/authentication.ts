import {
  type ChallengeOptions,
  challengeOptions,
  invalidToken,
  issuerOf,
  missingToken,
  type PresentedToken,
  type Principal,
  presentedToken,
  type RevocationList,
  scimResource,
  type TokenVerifier,
  whoActs,
} from '@ostiary/access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWellFormedConnectorToken, looksLikeConnectorToken } from '../../connectors/index.ts';
import { type Caller, clientCaller, connectorCaller, userCaller } from '../domain/caller.ts';
import type { ConnectorLookup } from '../domain/connector-lookup.ts';

export interface AuthenticatorOptions {
  verifier: TokenVerifier;
  revocations: RevocationList;
  connectors: ConnectorLookup;
  publicOrigin: string;
  /** Called for each use of a connector token; must not block. */
  onTokenUse: (tenant: string, tokenId: string) => void;
}

/**
 * Authenticates SCIM requests: a connector by its own token, or an OAuth client or user by an access token of the
 * tenant, bearer or DPoP-bound (RFC 9449). Only the Authorization header counts (RFC 6750 §2.1). All token errors get
 * the same response, so that neither tenants nor tokens of other tenants can be discovered.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** @throws AccessError; ServiceUnavailable or DatabaseUnavailable when a dependency does not answer */
  async authenticate(request: FastifyRequest, reply: FastifyReply, tenant: string): Promise<Caller> {
    const presented = presentedToken(request, reply);
    if (presented === undefined) throw missingToken();
    const { token, scheme } = presented;
    return scheme === 'Bearer' && looksLikeConnectorToken(token)
      ? this.#connector(token, tenant)
      : this.#clientOrUser(presented, tenant);
  }

  /**
   * Returns an admitted caller with the current rules of its connector; undefined when its token or connector would
   * no longer be admitted, or acts for another source.
   */
  async current(caller: Caller): Promise<Caller | undefined> {
    const { tenant, source, tokenId, principal } = caller;
    const { connectors, revocations } = this.#options;
    if (principal && revocations.revoked(principal)) return undefined;
    if (principal?.kind === 'user') return caller;
    if (!principal) {
      const found = tokenId === undefined ? undefined : await connectors.byTokenId(tenant, source, tokenId);
      return found && { ...connectorCaller(found), ...(tokenId !== undefined && { tokenId }) };
    }
    const connector = await connectors.byClient(tenant, principal.subject);
    if (connector && connector.status !== 'active') return undefined;
    const current = clientCaller(tenant, principal.subject, principal.scopes, connector);
    return current.source === source ? { ...current, ...actingOf(principal) } : undefined;
  }

  /** Returns the challenge for a rejected request. */
  challenge(request: FastifyRequest, tenant: string): ChallengeOptions {
    const { verifier, publicOrigin } = this.#options;
    return challengeOptions(request, verifier, scimResource(publicOrigin, tenant));
  }

  async #connector(token: string, tenant: string): Promise<Caller> {
    const found = isWellFormedConnectorToken(token)
      ? await this.#options.connectors.byToken(token)
      : undefined;
    if (found?.connector.tenant !== tenant) throw invalidToken();
    this.#options.onTokenUse(tenant, found.tokenId);
    return { ...connectorCaller(found.connector), tokenId: found.tokenId };
  }

  async #clientOrUser(presented: PresentedToken, tenant: string): Promise<Caller> {
    const { verifier, connectors, publicOrigin } = this.#options;
    const principal = await verifier.verify(presented.token, {
      audience: (of) => [issuerOf(publicOrigin, of), scimResource(publicOrigin, of)],
      tenant,
      possession: presented,
    });
    const acting = actingOf(principal);
    if (principal.kind === 'user') {
      return { ...userCaller(tenant, principal.subject, principal.scopes), ...acting };
    }
    const connector = await connectors.byClient(tenant, principal.subject);
    if (connector && connector.status !== 'active') throw invalidToken();
    return { ...clientCaller(tenant, principal.subject, principal.scopes, connector), ...acting };
  }
}

/**
 * An exchanged token acts for its subject, for any client to which it was issued. Its actor is recorded with changes.
 */
const actingOf = (principal: Principal): Pick<Caller, 'principal'> & Partial<Pick<Caller, 'actor'>> => ({
  principal,
  ...(principal.actors && { actor: whoActs(principal) }),
});
