/**
 * Protections against external requests, through the gateway and through an ingress to the service itself.
 * Each has a row in docs/guides/route-at-the-ingress.md with its place, and attacks in e2e/perimeter, sent
 * both ways.
 */
export const protectionNames = [
  'Closed list of routes',
  'Issuer of the services',
  'Unambiguous paths',
  'Impossible ids',
  'Unambiguous headers',
  'Unambiguous length',
  'Order of responses',
  'Body limits',
  'Header limits',
  'Media types',
  'Public origin',
  'Cross-origin reading',
  'Methods',
  'Request ids',
  'Tenants',
  'Rate limits',
  'Timeouts',
  'Transport security',
  'Unavailable services',
] as const;

export type ProtectionName = (typeof protectionNames)[number];
