import { type ApolloCache, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** A list per set of arguments; its pages are merged. */
const list = (...keys: string[]) => relayStylePagination(keys);

/** Connections of the graph. */
const lists = {
  users: list('filter', 'where', 'orderBy'),
  groups: list('filter', 'where', 'orderBy'),
  clients: list('filter'),
  serviceAccounts: list('filter'),
  apiKeys: list('filter'),
  connectors: list('filter'),
  sessions: list('filter'),
  grants: list('filter'),
  personalAccessTokens: list('filter'),
  auditLog: list('filter'),
  securityLog: list('filter'),
  connectorLog: list('filter'),
  deliveries: list('filter'),
  issuerSubjects: list('filter'),
  apis: list(),
  apiRoleHolders: list('filter'),
  groupsWithApiRole: list('filter'),
  roleHolders: list('filter'),
  groupsWithRole: list('filter'),
  tenants: list('filter'),
  webhooks: list(),
  signalStreams: list(),
  groupsSharingNames: list(),
  deletedUsers: list(),
  deletedGroups: list(),
  liveInitialAccessTokens: list(),
  provisioningLog: list('filter'),
};

export const createCache = (): InMemoryCache =>
  new InMemoryCache({
    possibleTypes: {
      Actor: ['UserActor', 'ClientActor', 'ConnectorActor', 'ServiceActor', 'SystemActor'],
      CredentialOwner: ['User', 'Group'],
      OwnedCredential: ['ApiKey', 'Client', 'ServiceAccount'],
      Problem: [
        'InvalidInput',
        'NotFound',
        'NotUnique',
        'StateConflict',
        'VersionConflict',
        'IdempotencyKeyReused',
      ],
    },
    typePolicies: {
      Query: { fields: lists },
      Api: { fields: { verifiers: list() } },
      Group: { fields: { members: list(), apiRoleGrants: list() } },
      User: {
        fields: {
          groupsConnection: list(),
          sessionsConnection: list(),
          grantsConnection: list(),
          apiRoleSources: list(),
          delegations: list(),
          name: { merge: true },
          employment: { merge: true },
          credentials: { merge: true },
        },
      },
      Departure: { keyFields: ['securityEventId'] },
      DepartureDelivery: { keyFields: ['deliveryId'] },
      Tenant: { fields: { branding: { merge: true } } },
      // One instance per tenant, and the session has one tenant.
      TenantPolicy: { keyFields: [] },
      TenantBranding: { keyFields: [] },
      Schema: { fields: { attributes: { merge: false } } },
    },
  });

/**
 * Removes an object from the cache and from all lists. In an optimistic update, unlike `cache.evict`, it also hides an
 * object that an earlier response stored.
 */
export const removeObject = (cache: ApolloCache, id: string): boolean =>
  cache.modify({ id, fields: (_value, { DELETE }) => DELETE });
