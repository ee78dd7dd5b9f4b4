import { batchMany, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { byId, maxListed } from '../../../platform/subgraph/graph/references.ts';
import type { SessionApp, SessionList, SessionSummary } from '../domain/session-list.ts';

export interface SessionLoaders {
  /** By subject id. */
  sessions: DataLoader<string, SessionSummary[]>;
  sessionsById: DataLoader<string, SessionSummary | null>;
  /** By session id. */
  sessionApps: DataLoader<string, SessionApp[]>;
}

export const sessionLoaders =
  ({ sessionList }: { sessionList: SessionList }) =>
  ({ tenant }: LoaderScope): SessionLoaders => ({
    sessions: batchMany(
      (ids) => sessionList.ofSubjects(tenant, ids, maxListed),
      (session) => session.subjectId,
    ),
    sessionsById: byId((ids) => sessionList.byIds(tenant, ids)),
    sessionApps: batchMany(
      (ids) => sessionList.apps(tenant, ids, maxListed),
      (app) => app.sessionId,
    ),
  });
