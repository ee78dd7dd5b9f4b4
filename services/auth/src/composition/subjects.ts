import type { RevocationList } from '@ostiary/access';
import { streamSignatures } from '@ostiary/service';
import type { Continuity } from '../directory-events/data/index.ts';
import { ProjectedSubjects } from '../directory-events/index.ts';
import { postgresFacts } from '../events/data/index.ts';
import { DirectoryFacts } from '../events/index.ts';
import type { UsedValues } from '../keys/data/index.ts';
import { closeDoors, roleRemoved } from '../offboarding/index.ts';
import { DepartureMetrics } from '../offboarding/jobs/index.ts';
import { DirectoryGroupOwners, DirectoryOwners } from '../ownership/index.ts';
import { DirectoryRoleHolderNotices, DirectoryRoleProjection, PrivilegedGroups } from '../roles/index.ts';
import { endWeakGrants } from '../sign-in/index.ts';
import { postgresFactCursors } from '../signals/data/index.ts';
import { PostgresRevocationJournal } from '../subjects/data/index.ts';
import { type ChangedPeople, directoryGroups, FeedWaiting } from '../subjects/index.ts';
import { DirectoryTenants, type TenantRegister } from '../tenants/index.ts';
import type { Foundation, ProtocolPorts } from './dependencies.ts';
import { stores } from './stores.ts';

export type PeopleFoundation = Foundation &
  Pick<
    ProtocolPorts,
    | 'grants'
    | 'safeFetch'
    | 'clients'
    | 'subjectIdentifier'
    | 'idTokens'
    | 'deviceAuthorizations'
    | 'pushedRequests'
    | 'authorizationCodes'
    | 'issuer'
  > & {
    revocationList: RevocationList;
    usedValues: UsedValues;
    continuity: Continuity;
    changedPeople: ChangedPeople;
  };

export function createSubjectParts(o: PeopleFoundation) {
  const { database, redis, directory, env, kit } = o;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const revocations = new PostgresRevocationJournal({
    sql: database.sql,
    continuity: o.continuity,
    redis,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    list: o.revocationList,
    accessTokenSeconds,
    log: kit.log,
  });
  const feedWaiting = new FeedWaiting({ revocations, list: o.revocationList, monotonic: o.monotonic });
  const departure = {
    ...stores,
    grants: o.grants,
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
  };
  const departures = new DepartureMetrics(kit);
  const directoryFacts = new DirectoryFacts({ facts: postgresFacts, cursors: postgresFactCursors });
  const roleHolders = new DirectoryRoleHolderNotices({ ...stores, database, directory, log: kit.log });
  const subjects = new ProjectedSubjects({
    ...stores,
    database,
    directory,
    revocations,
    departure,
    roleHolders,
    onDeparture: (departed) => departures.closed([departed]),
  });
  const { changedPeople } = o;
  return {
    revocations,
    feedWaiting,
    departure,
    departures,
    directoryFacts,
    roleHolders,
    subjects,
    changedPeople,
  };
}

type SubjectParts = ReturnType<typeof createSubjectParts>;

export function createGroupParts(
  { database, directory, kit }: PeopleFoundation,
  { departure, revocations, subjects }: SubjectParts,
) {
  const groups = directoryGroups(directory);
  const owners = new DirectoryOwners({ ...stores, database, subjects, groups });
  const roleProjection = new DirectoryRoleProjection({
    ...stores,
    database,
    directory: groups,
    subjects,
    departure: {
      ...stores,
      endIssued: async (tx, tenant, subjectId) =>
        (await closeDoors(tx, tenant, subjectId, roleRemoved, departure)).revocations,
    },
    revocations,
  });
  const groupOwners = new DirectoryGroupOwners({ database, groups, departure, revocations });
  const groupRoles = new PrivilegedGroups({
    ...stores,
    database,
    directory: groups,
    projection: roleProjection,
    revocations,
    log: kit.log,
  });
  return { groups, owners, roleProjection, groupOwners, groupRoles };
}

export function createTenantRegister(o: PeopleFoundation, { revocations }: SubjectParts): TenantRegister {
  const { database, directory, env, kit, tenantChanges } = o;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  return new DirectoryTenants({
    ...stores,
    database,
    directory,
    endWeakGrants: (tx, tenant, actor) =>
      endWeakGrants(tx, tenant, { ...stores, grants: o.grants, revocations, ...(actor && { actor }) }),
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
    tenantChanges,
    clock: kit.clock,
  });
}
