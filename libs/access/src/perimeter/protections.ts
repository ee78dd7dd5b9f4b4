/**
 * Protections against external requests, through the gateway and through an ingress to the service itself.
 * Each has a row in docs/guides/route-at-the-ingress.md with its place, and attacks in e2e/perimeter, sent
 * both ways.
 */
export const protectionNames = [
  'Closed list of routes',
  'Issuer of the services',
  'Paths with one reading',
  'Ids that none can be',
  'Headers with one reading',
  'One end of a request',
  'Order of answers',
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
  'Services that are away',
] as const;

export type ProtectionName = (typeof protectionNames)[number];
