import {
  type AccessError,
  graphResource,
  insufficientScope,
  invalidRequest,
  missingToken,
  type Possession,
  type Principal,
  resourceMetadataUrl,
  type TokenVerifier,
} from '@ostiary/access';
import { graphPrincipal } from '@ostiary/graph';
import type { FastifyReply } from 'fastify';

/** How a client presents its token. */
export interface Presented {
  /** As in the Authorization header: `Bearer …` or `DPoP …`. */
  readonly authorization: string;
  /** The tenant whose own address was asked; undefined at the address for all. */
  readonly addressed: string | undefined;
  /** The DPoP proof, for a GET of that address, the request that opens the connection. */
  readonly proof: string | undefined;
  /** Whether it came through a proxy, from outside. */
  readonly outside: boolean;
  /** Where the connection comes from. */
  readonly address: string;
  /** Takes the nonce for the client's next proof. */
  readonly offerNonce?: (nonce: string) => void;
}

export interface TokenAuthenticationOptions {
  verifier: TokenVerifier;
  publicOrigin: string;
}

const authorizationPattern = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*)$/i;
const longestToken = 8_192;

/** Verifies the tokens of live connections, and says what is missing where there is none. */
export class TokenAuthentication {
  readonly #options: TokenAuthenticationOptions;

  constructor(options: TokenAuthenticationOptions) {
    this.#options = options;
  }

  /** Verifies the token with which a WebSocket is opened. @throws AccessError, ServiceUnavailable */
  async authenticate({
    authorization,
    addressed,
    proof,
    address,
    outside,
    offerNonce,
  }: Presented): Promise<Principal> {
    const match = authorizationPattern.exec(authorization);
    const token = match?.[2];
    if (!token || token.length > longestToken) throw invalidRequest('The access token is malformed.');
    const possession: Possession = {
      token,
      scheme: match?.[1]?.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
      proof,
      address,
      method: 'GET',
      path: new URL(graphResource(this.#options.publicOrigin, addressed)).pathname,
      offerNonce: (nonce) => offerNonce?.(nonce),
    };
    const principal = await this.#verify(token, possession, addressed);
    // Nobody outside gets a token of the platform's own: this one has leaked.
    if (outside && principal.kind === 'service') throw insufficientScope([]);
    return principal;
  }

  /** Verifies the token of a connection that has been admitted. @throws AccessError, ServiceUnavailable */
  again(token: string): Promise<Principal> {
    return this.#verify(token, 'vouched');
  }

  /** Says in an answer that a token is needed. */
  challenge(reply: FastifyReply, addressed: string | undefined): void {
    reply.headers(this.challengeFor(missingToken(), addressed));
  }

  /** @param addressed the tenant whose own address was asked */
  challengeFor(error: AccessError, addressed: string | undefined): Record<string, string> {
    const { publicOrigin, verifier } = this.#options;
    return {
      'www-authenticate': error.wwwAuthenticate(publicOrigin, {
        dpop: verifier.dpop ?? false,
        resourceMetadata: resourceMetadataUrl(graphResource(publicOrigin, addressed)),
      }),
    };
  }

  #verify(token: string, possession: Possession, addressed?: string): Promise<Principal> {
    const { verifier, publicOrigin } = this.#options;
    return graphPrincipal(verifier, token, { publicOrigin, addressed, possession });
  }
}
