import { type IdPage, type Sql, wayOf } from '@ostiary/database';
import { Conditions, countRows } from '../../database/data/index.ts';
import type { SessionApp, SessionFilter, SessionList, SessionSummary } from '../domain/session-list.ts';

/** @see SessionList */
export class PostgresSessionList implements SessionList {
  readonly #sql: Sql;
  readonly #idleSeconds: number;

  constructor(o: { sql: Sql; idleSeconds: number }) {
    this.#sql = o.sql;
    this.#idleSeconds = o.idleSeconds;
  }

  ofSubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<SessionSummary[]> {
    return listSessions(this.#sql, tenant, subjectIds, this.#idleSeconds, most);
  }

  byIds(tenant: string, ids: readonly string[]): Promise<SessionSummary[]> {
    return sessionsById(this.#sql, tenant, ids, this.#idleSeconds);
  }

  page(tenant: string, filter: SessionFilter, page: IdPage): Promise<SessionSummary[]> {
    return sessionPage(this.#sql, tenant, filter, { ...page, idleSeconds: this.#idleSeconds });
  }

  count(tenant: string, filter: SessionFilter): Promise<number> {
    return countSessions(this.#sql, tenant, filter, this.#idleSeconds);
  }

  apps(tenant: string, sessionIds: readonly string[], most: number): Promise<SessionApp[]> {
    return clientsOfSessions(this.#sql, tenant, sessionIds, most);
  }
}

const summary = `id, subject_id AS "subjectId", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
  user_agent AS "userAgent", ip_address AS "ipAddress", auth_time AS "authTime", expires_at AS "expiresAt", amr, acr`;

/** The live sessions of many people in one statement, newest first. @param most of each person; all without */
export async function listSessions(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
  idleSeconds: number,
  most?: number,
): Promise<SessionSummary[]> {
  const { rows } = await sql.query<SessionSummary>(
    `SELECT s.* FROM unnest($2::uuid[]) AS person CROSS JOIN LATERAL (
       SELECT ${summary} FROM auth.sessions
        WHERE tenant = $1 AND subject_id = person AND revoked_at IS NULL AND expires_at > now()
          AND last_seen_at > now() - make_interval(secs => $3)
        ORDER BY created_at DESC, id DESC LIMIT $4) s
      ORDER BY s."createdAt" DESC, s.id DESC`,
    [tenant, [...subjectIds], idleSeconds, most ?? null],
  );
  return rows;
}

/** The live ones of these sessions. */
export async function sessionsById(
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  idleSeconds: number,
): Promise<SessionSummary[]> {
  const { rows } = await sql.query<SessionSummary>(
    `SELECT ${summary} FROM auth.sessions
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND revoked_at IS NULL AND expires_at > now()
        AND last_seen_at > now() - make_interval(secs => $3)`,
    [tenant, [...ids], idleSeconds],
  );
  return rows;
}

function sessionConditions(tenant: string, filter: SessionFilter, idleSeconds: number): Conditions {
  const where = new Conditions('s.tenant = $1', tenant);
  where.state('s.revoked_at IS NULL AND s.expires_at > now()');
  where.add((p) => `s.last_seen_at > now() - make_interval(secs => ${p}::float8)`, idleSeconds);
  where.uuid('s.subject_id', filter.userId);
  where.add((p) => `s.ip_address = ${p}::text`, filter.ipAddress);
  where.add((p) => `s.auth_time >= ${p}::timestamptz`, filter.signedInSince);
  where.add((p) => `s.last_seen_at < ${p}::timestamptz`, filter.lastSeenBefore);
  where.add(
    (
      p,
    ) => `EXISTS (SELECT FROM auth.grants g WHERE g.tenant = s.tenant AND g.session_id = s.id AND g.client_id = ${p}::text
              AND g.revoked_at IS NULL AND g.expires_at > now())`,
    filter.clientId,
  );
  return where;
}

/** A stretch of a tenant's live sessions, which are newest first. */
async function sessionPage(
  sql: Sql,
  tenant: string,
  filter: SessionFilter,
  page: IdPage & { idleSeconds: number },
): Promise<SessionSummary[]> {
  const where = sessionConditions(tenant, filter, page.idleSeconds);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.uuid('s.id', page.position, beyond);
  const { rows } = await sql.query<SessionSummary>(
    `SELECT s.id, s.subject_id AS "subjectId", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
            s.user_agent AS "userAgent", s.ip_address AS "ipAddress", s.auth_time AS "authTime", s.expires_at AS "expiresAt",
            s.amr, s.acr
       FROM auth.sessions s WHERE ${where.text} ORDER BY s.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

async function countSessions(
  sql: Sql,
  tenant: string,
  filter: SessionFilter,
  idleSeconds: number,
): Promise<number> {
  const where = sessionConditions(tenant, filter, idleSeconds);
  return countRows(sql, `auth.sessions s WHERE ${where.text}`, where.values);
}

/** The apps that hold something granted in these sessions, by session. @param most of each */
async function clientsOfSessions(
  sql: Sql,
  tenant: string,
  sessionIds: readonly string[],
  most: number,
): Promise<{ sessionId: string; clientId: string; name: string | null }[]> {
  const { rows } = await sql.query<{ sessionId: string; clientId: string; name: string | null }>(
    `SELECT a.* FROM unnest($2::uuid[]) AS session CROSS JOIN LATERAL (
       SELECT DISTINCT g.session_id AS "sessionId", g.client_id AS "clientId", c.name
         FROM auth.grants g LEFT JOIN auth.clients c ON c.tenant = g.tenant AND c.client_id = g.client_id
        WHERE g.tenant = $1 AND g.session_id = session AND g.revoked_at IS NULL AND g.expires_at > now()
        ORDER BY 3 NULLS LAST, 2 LIMIT $3) a
      ORDER BY 1, 3 NULLS LAST, 2`,
    [tenant, [...sessionIds], most],
  );
  return rows;
}
