/** Adapter for MCP servers with the official SDK (`@modelcontextprotocol/sdk` 1). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  InvalidRequestError,
  InvalidTokenError,
  ServerError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokenVerifier } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { BoundedCache } from './bounded-cache.ts';
import * as express from './express.ts';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { sendJson } from './rejections/json-response.ts';
import { VerificationError } from './rejections/verification-error.ts';
import { headerToken } from './tokens/authorization-header.ts';
import { digestOf } from './tokens/token-digest.ts';

export { protectedResource } from './express.ts';

const sessionHeader = 'mcp-session-id';
const maxSessions = 10_000;

type McpRequest = IncomingMessage & { auth?: AuthInfo; principal?: Principal };

/**
 * Returns middleware that permits requests with a valid access token, and sets `request.auth`, which the SDK's
 * transports pass to tools as `authInfo`. It replaces `requireBearerAuth`, and also accepts tokens with DPoP. The
 * response of a token that is revoked or expires is closed, so that a stream ends with it. A session
 * (`Mcp-Session-Id`) belongs to the user and client of its first request; others get 404 as for an unknown one.
 */
export function requireToken(verify: Verify, rule?: Rule) {
  const middleware = express.requireToken(verify, rule);
  const authInfo = authInfoBy(verify);
  /** Users and clients by session. Clients choose the texts of ids, so their digests are stored. */
  const owners = new BoundedCache<string>(maxSessions);
  return (request: McpRequest, response: ServerResponse, next: (error?: unknown) => void): Promise<void> =>
    middleware(request, response, (error) => {
      const { principal } = request;
      const token = headerToken(request.headers.authorization)?.token;
      if (!principal || token === undefined) return next(error);
      const own = JSON.stringify([principal.subject, principal.clientId]);
      const presented = sessionIn(request.headers[sessionHeader]);
      const owner = presented === undefined ? own : (owners.get(presented) ?? own);
      if (owner !== own) return sendJson(response, 404, {}, noSession);
      request.auth = authInfo(principal, token);
      const release = verify.onRevoked(principal, () => response.destroy());
      response.once('close', release);
      onHeaders(response, (status, named) => {
        const session = named ?? presented;
        // Ids that the server rejects must not replace those of open sessions.
        if (session === undefined || status >= 400) return;
        const bound = owners.get(session) ?? own;
        owners.set(session, bound);
        // A concurrent request of another user was accepted first.
        if (bound !== own) response.destroy();
      });
      next(error);
    });
}

const sessionIn = (header: unknown): string | undefined =>
  typeof header === 'string' ? digestOf(header) : undefined;

/** Calls `sent` with the status and the session of the response when its headers are sent. */
function onHeaders(
  response: ServerResponse,
  sent: (status: number, session: string | undefined) => void,
): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    const headers = rest.find((part) => typeof part === 'object' && part !== null) as object | undefined;
    // Node.js also accepts a list of alternating names and values.
    const entries = Array.isArray(headers)
      ? headers.flatMap((name, index) =>
          index % 2 === 0 ? [[String(name), headers[index + 1]] as const] : [],
        )
      : Object.entries(headers ?? {});
    const given = entries.find(([name]) => name.toLowerCase() === sessionHeader);
    sent(status, sessionIn(given?.[1] ?? response.getHeader(sessionHeader)));
    return writeHead(status, ...rest);
  };
}

/** The answer of the SDK's transports for an unknown session, upon which clients begin a new one. */
const noSession = { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null };

/**
 * Returns a verifier for the SDK's `requireBearerAuth`, for servers without streams and sessions. Tokens that are bound
 * to a key are rejected, because the SDK passes no proofs; and an unreachable issuer is answered with 500, because the
 * SDK has no 503.
 */
export const tokenVerifier = (verify: Verify): OAuthTokenVerifier => {
  const authInfo = authInfoBy(verify);
  return {
    verifyAccessToken: async (token) => {
      try {
        return authInfo(await verify(`Bearer ${token}`), token);
      } catch (error) {
        throw sdkError(error);
      }
    },
  };
};

/** Returns the principal of a tool's `authInfo`, or undefined if there was no token. */
export const principalOf = (auth: AuthInfo | undefined): Principal | undefined =>
  auth?.extra?.principal as Principal | undefined;

function authInfoBy(verify: Verify): (principal: Principal, token: string) => AuthInfo {
  const { resource } = verify.metadata();
  const own = URL.canParse(resource) ? { resource: new URL(resource) } : {};
  return (principal, token) => ({
    token,
    clientId: principal.clientId,
    scopes: [...principal.scopes],
    expiresAt: principal.expiresAt,
    ...own,
    extra: { principal },
  });
}

/** `requireBearerAuth` derives the status from the class. */
function sdkError(error: unknown): unknown {
  if (!(error instanceof VerificationError)) return error;
  const { status, message } = error;
  if (status === 503) return new ServerError(message);
  return status === 400 ? new InvalidRequestError(message) : new InvalidTokenError(message);
}
