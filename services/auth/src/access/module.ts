import { conferring, type Revocation, type RouteConferrals } from '@ostiary/access';
import type { SeparationReason } from '@ostiary/database';
import { Counter, msWithoutWake, repeat, type Transaction, Wake } from '@ostiary/service';
import { ownershipStores } from '../ownership.ts';
import {
  type District,
  type GraphPart,
  ofServices,
  type Platform,
  type Process,
  type Stop,
} from '../platform/module.ts';
import type { Subjects } from '../tenancy/index.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { postgresConsents } from './grants/data/consents.ts';
import { PostgresDelegationList, postgresDelegations } from './grants/data/delegations.ts';
import { PostgresGrantList } from './grants/data/grant-list.ts';
import { PostgresGrantStore } from './grants/data/grant-store.ts';
import { endGrantsOfTenant, holdGrant, PostgresGrants } from './grants/data/grants.ts';
import { Delegations } from './grants/domain/delegations.ts';
import { RefreshTokenCodec } from './grants/domain/refresh-token.ts';
import { delegationLoaders } from './grants/graph/delegation-loaders.ts';
import { delegationResolvers } from './grants/graph/delegations.ts';
import { type GrantGraphDependencies, grantResolvers } from './grants/graph/grants.ts';
import { grantLoaders } from './grants/graph/loaders.ts';
import { postgresApiTokens, revokeApiTokensOfGrants, touchApiTokens } from './machines/data/api-tokens.ts';
import { postgresServiceAccounts, touchServiceAccountKeys } from './machines/data/service-accounts.ts';
import { PostgresTokenList } from './machines/data/token-list.ts';
import { ApiTokenReader, liveApiToken } from './machines/domain/api-token-reader.ts';
import type { LiveApiTokenStore } from './machines/domain/api-token-store.ts';
import { ApiTokens, type TokenBasis } from './machines/domain/api-tokens.ts';
import { LastUses } from './machines/domain/last-uses.ts';
import { ServiceAccounts } from './machines/domain/service-accounts.ts';
import { machineLoaders } from './machines/graph/loaders.ts';
import { personalAccessTokenResolvers } from './machines/graph/personal-access-tokens.ts';
import { machineRights } from './machines/graph/rights.ts';
import { serviceAccountResolvers } from './machines/graph/service-accounts.ts';
import { tokenResolvers } from './machines/graph/tokens.ts';
import { internalApiTokenEndpoint } from './machines/internal-api-tokens.http.ts';
import { postgresConnectorOwners } from './ownership/data/connector-owners.ts';
import { postgresOwnerChecks } from './ownership/data/owner-checks.ts';
import { GroupOwners } from './ownership/domain/group-owners.ts';
import { KnownSecretReader } from './ownership/domain/known-secret.ts';
import { endDueSecrets } from './ownership/domain/known-secret-fate.ts';
import type { OwnershipPorts } from './ownership/domain/owned-credentials.ts';
import type { ClientAnnouncements } from './ownership/domain/owner-going.ts';
import { Owners } from './ownership/domain/owners.ts';
import { ownerLoaders } from './ownership/graph/loaders.ts';
import { type OwnershipGraphDependencies, ownershipResolvers } from './ownership/graph/ownership.ts';
import { catchUpOnGroupOwners } from './ownership/group-owners.jobs.ts';
import { ownerRoutes } from './ownership/internal-owners.http.ts';
import { postgresAdministrators } from './roles/data/administrators.ts';
import { postgresGroupRoleHolders } from './roles/data/group-role-holders.ts';
import { postgresGroupRoles } from './roles/data/group-roles.ts';
import { addOverdueChecks, postgresMembershipChecks } from './roles/data/membership-checks.ts';
import { postgresRoleHolders } from './roles/data/role-holders-notified.ts';
import { postgresRoles } from './roles/data/roles.ts';
import { subjectReads } from './roles/data/roles-held.ts';
import type { AccessRenewal } from './roles/domain/access-renewal.ts';
import { GroupRoles } from './roles/domain/group-roles.ts';
import { RoleDirectory } from './roles/domain/role-directory.ts';
import { DirectoryRoleHolderNotices } from './roles/domain/role-holder-notices.ts';
import type { HoldingPorts, InvitationEnds } from './roles/domain/role-holders.ts';
import { RoleProjection } from './roles/domain/role-projection.ts';
import { ActingRules } from './roles/graph/acting.ts';
import { groupRoleResolvers } from './roles/graph/group-roles.ts';
import { roleLoaders } from './roles/graph/loaders.ts';
import { roleRights } from './roles/graph/rights.ts';
import { roleListResolvers } from './roles/graph/role-lists.ts';
import { type UserRoleDependencies, userRoleResolvers } from './roles/graph/user-roles.ts';
import { catchUpOnGroupRoles, groupRoleAge } from './roles/group-roles.jobs.ts';
import { administratorRoutes } from './roles/http/internal-administrators.ts';
import { type RoleRouteDependencies, roleRoutes } from './roles/http/internal-roles.ts';

