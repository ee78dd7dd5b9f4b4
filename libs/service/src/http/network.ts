import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the network that counts as one source of requests: an IPv4 address, or an IPv6 /64, because its
 * holder controls all of its addresses. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  if (isIP(plain) === 0) return plain;
  // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is the same source.
  const parsed = ipaddr.process(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
