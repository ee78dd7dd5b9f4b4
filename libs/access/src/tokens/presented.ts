import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest, invalidToken } from '../errors.ts';

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

const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;
const maxTokenLength = 8_192;

/**
 * Returns the access token of a request, presented in exactly one way of RFC 6750 section 2 and RFC 9449
 * section 7.1: the Authorization header (Bearer or DPoP), or `access_token` in a form body. Other schemes
 * count as no token.
 * @param reply response for the nonce of the client's next proof
 * @throws AccessError invalid_request for a token in the query or in two places; invalid_token for a
 * malformed token (RFC 6750 section 3.1)
 */
export function presentedToken(request: FastifyRequest, reply?: FastifyReply): PresentedToken | undefined {
  if (queryHas(request.url, 'access_token')) {
    throw invalidRequest('An access token must not be sent in the query string.');
  }
  if (authorizations(request) > 1) throw invalidRequest('The Authorization header was sent more than once.');
  const fromHeader = headerToken(request.headers.authorization);
  const fromForm = formToken(request);
  if (fromHeader !== undefined && fromForm !== undefined) {
    throw invalidRequest('The access token was sent in more than one place.');
  }
  const token = fromHeader?.token ?? fromForm;
  if (token === undefined) return undefined;
  if (token.length > maxTokenLength || !b64token.test(token)) {
    throw invalidToken('The access token is malformed.');
  }
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

function headerToken(header: string | undefined): { scheme: 'Bearer' | 'DPoP'; token: string } | undefined {
  const match = header === undefined ? null : /^(Bearer|DPoP)(?: +(.*))?$/i.exec(header);
  if (!match) return undefined;
  return { scheme: isDpop(header) ? 'DPoP' : 'Bearer', token: (match[2] ?? '').trim() };
}

/** Reports whether an Authorization header uses the DPoP scheme. */
export const isDpop = (header: string | undefined): boolean =>
  header !== undefined && /^DPoP(?: |$)/i.test(header);

// Node silently keeps the first of several Authorization headers.
function authorizations(request: FastifyRequest): number {
  if (request.headers.authorization === undefined) return 0;
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count;
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

/**
 * Returns the path of a request target without the query; the target may be absolute (RFC 9112 section
 * 3.2.2).
 */
function pathOf(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  return path.startsWith('/') || !URL.canParse(path) ? path : new URL(path).pathname;
}

// Reads the raw query, because a parser that drops or merges duplicates could hide a token.
function queryHas(url: string, name: string): boolean {
  const start = url.indexOf('?');
  return start >= 0 && new URLSearchParams(url.slice(start + 1)).has(name);
}