/**
 * Interval in seconds at which the members of all role groups of a tenant are compared with the directory, and number
 * of tenants per run.
 */
const comparedEverySeconds = 900;
const tenantsARound = 20;

/** Services of higher districts that this district uses. */
export interface AccessPorts {
  subjects: RoleRouteDependencies['subjects'] & UserRoleDependencies['subjects'];
  clients: GrantGraphDependencies['clients'];
  clientRegistry: OwnershipGraphDependencies['clientRegistry'];
  invitations: AccessRenewal;
  clientAnnouncements: ClientAnnouncements;
  invitationEnds: InvitationEnds;
  liveApiTokens: LiveApiTokenStore;
  sessionBasis: { holdSession: TokenBasis['holdSession'] };
  /** Revokes everything issued to a user who loses a role. The returned revocations are published after the commit. */
  endIssued(tx: Transaction, tenant: string, subjectId: string): Promise<Revocation[]>;
  apiGrantEnds: { endIssued: HoldingPorts['endIssuedForApis'] };
}

type AccessDependencies = Process & Platform & Tenancy & { higher: () => AccessPorts };

/** Rights that the modifying routes of this district confer. The process does not start with a route that is missing. */
export const accessConferrals: RouteConferrals = {
  ...conferring('rights of the operator: roles', 'platform', ofServices('tenants/:tenant/roles')),
  ...conferring(
    'nothing',
    'platform',
    ofServices(
      'api-tokens/introspect',
      'tenants/:tenant/connector-owners',
      'tenants/:tenant/connector-callers',
      'ownership-ends/carried-out',
    ),
  ),
};

export type Access = ReturnType<typeof createServices>;

/** Stateless implementations of ports that receive a transaction. */
const stores = {
  ...ownershipStores,
  consentStore: postgresConsents,
  delegationStore: postgresDelegations,
  roleStore: postgresRoles,
  administratorStore: postgresAdministrators,
  groupRoleStore: postgresGroupRoles,
  groupRoleHolders: postgresGroupRoleHolders,
  membershipChecks: postgresMembershipChecks,
  roleHolderStore: postgresRoleHolders,
  connectorOwners: postgresConnectorOwners,
  ownerChecks: postgresOwnerChecks,
  apiTokenStore: postgresApiTokens,
  serviceAccountStore: postgresServiceAccounts,
};

export function createAccess(o: AccessDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: {
      internal(app) {
        roleRoutes(app, { ...deps, subjects: o.higher().subjects });
        administratorRoutes(app, deps);
        ownerRoutes(app, deps);
      },
      internalOAuth: (app) => internalApiTokenEndpoint(app, deps),
    },
    graph: () => graphOf(deps),
    start: (pending) => [
      ...startRounds(deps, pending),
      () => services.roleProjection.idle(),
      () => services.groupOwners.idle(),
    ],
  };
  return { services, district };
}

function graphOf(o: AccessDependencies & Access): GraphPart {
  const deps = { ...o, ...o.higher() };
  return {
    resolvers: [
      grantResolvers(deps),
      delegationResolvers(deps),
      userRoleResolvers(deps),
      groupRoleResolvers(deps),
      roleListResolvers(deps),
      personalAccessTokenResolvers(deps),
      serviceAccountResolvers(deps),
      tokenResolvers(deps),
      ownershipResolvers(deps),
    ],
    loaders: [
      grantLoaders(deps),
      delegationLoaders(deps),
      machineLoaders(deps),
      ownerLoaders(deps),
      roleLoaders(deps),
    ],
    rights: { ...machineRights(deps), ...roleRights(deps) },
  };
}

function createServices(o: AccessDependencies) {
  const { database, directory, env, eventPublisher, higher, kit, revocations, securityLog } = o;
  const grants = new PostgresGrants({
    database,
    clock: kit.clock,
    tokenLifetime: o.tokenLifetimeSeconds,
    revokeTokensOfGrants: revokeApiTokensOfGrants,
  });
  /** Ends everything that an owner owns or knows. */
  const ownership = {
    ...stores,
    securityLog,
    eventPublisher,
    tenantStore: o.tenantStore,
    revocations,
    grants,
    clientAnnouncements: {
      announceClientsOf: (tx: Transaction, tenant: string) =>
        higher().clientAnnouncements.announceClientsOf(tx, tenant),
    },
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
  };
  return {
    ...stores,
    ...machineServices(o),
    ...groupServices(o, ownership),
    grants,
    ownership,
    delegations: new Delegations({ ...stores, database, securityLog, eventPublisher, revocations, grants }),
    /** Opens grants for authorization codes and device codes, and rotates refresh tokens. */
    grantStore: new PostgresGrantStore({
      database,
      securityLog,
      eventPublisher,
      revocations,
      grants,
      onSeparated: countedSeparations(kit),
    }),
    refreshTokens: new RefreshTokenCodec(o.keptKeys.of('refresh-token')),
    ...readers(database),
    endGrantsOfTenant,
    subjectReads,
    roleHolders: new DirectoryRoleHolderNotices({ ...stores, database, directory, log: kit.log }),
  };
}

