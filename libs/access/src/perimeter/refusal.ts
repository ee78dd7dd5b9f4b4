import type { IncomingMessage } from 'node:http';
import type { Exchange } from '@ostiary/service';
import type { NoRoute } from './route.ts';

/** Determines the error format that the client understands. */
const speaksScim = (url: string): boolean => /^\/t\/[^/?]*\/scim(?:[/?]|$)/.test(url);

const oauthErrors: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'invalid_request',
  503: 'temporarily_unavailable',
};

/** Response of the perimeter, before a service's own routes. */
export interface Refusal {
  status: number;
  /** Alternating names and values. */
  headers: readonly string[];
  body: string;
}

/** Returns an error in the format of the protocol: SCIM (RFC 7644 §3.12), or JSON as in OAuth. */
function refusal(url: string, status: number, detail: string): Refusal {
  const scim = speaksScim(url);
  const body = JSON.stringify(
    scim
      ? { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail }
      : { error: oauthErrors[status] ?? 'error', error_description: detail },
  );
  const headers = [
    'cache-control',
    'no-store',
    'content-type',
    scim ? 'application/scim+json; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
  ];
  return { status, headers: status === 503 ? [...headers, 'retry-after', '2'] : headers, body };
}

export const noRoute = (url: string, reason: NoRoute): Refusal =>
  reason === 'malformed'
    ? refusal(url, 400, 'The address is malformed.')
    : refusal(url, 404, 'There is nothing at this address.');
export const malformedType = (url: string): Refusal =>
  refusal(url, speaksScim(url) ? 415 : 400, 'The Content-Type header is malformed.');
export const tooLarge = (url: string): Refusal => refusal(url, 413, 'The request body is too large.');
export const unavailable = (url: string): Refusal =>
  refusal(url, 503, 'The service is not available right now. Try again shortly.');

/** `type/subtype` (RFC 9110 §8.3.1); the route checks the parameters. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Returns the rejection of a request that no route would accept: its Content-Type is malformed, or its
 * announced body exceeds the limit.
 * @param limit maximum size of a body in bytes
 */
export function objectionTo(
  { method, url = '', headers }: IncomingMessage,
  limit: number,
): Refusal | undefined {
  const type = headers['content-type'];
  if (type !== undefined && method !== 'GET' && method !== 'HEAD' && !mediaType.test(type)) {
    return malformedType(url);
  }
  const length = headers['content-length'];
  return length !== undefined && Number(length) > limit ? tooLarge(url) : undefined;
}

/**
 * Sends a rejection. The connection is closed if a body is unread, because its rest would be parsed as the
 * next request.
 */
export function refuse(
  { request, response, headers }: Exchange,
  { status, headers: own, body }: Refusal,
): void {
  const close = status === 413 || (status === 503 && !request.complete) ? ['connection', 'close'] : [];
  response.writeHead(status, [...headers, ...own, ...close]).end(body);
}
