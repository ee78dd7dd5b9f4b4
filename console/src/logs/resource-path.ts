/**
 * Returns the path of the page of a resource, if its type has one; the page of a deleted resource shows that it is
 * deleted.
 */
export function resourcePath(type: string | null, id: string | null): string | undefined {
  if (type === null || id === null) return undefined;
  const folder = folders[type];
  if (folder !== undefined) return `${folder}/${encodeURIComponent(id)}`;
  return pages[type];
}

const folders: Readonly<Record<string, string>> = {
  User: 'users',
  Group: 'groups',
  Client: 'applications',
  Api: 'apis',
  ServiceAccount: 'service-accounts',
  Connector: 'sources',
  Webhook: 'webhooks',
  SignalStream: 'signals',
};

const pages: Readonly<Record<string, string>> = {
  SigningKey: 'keys',
  TrustedIssuer: 'trusted-issuers',
  InitialAccessToken: 'initial-access-tokens',
  Schema: 'schemas',
  Delivery: 'deliveries',
};

const actorTypes: Readonly<Record<string, string>> = {
  USER: 'User',
  CLIENT: 'Client',
  CONNECTOR: 'Connector',
};

export const actorPath = (kind: string, id: string): string | undefined =>
  resourcePath(actorTypes[kind] ?? null, id);
