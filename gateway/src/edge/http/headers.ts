import type { IncomingHttpHeaders } from 'node:http';

// RFC 9110 §7.6.1 and the older ones that are still seen.
const hopByHop: ReadonlySet<string> = new Set([
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
const replaced: ReadonlySet<string> = new Set([
  ...hopByHop,
  'expect',
  'forwarded',
  'host',
  'x-ostiary-neighbour',
  'x-real-ip',
  'x-request-id',
]);

/** What this process says of every answer itself. */
const answeredHere: ReadonlySet<string> = new Set([...hopByHop, 'strict-transport-security', 'x-request-id']);

/** Names and values in turn. */
export type HeaderList = string[];

export interface ClientFacts {
  /** The client's address, as far as trusted proxies vouch for it. */
  address: string;
  requestId: string;
  /** Our span's context; without one the client's goes through. */
  traceparent: string | undefined;
}

/** What the edge tells services of the one origin that clients see. */
export function originHeaders(publicOrigin: string): HeaderList {
  const { protocol, host } = new URL(publicOrigin);
  return ['x-forwarded-proto', protocol.slice(0, -1), 'x-forwarded-host', host];
}

/**
 * The headers a service gets: the client's, minus those of the hop, with our own word on where it came from.
 * @param origin of `originHeaders`
 */
export function requestHeaders(
  given: IncomingHttpHeaders,
  client: ClientFacts,
  origin: readonly string[],
): HeaderList {
  const headers = [...origin, 'x-forwarded-for', client.address, 'x-request-id', client.requestId];
  const { traceparent } = client;
  if (traceparent !== undefined) headers.push('traceparent', traceparent);
  const listed = listedBy(given.connection);
  for (const name in given) {
    if (replaced.has(name) || name.startsWith('x-forwarded-') || listed?.has(name)) continue;
    if (name === 'traceparent' && traceparent !== undefined) continue;
    add(headers, name, given[name]);
  }
  return headers;
}

/** The headers a client gets: the service's, minus those of the hop; the id of the request is said by this process. */
export function responseHeaders(given: IncomingHttpHeaders): HeaderList {
  const headers: HeaderList = [];
  const listed = listedBy(given.connection);
  for (const name in given) {
    if (answeredHere.has(name) || listed?.has(name)) continue;
    add(headers, name, given[name]);
  }
  return headers;
}

function add(headers: HeaderList, name: string, value: string | string[] | undefined): void {
  if (typeof value === 'string') headers.push(name, value);
  else if (value !== undefined) for (const one of value) headers.push(name, one);
}

/** The names that Connection lists, which are of this hop, too; undefined for what nearly every message says. */
function listedBy(connection: string | string[] | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(
    String(connection)
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
}
