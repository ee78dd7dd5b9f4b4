import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What counts as one source of requests: an IPv4 address, or an IPv6 /64, for whoever has one address of it has them
 * all. What is no address counts as it is written.
 */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  if (isIP(plain) === 0) return plain;
  // An IPv4 address that came over IPv6 (RFC 4291 §2.5.5.2) is the same source.
  const parsed = ipaddr.process(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