/** Starts the jobs that update roles and ownership from groups. */
function startRounds(o: AccessDependencies & Access, pending: Parameters<District['start']>[0]): Stop[] {
  const { database, kit } = o;
  const { log } = kit;
  const whenNoted = (
    question: Parameters<typeof pending.on>[0],
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
  ) => {
    const wake = new Wake();
    pending.on(question, 1_000, wake);
    return repeat({ name, everyMs: msWithoutWake, jitter: true, wake, log, work });
  };
  return [
    whenNoted('groupRoles', 'group roles', (signal) => catchUpOnGroupRoles(o, signal)),
    whenNoted('groupOwners', 'groups as owners', (signal) => catchUpOnGroupOwners(o, signal)),
    whenNoted('secretEnds', 'ends of known secrets', (signal) =>
      endDueSecrets({ ...o, departure: o.ownership }, signal),
    ),
    whenNoted('roleHolders', 'role holders', (signal) => o.roleHolders.catchUp(signal)),
    repeat({
      name: 'age of queries about groups',
      everyMs: 5_000,
      log,
      work: groupRoleAge(kit.metrics, o),
    }),
    repeat({
      name: 'comparison of group roles',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async () => void (await addOverdueChecks(database.sql, comparedEverySeconds, tenantsARound)),
    }),
  ];
}

/** Readers of the graph. */
function readers({ sql }: Process['database']) {
  const roleDirectory = new RoleDirectory({ ...stores, sql });
  return {
    roleDirectory,
    acting: new ActingRules(roleDirectory),
    grantList: new PostgresGrantList(sql),
    delegationList: new PostgresDelegationList(sql),
    tokenList: new PostgresTokenList(sql),
    knownSecretReader: new KnownSecretReader(sql, stores.knownSecrets),
  };
}

/** Roles and ownership of users and groups. */
function groupServices(o: AccessDependencies, ownership: OwnershipPorts & { accessTokenSeconds: number }) {
  const { database, groups, higher, kit, revocations, securityLog } = o;
  const subjects: Subjects = { find: (...of) => higher().subjects.find(...of) };
  const roleProjection = new RoleProjection({
    ...stores,
    securityLog,
    database,
    directory: groups,
    subjects,
    departure: {
      ...stores,
      securityLog,
      endIssued: (...of) => higher().endIssued(...of),
      endIssuedForApis: (...of) => higher().apiGrantEnds.endIssued(...of),
      invitationEnds: {
        deleteInvitations: (...of) => higher().invitationEnds.deleteInvitations(...of),
      },
    },
    revocations,
  });
  return {
    owners: new Owners({ ...stores, database, groups, subjectStore: o.subjectStore, subjects }),
    roleProjection,
    groupOwners: new GroupOwners({ database, groups, departure: ownership, revocations }),
    groupRoles: new GroupRoles({
      ...stores,
      securityLog,
      database,
      directory: groups,
      projection: roleProjection,
      revocations,
      log: kit.log,
    }),
  };
}

/** Service accounts and API tokens. */
function machineServices(o: AccessDependencies) {
  const { database, env, higher, keptKeys, kit, policyOf, tenants } = o;
  const digestKey = keptKeys.of('api-token');
  const shared = {
    ...stores,
    database,
    securityLog: o.securityLog,
    subjectStore: o.subjectStore,
    revocations: o.revocations,
    tenants,
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    clock: kit.clock,
  };
  const apiTokenUses = new LastUses({
    write: (uses) => touchApiTokens(database.sql, uses),
    clock: kit.clock,
  });
  const serviceAccountKeyUses = new LastUses({
    write: (uses) => touchServiceAccountKeys(database.sql, uses),
    clock: kit.clock,
  });
  const apiTokenReader = new ApiTokenReader({
    sql: database.sql,
    liveApiTokens: { findLiveApiToken: (...of) => higher().liveApiTokens.findLiveApiToken(...of) },
    digestKey,
    policyOf,
    onUse: (tenant, id) => apiTokenUses.note(tenant, id),
  });
  return {
    apiTokenUses,
    apiTokenReader,
    liveApiToken: (token: string) => liveApiToken({ apiTokenReader, tenants }, token),
    apiTokens: new ApiTokens({
      ...shared,
      digestKey,
      tokenBasis: { holdGrant, holdSession: (...of) => higher().sessionBasis.holdSession(...of) },
    }),
    serviceAccountKeyUses,
    serviceAccounts: new ServiceAccounts({
      ...shared,
      onKeyUse: (tenant, id) => serviceAccountKeyUses.note(tenant, id),
    }),
  };
}

/** Counts grants that could not be written in the shared statement of a batch and were written separately. */
function countedSeparations({ metrics }: Process['kit']): (reason: SeparationReason) => void {
  const separations = new Counter({
    name: 'auth_grants_separated_total',
    help: 'Number of grants of a batch that were written separately, by reason: left out of the statement, or rejected with it',
    labelNames: ['reason'] as const,
    registers: [metrics],
  });
  return (reason) => separations.inc({ reason });
}
