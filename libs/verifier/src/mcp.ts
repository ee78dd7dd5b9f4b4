/** Adapter for MCP servers with the official SDK (`@modelcontextprotocol/sdk` 1). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  InvalidRequestError,
  InvalidTokenError,
  ServerError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import * as express from './express.ts';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { VerificationError } from './rejections/verification-error.ts';
import { headerToken } from './tokens/authorization-header.ts';

export { protectedResource } from './express.ts';

/**
 * Returns middleware that permits requests with a valid access token, and sets `request.auth`, which the SDK's
 * transports pass to tools as `authInfo`. It replaces `requireBearerAuth`, and also accepts tokens with DPoP.
 */
export function requireToken(verify: Verify, rule?: Rule) {
  const middleware = express.requireToken(verify, rule);
  return (
    request: IncomingMessage & { auth?: AuthInfo; principal?: Principal },
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> =>
    middleware(request, response, (error) => {
      const token = headerToken(request.headers.authorization)?.token;
      if (request.principal && token !== undefined) request.auth = authInfo(verify, request.principal, token);
      next(error);
    });
}

/**
 * Returns a verifier for the SDK's `requireBearerAuth`. Tokens that are bound to a key are rejected, because the SDK
 * passes no proofs; and an unreachable issuer is answered with 500, because the SDK has no 503.
 */
export const tokenVerifier = (verify: Verify): OAuthTokenVerifier => ({
  verifyAccessToken: async (token) => {
    try {
      return authInfo(verify, await verify(`Bearer ${token}`), token);
    } catch (error) {
      throw sdkError(error);
    }
  },
});

/** Returns the principal of a tool's `authInfo`, or undefined if there was no token. */
export const principalOf = (auth: AuthInfo | undefined): Principal | undefined =>
  auth?.extra?.principal as Principal | undefined;

function authInfo(verify: Verify, principal: Principal, token: string): AuthInfo {
  const { resource } = verify.metadata();
  return {
    token,
    clientId: principal.clientId,
    scopes: [...principal.scopes],
    expiresAt: principal.expiresAt,
    ...(URL.canParse(resource) ? { resource: new URL(resource) } : {}),
    extra: { principal },
  };
}

/** `requireBearerAuth` derives the status from the class. */
function sdkError(error: unknown): unknown {
  if (!(error instanceof VerificationError)) return error;
  const { status, message } = error;
  if (status === 503) return new ServerError(message);
  return status === 400 ? new InvalidRequestError(message) : new InvalidTokenError(message);
}
