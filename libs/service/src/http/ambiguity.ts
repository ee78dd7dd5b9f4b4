import type { IncomingMessage } from 'node:http';

/**
 * Header fields with one value. If one is repeated, a proxy could use the last line and this process the
 * first (RFC 9110 §5.3); Node.js silently keeps the first of most. Lists (Accept, Forwarded, If-Match …) are
 * not included, and neither is Cookie, which proxies from HTTP/2 may split into lines (RFC 9113 §8.2.3) that
 * every recipient joins in the same way.
 */
export const singletonFields: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'dpop',
  'expect',
  'host',
  'idempotency-key',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'last-event-id',
  'max-forwards',
  'origin',
  'proxy-authorization',
  'range',
  'referer',
  'sec-websocket-key',
  'sec-websocket-version',
  'transfer-encoding',
  'user-agent',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-ostiary-neighbour',
  'x-request-id',
]);

/** A host and a port (RFC 9110 §7.2): no list, no user, no path. */
const hostField = /^(?:[A-Za-z0-9._~%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/**
 * Returns the reason why a proxy and this process could interpret a request differently, or undefined if they
 * cannot. Every process answers such a request with 400, for any path (RFC 9112 §3.2 and §6.3).
 */
export function ambiguityOf(request: Pick<IncomingMessage, 'rawHeaders' | 'url'>): string | undefined {
  const { url = '' } = request;
  const isPath = url.startsWith('/') || url === '*';
  const authority = isPath ? undefined : /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase();
  if (!isPath && authority === undefined) return 'The request target must be a path or a web address.';
  let seen: Set<string> | undefined;
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!singletonFields.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return `The header ${name} must be sent only once.`;
    seen.add(name);
    const value = rawHeaders[at + 1] ?? '';
    if (name === 'host') {
      if (!hostField.test(value)) return 'The Host header is malformed.';
      // Servers must accept an absolute target (RFC 9112 §3.2.2), and its authority must match Host (RFC 9112
      // §3.2).
      if (authority !== undefined && authority !== value.toLowerCase()) {
        return 'The request target names another host than the Host header.';
      }
    }
    if (name === 'transfer-encoding' && value.toLowerCase() !== 'chunked') {
      return 'The only supported transfer coding is chunked.';
    }
  }
  if (seen?.has('content-length') && seen.has('transfer-encoding')) {
    return 'Content-Length and Transfer-Encoding are mutually exclusive.';
  }
  return undefined;
}

/**
 * Returns the answer to such a request. It closes the connection, because the next bytes may be a smuggled
 * request.
 */
export const ambiguityAnswer = (reason: string) => ({
  status: 400,
  headers: { connection: 'close', 'cache-control': 'no-store' },
  body: { error: 'invalid_request', message: reason, error_description: reason },
});
