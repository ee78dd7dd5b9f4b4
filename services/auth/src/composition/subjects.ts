import type { RevocationList } from '@ostiary/access';
import { streamSignatures } from '@ostiary/service';
import { DirectoryGroupOwners } from '../access/ownership/domain/group-owners.ts';
import { DirectoryOwners } from '../access/ownership/domain/owners.ts';
import { PrivilegedGroups } from '../access/roles/domain/group-roles.ts';
import { DirectoryRoleHolderNotices } from '../access/roles/domain/role-holder-notices.ts';
import { DirectoryRoleProjection } from '../access/roles/domain/role-projection.ts';
import { endWeakGrants } from '../identity/sign-in/domain/second-factor-required.ts';
import type { Continuity } from '../lifecycle/directory-events/continuity.data.ts';
import { ProjectedSubjects } from '../lifecycle/directory-events/subjects.ts';
import { DepartureMetrics } from '../lifecycle/offboarding/departure-metrics.jobs.ts';
import { closeDoors, roleRemoved } from '../lifecycle/offboarding/domain/departure.ts';
import { postgresFactCursors } from '../signals/data/cursors.ts';
import { postgresFacts } from '../tenancy/events/data/facts.ts';
import { DirectoryFacts } from '../tenancy/events/domain/directory-facts.ts';
import type { UsedValues } from '../tenancy/keys/data/used-values.ts';
import { DirectoryTenants, type TenantRegister } from '../tenancy/tenants/domain/tenants.ts';
import { PostgresRevocationJournal } from '../tenancy/users/data/revocation-journal.ts';
import type { ChangedPeople } from '../tenancy/users/domain/changed-people.ts';
import { directoryGroups } from '../tenancy/users/domain/directory-groups.ts';
import { FeedWaiting } from '../tenancy/users/domain/feed-waiting.ts';
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
