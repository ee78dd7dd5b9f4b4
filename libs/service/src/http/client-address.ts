import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Maximum number of cached decisions. The limit is needed because clients choose the content of
 * X-Forwarded-For.
 */
const remembered = 10_000;
/** Maximum length of an IPv6 address with an embedded IPv4 address. */
const maxAddressLength = 45;

/**
 * Returns a function that reports whether X-Forwarded-For of a peer is trusted. Results are cached: the same
 * few peers recur, and parsing an address costs more than the rest of the lookup.
 */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const checkResults = new Map<string, boolean>();
  return (address) => {
    let isProxy = checkResults.get(address);
    if (isProxy === undefined) {
      isProxy = isTrusted(address, 0);
      if (address.length > maxAddressLength) return isProxy;
      if (checkResults.size >= remembered) checkResults.clear();
      // A copy, because a substring of a header retains the whole header in memory.
      checkResults.set(Buffer.from(address, 'latin1').toString('latin1'), isProxy);
    }
    return isProxy;
  };
}

/**
 * Returns a function that determines the client address of requests that bypass Fastify (upgrades to other
 * protocols). It uses the library and list that Fastify uses, so that a client has the same address in both.
 * @param trustedProxies proxies whose X-Forwarded-For is trusted, default none
 */
export function clientAddress(trustedProxies: readonly string[] = []): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted = trustOf(trustedProxies);
  return (request) => proxyAddr(request, isTrusted);
}
