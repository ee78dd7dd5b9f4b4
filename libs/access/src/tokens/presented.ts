import {
  authorizationHeaders,
  hasTokenInQuery,
  headerToken,
  invalidRequest,
  pathOf,
  requireWellFormed,
} from '@ostiary/verifier/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A token as presented in a request, with the values that a proof of possession must match. Nothing is
 * verified yet.
 */
export interface PresentedToken {
  readonly token: string;
  readonly scheme: 'Bearer' | 'DPoP';
  /** The DPoP header (RFC 9449 section 4.1). */
  readonly proof: string | undefined;
  readonly method: string;
  /** Public path of the request without the query. */
  readonly path: string;
  /** Client address. */
  readonly address: string;
  /** Sends the nonce for the client's next proof. */
  offerNonce(nonce: string): void;
}

/**
 * Returns the access token of a request, presented in exactly one way of RFC 6750 section 2 and RFC 9449
 * section 7.1: the Authorization header (Bearer or DPoP), or `access_token` in a form body. Other schemes
 * count as no token.
 * @param reply response for the nonce of the client's next proof
 * @throws AccessError invalid_request for a token in the query or in two places; invalid_token for a
 * malformed token (RFC 6750 section 3.1)
 */
export function presentedToken(request: FastifyRequest, reply?: FastifyReply): PresentedToken | undefined {
  if (hasTokenInQuery(request.url)) {
    throw invalidRequest('An access token must not be sent in the query string.');
  }
  if (request.headers.authorization !== undefined && authorizationHeaders(request.raw.rawHeaders) > 1)
    throw invalidRequest('The Authorization header was sent more than once.');
  const fromHeader = headerToken(request.headers.authorization);
  const fromForm = formToken(request);
  if (fromHeader !== undefined && fromForm !== undefined) {
    throw invalidRequest('The access token was sent in more than one place.');
  }
  const token = fromHeader?.token ?? fromForm;
  if (token === undefined) return undefined;
  requireWellFormed(token);
  const { dpop } = request.headers;
  return {
    token,
    scheme: fromHeader?.scheme ?? 'Bearer',
    proof: typeof dpop === 'string' ? dpop : undefined,
    method: request.method,
    path: pathOf(request.url),
    address: request.ip,
    offerNonce: (nonce) => void reply?.header('dpop-nonce', nonce),
  };
}

function formToken(request: FastifyRequest): string | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'access_token')) return undefined;
  const value = (body as Record<string, unknown>).access_token;
  if (typeof value !== 'string') throw invalidRequest('The parameter access_token was sent more than once.');
  return value;
}
