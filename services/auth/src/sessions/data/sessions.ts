import type { Sql } from '@ostiary/database';
import { liveOutbox } from '@ostiary/events';
import { recordClause } from '../../audit/data/index.ts';
import { changesBetween, type NewSecurityEvent } from '../../audit/index.ts';
import { holdGrant } from '../../grants/data/index.ts';
import { lockSubjectForIssuing } from '../../subjects/data/index.ts';
import type {
  ActingSession,
  ActingToken,
  EndedSession,
  LiveSession,
  NewSession,
  SessionLocks,
  SessionStore,
} from '../domain/session-store.ts';

/**
 * Starts a session unless the user may not sign in (any more). The subject row is locked FOR SHARE while the
 * session is written, and a departure takes it FOR UPDATE: so a departure either finds this session or is seen by it.
 * @returns the subject's epoch, or undefined when they are not active, or it is another than the one given
 */
export async function insertSession(
  sql: Sql,
  tenant: string,
  session: NewSession,
): Promise<number | undefined> {
  const event = recordClause(tenant, signInEvent('session.started', session, session.id), {
    firstParameter: 11,
    onlyIf: 'subject',
  });
  const { rows } = await sql.query<{ epoch: number }>(
    `WITH subject AS (
       SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2 AND active AND NOT deleted
         AND epoch = COALESCE($10::int, epoch) FOR SHARE
     ), started AS (
       INSERT INTO auth.sessions
         (tenant, subject_id, id, digest, amr, acr, user_agent, ip_address, auth_time, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, now(), now() + make_interval(secs => $9) FROM subject
     ), ${event.text}
     SELECT epoch FROM subject`,
    [
      tenant,
      session.subjectId,
      session.id,
      session.digest,
      [...session.amr],
      session.acr ?? null,
      session.userAgent?.slice(0, 256) ?? null,
      session.ipAddress ?? null,
      session.absoluteSeconds,
      session.subjectEpoch ?? null,
      ...event.values,
    ],
  );
  return rows[0]?.epoch;
}

/**
 * Signs a user in again within their session: same session id, so that what they use goes on working, but a new
 * cookie and a new sign-in time. Undefined when the session or the user is no longer live.
 */
export async function renewSession(
  sql: Sql,
  tenant: string,
  session: Omit<NewSession, 'id'>,
  sessionId: string,
): Promise<number | undefined> {
  const event = recordClause(tenant, signInEvent('session.renewed', session, sessionId), {
    firstParameter: 11,
    onlyIf: 'renewed',
  });
  const { rows } = await sql.query<{ epoch: number }>(
    `WITH subject AS (
       SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2 AND active AND NOT deleted
         AND epoch = COALESCE($10::int, epoch) FOR SHARE
     ), renewed AS (
       UPDATE auth.sessions SET digest = $4, amr = $5, acr = $6, user_agent = $7, ip_address = $8,
              auth_time = now(), last_seen_at = now(), expires_at = now() + make_interval(secs => $9)
        WHERE tenant = $1 AND id = $3 AND subject_id = $2 AND revoked_at IS NULL AND expires_at > now()
          AND EXISTS (SELECT 1 FROM subject)
        RETURNING id
     ), ${event.text}
     SELECT epoch FROM subject WHERE EXISTS (SELECT 1 FROM renewed)`,
    [
      tenant,
      session.subjectId,
      sessionId,
      session.digest,
      [...session.amr],
      session.acr ?? null,
      session.userAgent?.slice(0, 256) ?? null,
      session.ipAddress ?? null,
      session.absoluteSeconds,
      session.subjectEpoch ?? null,
      ...event.values,
    ],
  );
  return rows[0]?.epoch;
}

const signInEvent = (
  action: 'session.started' | 'session.renewed',
  { subjectId, amr, acr }: Omit<NewSession, 'id'>,
  sessionId: string,
): NewSecurityEvent => ({
  action,
  resourceType: 'Session',
  resourceId: sessionId,
  subjectId,
  // The user who signs in is the actor, also where an access token came with the request.
  actor: { kind: 'user', id: subjectId },
  changes: changesBetween(undefined, { amr: [...amr], acr }),
});

/**
 * Holds a user and the session they act in until the transaction ends, so that nothing ends either meanwhile. False when
 * something did, since the session was read: what they are about to change of their account comes too late.
 */
export async function holdSession(tx: Sql, tenant: string, session: ActingSession): Promise<boolean> {
  if ((await lockSubjectForIssuing(tx, tenant, session.subjectId)) !== session.subjectEpoch) return false;
  const { rowCount } = await tx.query(
    'SELECT 1 FROM auth.sessions WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL FOR SHARE',
    [tenant, session.id],
  );
  return rowCount > 0;
}

/** As `holdSession`, of whatever a user acts with: an access token ends with its user's, its session and its grant. */
export async function holdActing(
  tx: Sql,
  tenant: string,
  acting: ActingSession | ActingToken,
): Promise<boolean> {
  if ('id' in acting) return holdSession(tx, tenant, acting);
  const { subjectId, subjectEpoch, sessionId, grantId } = acting;
  const held =
    sessionId === undefined
      ? (await lockSubjectForIssuing(tx, tenant, subjectId)) === subjectEpoch
      : await holdSession(tx, tenant, { id: sessionId, subjectId, subjectEpoch });
  return held && (grantId === undefined || holdGrant(tx, tenant, grantId));
}

