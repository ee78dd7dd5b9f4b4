import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Addresses whose verdict is remembered. What clients write into X-Forwarded-For is among them, so there is an end to it. */
const remembered = 10_000;
/** Characters of an IPv6 address with an IPv4 address in it. */
const longestAddress = 45;

/**
 * Whether X-Forwarded-For of an address is believed. The same few peers ask again and again, and taking an address apart costs more
 * than the rest of finding out where a request comes from.
 */
export function trustOf(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const verdicts = new Map<string, boolean>();
  return (address) => {
    let verdict = verdicts.get(address);
    if (verdict === undefined) {
      verdict = isTrusted(address, 0);
      if (address.length > longestAddress) return verdict;
      if (verdicts.size >= remembered) verdicts.clear();
      // A copy: what was cut out of a header keeps all of that header in memory.
      verdicts.set(Buffer.from(address, 'latin1').toString('latin1'), verdict);
    }
    return verdict;
  };
}

/**
 * Where a request comes from, as Fastify would say, for those that Fastify never sees: upgrades to other protocols. The same library
 * reads the same list, so that a client is one address by every way it comes.
 * @param trustedProxies whose X-Forwarded-For is believed; nobody's when there are none
 */
export function clientAddress(trustedProxies: readonly string[] = []): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted = trustOf(trustedProxies);
  return (request) => proxyAddr(request, isTrusted);
}
