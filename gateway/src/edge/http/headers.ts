import type { IncomingHttpHeaders } from 'node:http';

// RFC 9110 §7.6.1 and the older ones that are still seen.
const hopByHop = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// What only the edge may say about the client, and what concerns this hop's own connection.
const replaced = new Set(['expect', 'forwarded', 'host', 'x-real-ip', 'x-request-id']);

const isReplaced = (name: string): boolean => replaced.has(name) || name.startsWith('x-forwarded-');

export interface ClientFacts {
  /** The client's address, as far as trusted proxies vouch for it. */
  address: string;
  /** The one origin that clients see. */
  publicOrigin: string;
  requestId: string;
  /** Our span's context; without one the client's goes through. */
  traceparent: string | undefined;
}

/** The headers a service gets: the client's, minus those of the hop, with our own word on where it came from. */
export function requestHeaders(
  given: IncomingHttpHeaders,
  client: ClientFacts,
): Record<string, string | string[]> {
  const headers = endToEnd(given, isReplaced);
  const { protocol, host } = new URL(client.publicOrigin);
  headers['x-forwarded-for'] = client.address;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
  headers['x-request-id'] = client.requestId;
  if (client.traceparent !== undefined) headers.traceparent = client.traceparent;
  return headers;
}

/** The headers a client gets: the service's, minus those of the hop. */
export const responseHeaders = (given: IncomingHttpHeaders): Record<string, string | string[]> =>
  endToEnd(given, () => false);

function endToEnd(
  given: IncomingHttpHeaders,
  dropped: (name: string) => boolean,
): Record<string, string | string[]> {
  const listed = new Set((given.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || hopByHop.has(name) || listed.has(name) || dropped(name)) continue;
    headers[name] = value;
  }
  return headers;
}
