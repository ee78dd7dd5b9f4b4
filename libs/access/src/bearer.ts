import type { FastifyRequest } from 'fastify';
import { invalidRequest } from './errors.ts';

const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;
const longestToken = 8_192;

/**
 * The access token of a request, presented in exactly one of the ways of RFC 6750 section 2: the Authorization
 * header, or `access_token` in a form body. Other authorization schemes count as no token.
 * @throws AccessError invalid_request for a token in the query string, in two places, or of an impossible form
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  if (queryHas(request.url, 'access_token')) {
    throw invalidRequest('An access token must not be sent in the query string.');
  }
  const fromHeader = headerToken(request.headers.authorization);
  const fromForm = formToken(request);
  if (fromHeader !== undefined && fromForm !== undefined) {
    throw invalidRequest('The access token was sent in more than one place.');
  }
  const token = fromHeader ?? fromForm;
  if (token !== undefined && (token.length > longestToken || !b64token.test(token))) {
    throw invalidRequest('The access token is malformed.');
  }
  return token;
}

function headerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const match = /^Bearer(?: +(.*))?$/i.exec(header);
  return match ? (match[1] ?? '').trim() : undefined;
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

// Looks at the raw query: a parser that drops or merges duplicates must not hide a token from this check.
function queryHas(url: string, name: string): boolean {
  const start = url.indexOf('?');
  return start >= 0 && new URLSearchParams(url.slice(start + 1)).has(name);
}
