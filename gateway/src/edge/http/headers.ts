import type { IncomingHttpHeaders } from 'node:http';

// RFC 9110 §7.6.1, and older headers that are still in use.
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

// Set only by the edge, or specific to one hop.
const replaced: ReadonlySet<string> = new Set([
  ...hopByHop,
  'expect',
  'forwarded',
  'host',
  'x-ostiary-neighbour',
  'x-real-ip',
  'x-request-id',
]);

/** Response headers that this process sets itself. */
const answeredHere: ReadonlySet<string> = new Set([...hopByHop, 'strict-transport-security', 'x-request-id']);

/** Names and values in turn. */
export type HeaderList = string[];

export interface ClientFacts {
  /** The client's address as the trusted proxies report it. */
  address: string;
  requestId: string;
  /** Context of this process's span. Without one the client's context is forwarded. */
  traceparent: string | undefined;
}

/** Returns the headers that give the public origin to services. */
export function originHeaders(publicOrigin: string): HeaderList {
  const { protocol, host } = new URL(publicOrigin);
  return ['x-forwarded-proto', protocol.slice(0, -1), 'x-forwarded-host', host];
}

/**
 * Returns the headers for a service: the client's without the hop-by-hop ones, with the origin and the client's
 * address set by this process.
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

/** Returns the headers for a client: the service's without the hop-by-hop ones and those that this process sets. */
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

/** Returns the names that Connection lists, which are hop-by-hop too; undefined for its usual values. */
function listedBy(connection: string | string[] | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(
    String(connection)
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
}
