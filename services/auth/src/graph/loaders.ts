import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { rolesOf } from '../data/roles.ts';
import { listSessions, type SessionSummary } from '../data/sessions.ts';
import type { GrantSummary } from '../domain/ports.ts';
import type { PeopleDependencies } from '../people.ts';

/** What one request reads with: bound to the caller's tenant, one statement for many people. */
export interface AuthLoaders {
  /** By subject id. */
  sessions: DataLoader<string, SessionSummary[]>;
  /** By subject id. */
  grants: DataLoader<string, GrantSummary[]>;
  /** By subject id. */
  roles: DataLoader<string, { subjectId: string; roles: string[] } | null>;
}

export function authLoaders(deps: PeopleDependencies): (scope: LoaderScope) => AuthLoaders {
  const { sql } = deps.database;
  return ({ tenant }) => ({
    sessions: batchMany(
      (ids) => listSessions(sql, tenant, ids, deps.env.SESSION_IDLE_SECONDS),
      (session) => session.subjectId,
    ),
    grants: batchMany(
      (ids) => deps.grants.listBySubjects(tenant, ids),
      (grant) => grant.subjectId,
    ),
    roles: batchOne(
      async (ids) =>
        [...(await rolesOf(sql, tenant, ids))].map(([subjectId, roles]) => ({ subjectId, roles })),
      (row) => row.subjectId,
    ),
  });
}
