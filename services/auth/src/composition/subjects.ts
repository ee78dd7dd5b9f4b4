import { DirectoryGroupOwners } from '../access/ownership/domain/group-owners.ts';
import { DirectoryOwners } from '../access/ownership/domain/owners.ts';
import { PrivilegedGroups } from '../access/roles/domain/group-roles.ts';
import { DirectoryRoleHolderNotices } from '../access/roles/domain/role-holder-notices.ts';
import { DirectoryRoleProjection } from '../access/roles/domain/role-projection.ts';
import { ProjectedSubjects } from '../lifecycle/directory-events/subjects.ts';
import { DepartureMetrics } from '../lifecycle/offboarding/departure-metrics.jobs.ts';
import { closeDoors, roleRemoved } from '../lifecycle/offboarding/domain/departure.ts';
import { directoryGroups } from '../tenancy/users/domain/directory-groups.ts';
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
  >;

export function createSubjectParts(o: PeopleFoundation) {
  const { database, directory, env, kit, revocations } = o;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const departure = {
    ...stores,
    grants: o.grants,
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
  };
  const departures = new DepartureMetrics(kit);
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
  return { departure, departures, roleHolders, subjects };
}

type SubjectParts = ReturnType<typeof createSubjectParts>;

export function createGroupParts(
  { database, directory, kit, revocations }: PeopleFoundation,
  { departure, subjects }: SubjectParts,
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
