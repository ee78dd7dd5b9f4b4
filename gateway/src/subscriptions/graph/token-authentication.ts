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

/** The token and proof of a client. */
export interface Presented {
  /** Value of the Authorization header: `Bearer …` or `DPoP …`. */
  readonly authorization: string;
  /** The tenant of the requested address; undefined at the address for all tenants. */
  readonly addressed: string | undefined;
  /** The DPoP proof, for a GET of that address, the request that opens the connection. */
  readonly proof: string | undefined;
  /** Whether a proxy forwarded the request from outside. */
  readonly outside: boolean;
  /** Address of the client. */
  readonly address: string;
  /** Receives the nonce for the client's next proof. */
  readonly offerNonce?: (nonce: string) => void;
}

export interface TokenAuthenticationOptions {
  verifier: TokenVerifier;
  publicOrigin: string;
}

const authorizationPattern = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*)$/i;
const maxTokenLength = 8_192;

/** Verifies the tokens of live connections, and challenges clients without one. */
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
    if (!token || token.length > maxTokenLength) throw invalidRequest('The access token is malformed.');
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
    // Tokens of the platform are used only inside the installation. This one has leaked.
    if (outside && principal.kind === 'service') throw insufficientScope([]);
    return principal;
  }

  /** Verifies the token of an admitted connection. @throws AccessError, ServiceUnavailable */
  again(token: string): Promise<Principal> {
    return this.#verify(token, 'vouched');
  }

  /** Adds the challenge for a missing token to a response. */
  challenge(reply: FastifyReply, addressed: string | undefined): void {
    reply.headers(this.challengeFor(missingToken(), addressed));
  }

  /** @param addressed the tenant of the requested address */
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