/** Gives a live session another cookie; the one before is worth nothing from then on. */
export async function replaceSessionDigest(
  sql: Sql,
  tenant: string,
  id: string,
  digest: Buffer,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE auth.sessions SET digest = $3 WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL',
    [tenant, id, digest],
  );
  return rowCount > 0;
}

/** The session behind a cookie: not ended, not expired, not idle for too long, and its user still active. */
export async function findSession(
  sql: Sql,
  tenant: string,
  digest: Buffer,
  idleSeconds: number,
): Promise<LiveSession | undefined> {
  const { rows } = await sql.query<LiveSession & { displayName: string | null }>(
    `SELECT s.id, s.subject_id AS "subjectId", u.epoch AS "subjectEpoch", u.user_name AS "userName",
            u.profile->>'displayName' AS "displayName", s.auth_time AS "authTime", s.amr, s.acr,
            s.last_seen_at AS "lastSeenAt"
       FROM auth.sessions s JOIN auth.subjects u ON u.tenant = s.tenant AND u.id = s.subject_id
      WHERE s.tenant = $1 AND s.digest = $2 AND s.revoked_at IS NULL AND s.expires_at > now()
        AND s.last_seen_at > now() - make_interval(secs => $3) AND u.active AND NOT u.deleted`,
    [tenant, digest, idleSeconds],
  );
  const row = rows[0];
  return row && { ...row, displayName: row.displayName ?? undefined };
}

/** Notes that a session was used, at most once a minute: it is a hint, not a record. */
export async function touchSession(sql: Sql, tenant: string, id: string): Promise<void> {
  await sql.query(
    `UPDATE auth.sessions SET last_seen_at = now()
      WHERE tenant = $1 AND id = $2 AND last_seen_at < now() - interval '1 minute'`,
    [tenant, id],
  );
}

/** Of auth.clients `c`: it wants to be notified when a session ends. */
export const wantsLogouts = "c.metadata ? 'backchannel_logout_uri'";

/** Selected from `ended`, sessions of the tenant that is the first parameter. */
const endedSession = `ended.id, ended.subject_id AS "subjectId", ARRAY(
  SELECT c.client_id FROM (
      SELECT client_id FROM auth.session_clients WHERE tenant = $1 AND session_id = ended.id
      UNION
      SELECT client_id FROM auth.grants WHERE session_id = ended.id AND tenant = $1
    ) held JOIN auth.clients c ON c.tenant = $1 AND c.client_id = held.client_id AND ${wantsLogouts}
   ORDER BY 1) AS clients`;

/** Ends one session. Undefined when the tenant has no such live session. */
export async function endSession(tx: Sql, tenant: string, id: string): Promise<EndedSession | undefined> {
  // The expiry is what retention goes by.
  const { rows } = await tx.query<EndedSession>(
    `WITH ended AS (
       UPDATE auth.sessions SET revoked_at = now(), expires_at = LEAST(expires_at, now())
        WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL RETURNING id, subject_id
     )
     SELECT ${endedSession} FROM ended`,
    [tenant, id],
  );
  await tellSubscribers(tx, tenant, rows);
  return rows[0];
}

/**
 * Ends sessions of a whole tenant, in the order of their ids.
 * @param o those after an id, and how many at most; without, all there are
 */
export async function endSessionsOfTenant(
  tx: Sql,
  tenant: string,
  o: { after?: string; limit?: number } = {},
): Promise<EndedSession[]> {
  const { rows } = await tx.query<EndedSession>(
    `WITH ended AS (
       UPDATE auth.sessions SET revoked_at = now(), expires_at = LEAST(expires_at, now())
        WHERE tenant = $1 AND id IN (
          SELECT id FROM auth.sessions
           WHERE tenant = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id > $2::uuid)
           ORDER BY id LIMIT $3 FOR UPDATE)
       RETURNING id, subject_id
     )
     SELECT ${endedSession} FROM ended ORDER BY id`,
    [tenant, o.after ?? null, o.limit ?? null],
  );
  return rows;
}

/** What this service publishes to the graph's subscribers. */
export const liveEvents = liveOutbox('auth');

export const tellSubscribers = (
  tx: Sql,
  tenant: string,
  sessions: readonly Pick<EndedSession, 'id' | 'subjectId'>[],
): Promise<void> =>
  liveEvents.append(
    tx,
    sessions.map(({ id, subjectId }) => ({
      tenant,
      type: 'session.revoked',
      subject: subjectId,
      data: { sessionId: id },
    })),
  );

/** Whose live session this is. */
export async function sessionOwner(sql: Sql, tenant: string, id: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ subjectId: string }>(
    `SELECT subject_id AS "subjectId" FROM auth.sessions WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL`,
    [tenant, id],
  );
  return rows[0]?.subjectId;
}

/** Deletes sessions that ended or expired more than a day ago; returns how many. */
export async function pruneSessions(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.sessions WHERE (tenant, id) IN (
       SELECT tenant, id FROM auth.sessions
        WHERE expires_at < now() - interval '1 day'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

export const sessionStore: SessionStore = {
  insert: insertSession,
  renew: renewSession,
  find: findSession,
  touch: touchSession,
  replaceDigest: replaceSessionDigest,
  end: endSession,
  owner: sessionOwner,
};

export const sessionLocks: SessionLocks = { hold: holdSession, holdActing };
