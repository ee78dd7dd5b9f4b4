import { composedStatement, fragment, type Sql, statement, wayOf } from '@ostiary/database';
import { type IdPage, uuidv7 } from '@ostiary/service';
import { fromGrantsOfSession } from '../../../access/grants/data/grant-conditions.ts';
import { clientAs } from '../../../clients/data/client-conditions.ts';
import { Conditions, countOf } from '../../../platform/database/data/conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { SessionApp, SessionFilter, SessionList, SessionSummary } from '../domain/session-list.ts';

export class PostgresSessionList implements SessionList {
  readonly #sql: Connection;
  readonly #idleSeconds: number;

  constructor(o: { sql: Connection; idleSeconds: number }) {
    this.#sql = o.sql;
    this.#idleSeconds = o.idleSeconds;
  }

  ofSubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<SessionSummary[]> {
    return listSessions(this.#sql, tenant, subjectIds, this.#idleSeconds, most);
  }

  /** Returns those of these sessions that are active. */
  async byIds(tenant: string, ids: readonly string[]): Promise<SessionSummary[]> {
    const prisma = await this.#sql.prisma();
    const now = Date.now();
    return prisma.session.findMany({
      where: {
        tenant,
        id: { in: [...ids] },
        revokedAt: null,
        expiresAt: { gt: new Date(now) },
        lastSeenAt: { gt: new Date(now - this.#idleSeconds * 1_000) },
      },
      select: selected,
    });
  }

  page(tenant: string, filter: SessionFilter, page: IdPage): Promise<SessionSummary[]> {
    return pageOfSessions.rows(this.#sql, { tenant, filter, page, idleSeconds: this.#idleSeconds });
  }

  async count(tenant: string, filter: SessionFilter): Promise<number> {
    const counted = await countOfSessions.first(this.#sql, {
      tenant,
      filter,
      idleSeconds: this.#idleSeconds,
    });
    return counted?.total ?? 0;
  }

  apps(tenant: string, sessionIds: readonly string[], most: number): Promise<SessionApp[]> {
    return appsOfSessions.rows(this.#sql, { tenant, sessionIds, most });
  }
}

const selected = {
  id: true,
  subjectId: true,
  createdAt: true,
  lastSeenAt: true,
  userAgent: true,
  ipAddress: true,
  authTime: true,
  expiresAt: true,
  amr: true,
  acr: true,
} satisfies Prisma.SessionSelect;

/** Columns of `SessionSummary` from auth.sessions `s`. */
const summary = fragment(
  `s.id, s.subject_id AS "subjectId", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
  s.user_agent AS "userAgent", s.ip_address AS "ipAddress", s.auth_time AS "authTime", s.expires_at AS "expiresAt", s.amr, s.acr`,
  {
    id: 'uuid',
    subjectId: 'uuid',
    createdAt: 'timestamptz',
    lastSeenAt: 'timestamptz',
    userAgent: 'text?',
    ipAddress: 'text?',
    authTime: 'timestamptz',
    expiresAt: 'timestamptz',
    amr: 'text[]!',
    acr: 'text?',
  },
);

const ofSubjects = statement({
  name: 'sessions.of_subjects',
  reason: 'set',
  text: `SELECT o.* FROM unnest($subjectIds::uuid[]) AS person CROSS JOIN LATERAL (
       SELECT ${summary} FROM auth.sessions s
        WHERE s.tenant = $tenant AND s.subject_id = person AND s.revoked_at IS NULL AND s.expires_at > now()
          AND s.last_seen_at > now() - make_interval(secs => $idleSeconds)
        ORDER BY s.created_at DESC, s.id DESC LIMIT $most) o
      ORDER BY o."createdAt" DESC, o.id DESC`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]', idleSeconds: 'float8', most: 'int8?' },
  columns: summary.columns,
});

/**
 * Returns the active sessions of many users in one statement, newest first. @param most maximum per user; default all
 */
export function listSessions(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
  idleSeconds: number,
  most?: number,
): Promise<SessionSummary[]> {
  return ofSubjects.rows(sql, { tenant, subjectIds, idleSeconds, most });
}

interface Listed {
  tenant: string;
  filter: SessionFilter;
  idleSeconds: number;
}

function sessionConditions({ tenant, filter, idleSeconds }: Listed): Conditions {
  const where = new Conditions('s.tenant = $1', tenant);
  where.state('s.revoked_at IS NULL AND s.expires_at > now()');
  where.add((p) => `s.last_seen_at > now() - make_interval(secs => ${p}::float8)`, idleSeconds);
  where.uuid('s.subject_id', filter.userId);
  where.add((p) => `s.ip_address = ${p}::text`, filter.ipAddress);
  where.add((p) => `s.auth_time >= ${p}::timestamptz`, filter.signedInSince);
  where.add((p) => `s.last_seen_at < ${p}::timestamptz`, filter.lastSeenBefore);
  where.add(
    (p) => `EXISTS (SELECT ${fromGrantsOfSession('s.tenant', 's.id')} AND g.client_id = ${p}::text)`,
    filter.clientId,
  );
  return where;
}

/** Sets every condition. */
const exampleOfAll: Listed = {
  tenant: 'demo',
  filter: {
    userId: uuidv7(),
    ipAddress: '192.0.2.1',
    signedInSince: new Date(),
    lastSeenBefore: new Date(),
    clientId: 'app',
  },
  idleSeconds: 60,
};
const exampleOfNone: Listed = { tenant: 'demo', filter: { userId: 'nobody' }, idleSeconds: 60 };

/** Sessions of a client are those with a grant for it: a semi-join with a table without a Prisma relation. */
const pageOfSessions = composedStatement({
  name: 'sessions.page',
  reason: 'set',
  columns: summary.columns,
  compose: ({ page, ...listed }: Listed & { page: IdPage }) => {
    const where = sessionConditions(listed);
    const { beyond, order } = wayOf(page, { newestFirst: true });
    where.uuid('s.id', page.position, beyond);
    const text = `SELECT ${summary} FROM auth.sessions s WHERE ${where.text} ORDER BY s.id ${order} LIMIT ${Math.trunc(page.limit)}`;
    return { text, values: where.values };
  },
  examples: (): (Listed & { page: IdPage })[] => [
    { ...exampleOfAll, page: { limit: 2, direction: 'forward', position: uuidv7() } },
    { ...exampleOfAll, page: { limit: 2, direction: 'backward', position: uuidv7() } },
    { ...exampleOfNone, page: { limit: 2, direction: 'forward' } },
  ],
});

const countOfSessions = countOf('sessions.count', 'auth.sessions s', sessionConditions, () => [
  exampleOfAll,
  exampleOfNone,
]);

const appsOfSessions = statement({
  name: 'sessions.apps',
  reason: 'set',
  text: `SELECT a.* FROM unnest($sessionIds::uuid[]) AS session CROSS JOIN LATERAL (
       SELECT DISTINCT g.session_id AS "sessionId", g.client_id AS "clientId", c.name
         FROM (SELECT g.* ${fromGrantsOfSession('$tenant', 'session')}) g
         LEFT JOIN ${clientAs('g.tenant', 'g.client_id')}
        ORDER BY 3 NULLS LAST, 2 LIMIT $most) a
      ORDER BY 1, 3 NULLS LAST, 2`,
  parameters: { tenant: 'text', sessionIds: 'uuid[]', most: 'int8' },
  columns: { sessionId: 'uuid!', clientId: 'text', name: 'text?' },
});
