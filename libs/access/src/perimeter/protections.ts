/**
 * What keeps the outside out, whether a request comes through the gateway or an ingress leads to the service itself. Each has a row in
 * docs/guides/route-at-the-ingress.md, which says where it is kept, and attacks in e2e/perimeter, which are sent both ways.
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
