import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { GrantSummary } from '../../grants/index.ts';
import type { ApiTokenSummary } from '../../machines/data/api-tokens.ts';
import type { ServiceAccountKey } from '../../machines/index.ts';
import {
  type Departure,
  type DepartureDelivery,
  deliveriesOf,
  departuresOf,
} from '../../offboarding/data/departures.ts';
import { type CredentialOwner, type OwnedKind, ownersOf } from '../../ownership/data/credential-owners.ts';
import { type GroupRoleRow, rolesOfGroups } from '../../roles/data/group-roles.ts';
import { type RoleSource, roleSourcesOf, rolesOf } from '../../roles/data/roles.ts';
import { listSessions } from '../../sessions/data/sessions.ts';
import type { SessionSummary } from '../../sessions/index.ts';
import {
  type CredentialSummary,
  clientsOfSessions,
  credentialsOf,
} from '../../upkeep/data/administration.ts';
import { type ReferenceLoaders, type ReferenceSources, referenceLoaders } from './references.ts';

/** What one request reads with: bound to the caller's tenant, one statement for many people. */
export interface AuthLoaders {
  byId: ReferenceLoaders;
  /** By subject id. */
  sessions: DataLoader<string, SessionSummary[]>;
  /** By subject id. */
  grants: DataLoader<string, GrantSummary[]>;
  /** By subject id. */
  roles: DataLoader<string, { subjectId: string; roles: string[] } | null>;
  /** By subject id. */
  roleSources: DataLoader<string, RoleSource[]>;
  /** By group id. */
  groupRoles: DataLoader<string, GroupRoleRow[]>;
  /** By subject id. */
  personalAccessTokens: DataLoader<string, ApiTokenSummary[]>;
  /** By subject id. */
  credentials: DataLoader<string, CredentialSummary | null>;
  /** By session id. */
  sessionApps: DataLoader<string, { sessionId: string; clientId: string; name: string | null }[]>;
  /** By subject id. */
  departures: DataLoader<string, Departure[]>;
  /** By departure id. */
  departureDeliveries: DataLoader<string, DepartureDelivery[]>;
  /** By service account id. */
  apiKeys: DataLoader<string, ApiTokenSummary[]>;
  /** Whose each is, by its id. */
  owners: Readonly<
    Record<OwnedKind, DataLoader<string, (CredentialOwner & { credentialId: string }) | null>>
  >;
  /** By service account id. */
  serviceAccountKeys: DataLoader<string, ServiceAccountKey[]>;
}

/** Entries of a list that isn't a connection, where nothing else bounds it. */
const mostListed = 100;

export function authLoaders(deps: ReferenceSources): (scope: LoaderScope) => AuthLoaders {
  const { sql } = deps.database;
  const owners = (tenant: string, kind: OwnedKind) =>
    batchOne(
      async (ids) =>
        [...(await ownersOf(sql, tenant, kind, ids))].map(([credentialId, owner]) => ({
          ...owner,
          credentialId,
        })),
      ({ credentialId }) => credentialId,
    );
  return ({ tenant }) => ({
    owners: {
      client: owners(tenant, 'client'),
      service_account: owners(tenant, 'service_account'),
      api_key: owners(tenant, 'api_key'),
    },
    byId: referenceLoaders(deps, tenant),
    sessions: batchMany(
      (ids) => listSessions(sql, tenant, ids, deps.env.SESSION_IDLE_SECONDS, mostListed),
      (session) => session.subjectId,
    ),
    grants: batchMany(
      (ids) => deps.grants.listBySubjects(tenant, ids, mostListed),
      (grant) => grant.subjectId,
    ),
    roles: batchOne(
      async (ids) =>
        [...(await rolesOf(sql, tenant, ids))].map(([subjectId, roles]) => ({ subjectId, roles })),
      (row) => row.subjectId,
    ),
    roleSources: batchMany(
      (ids) => roleSourcesOf(sql, tenant, ids),
      (source) => source.subjectId,
    ),
    groupRoles: batchMany(
      (ids) => rolesOfGroups(sql, tenant, ids),
      (row) => row.groupId,
    ),
    personalAccessTokens: batchMany(
      (ids) => deps.apiTokens.listPersonal(tenant, ids),
      (token) => token.ownerId,
    ),
    credentials: batchOne(
      (ids) => credentialsOf(sql, tenant, ids),
      (credentials) => credentials.subjectId,
    ),
    sessionApps: batchMany(
      (ids) => clientsOfSessions(sql, tenant, ids, mostListed),
      (app) => app.sessionId,
    ),
    departures: batchMany(
      (ids) => departuresOf(sql, tenant, ids),
      (departure) => departure.subjectId,
    ),
    departureDeliveries: batchMany(
      (ids) => deliveriesOf(sql, tenant, ids),
      (delivery) => delivery.departureId,
    ),
    apiKeys: batchMany(
      (ids) => deps.apiTokens.listKeys(tenant, ids),
      (token) => token.ownerId,
    ),
    serviceAccountKeys: batchMany(
      (ids) => deps.serviceAccounts.listKeys(tenant, ids),
      (key) => key.serviceAccountId,
    ),
  });
}
