import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Where a request comes from, as Fastify would say, for those that Fastify never sees: upgrades to other protocols. The same library
 * reads the same list, so that a client is one address by every way it comes.
 * @param trustedProxies whose X-Forwarded-For is believed; nobody's when there are none
 */
export function clientAddress(trustedProxies: readonly string[] = []): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, isTrusted);
}
