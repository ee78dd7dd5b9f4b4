import { fragment, type Sql, statement } from '@ostiary/database';
import { liveOutbox } from '@ostiary/events';
import { clientsOfSession } from '../../../access/grants/data/grant-conditions.ts';
import { holdGrant } from '../../../access/grants/data/grants.ts';
import {
  securityEventClause,
  securityEventParameters,
  securityEventValues,
} from '../../../platform/audit/security-log.data.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import { changesBetween, type NewSecurityEvent } from '../../../platform/index.ts';
import { holdingActiveSubject, isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import { lockSubjectForIssuing } from '../../../tenancy/users/data/subjects.ts';
import type {
  ActingSession,
  ActingToken,
  EndedSession,
  LiveSession,
  NewSession,
  SessionLocks,
  SessionStore,
} from '../domain/session-store.ts';
import { endingSessions, joiningNotifiedClients } from './session-conditions.ts';

const signInParameters = {
  tenant: 'text',
  subjectId: 'uuid',
  id: 'uuid',
  digest: 'bytea',
  amr: 'text[]',
  acr: 'text?',
  carriedRoles: 'text[]?',
  userAgent: 'text?',
  ipAddress: 'text?',
  absoluteSeconds: 'float8',
  subjectEpoch: 'int4?',
  ...securityEventParameters,
} as const;

const insert = statement({
  name: 'sessions.start',
  reason: 'atomic',
  text: `WITH subject AS (
       ${holdingActiveSubject}
     ), started AS (
       INSERT INTO auth.sessions
         (tenant, subject_id, id, digest, amr, acr, carried_roles, user_agent, ip_address, auth_time, expires_at)
       SELECT $tenant, $subjectId, $id, $digest, $amr, $acr, $carriedRoles, $userAgent, $ipAddress, now(),
              now() + make_interval(secs => $absoluteSeconds) FROM subject
     ), ${securityEventClause('subject')}
     SELECT epoch FROM subject`,
  parameters: signInParameters,
  columns: { epoch: 'int4' },
});

/**
 * Locks the user's row FOR SHARE while the session is written. Offboarding locks it FOR UPDATE, so it finds this
 * session or is seen here. See `SessionStore.insert`.
 */
export async function insertSession(
  sql: Sql,
  tenant: string,
  session: NewSession,
): Promise<number | undefined> {
  const event = securityEventValues(tenant, signInEvent('session.started', session, session.id));
  const started = await insert.first(sql, { tenant, ...session, ...storable(session), ...event });
  return started?.epoch;
}

const renew = statement({
  name: 'sessions.renew',
  reason: 'atomic',
  text: `WITH subject AS (
       ${holdingActiveSubject}
     ), renewed AS (
       UPDATE auth.sessions SET digest = $digest, amr = $amr, acr = $acr, carried_roles = $carriedRoles,
              user_agent = $userAgent, ip_address = $ipAddress, auth_time = now(), last_seen_at = now(), expires_at = now() + make_interval(secs => $absoluteSeconds)
        WHERE tenant = $tenant AND id = $id AND subject_id = $subjectId AND revoked_at IS NULL AND expires_at > now()
          AND EXISTS (SELECT 1 FROM subject)
        RETURNING id
     ), ${securityEventClause('renewed')}
     SELECT epoch FROM subject WHERE EXISTS (SELECT 1 FROM renewed)`,
  parameters: signInParameters,
  columns: { epoch: 'int4' },
});

export async function renewSession(
  sql: Sql,
  tenant: string,
  session: Omit<NewSession, 'id'>,
  sessionId: string,
): Promise<number | undefined> {
  const event = securityEventValues(tenant, signInEvent('session.renewed', session, sessionId));
  const renewed = await renew.first(sql, {
    tenant,
    ...session,
    ...storable(session),
    id: sessionId,
    ...event,
  });
  return renewed?.epoch;
}

const storable = ({ acr, subjectEpoch, userAgent }: Omit<NewSession, 'id'>) => ({
  acr,
  subjectEpoch,
  userAgent: userAgent?.slice(0, 256),
});

const signInEvent = (
  action: 'session.started' | 'session.renewed',
  { subjectId, amr, acr }: Omit<NewSession, 'id'>,
  sessionId: string,
): NewSecurityEvent => ({
  action,
  resourceType: 'Session',
  resourceId: sessionId,
  subjectId,
  // The user is the actor, also if the request has an access token.
  actor: { kind: 'user', id: subjectId },
  changes: changesBetween(undefined, { amr: [...amr], acr }),
});

const hold = statement({
  name: 'sessions.hold',
  reason: 'atomic',
  text: 'SELECT FROM auth.sessions WHERE tenant = $tenant AND id = $id AND revoked_at IS NULL FOR SHARE',
  parameters: { tenant: 'text', id: 'uuid' },
});

export async function holdSession(tx: Sql, tenant: string, session: ActingSession): Promise<boolean> {
  if ((await lockSubjectForIssuing(tx, tenant, session.subjectId)) !== session.subjectEpoch) return false;
  return (await hold.count(tx, { tenant, id: session.id })) > 0;
}

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

export async function replaceSessionDigest(
  sql: Connection,
  tenant: string,
  id: string,
  digest: Buffer,
): Promise<boolean> {
  const prisma = await sql.prisma();
  const where = { tenant, id, revokedAt: null };
  const { count } = await prisma.session.updateMany({ where, data: { digest: new Uint8Array(digest) } });
  return count > 0;
}

/** Columns of auth.sessions `s` and its user `u`. */
const liveSession = fragment(
  `s.id, s.subject_id AS "subjectId", u.epoch AS "subjectEpoch", u.user_name AS "userName",
   u.profile->>'displayName' AS "displayName", s.auth_time AS "authTime", s.amr, s.acr,
   s.carried_roles AS "carriedRoles", s.last_seen_at AS "lastSeenAt"`,
  {
    id: 'uuid',
    subjectId: 'uuid',
    subjectEpoch: 'int4',
    userName: 'text',
    displayName: 'text?',
    authTime: 'timestamptz',
    amr: 'text[]!',
    acr: 'text?',
    carriedRoles: 'text[]?',
    lastSeenAt: 'timestamptz',
  },
);

const ofLiveSession = `FROM auth.sessions s JOIN ${subjectAs('u', 's.tenant', 's.subject_id')}
      WHERE s.tenant = $tenant AND s.digest = $digest AND s.revoked_at IS NULL AND s.expires_at > now()
        AND s.last_seen_at > now() - make_interval(secs => $idleSeconds) AND ${isActive('u')}`;

/** Read by each page. */
const find = statement({
  name: 'sessions.find',
  reason: 'hot path',
  text: `SELECT ${liveSession} ${ofLiveSession}`,
  parameters: { tenant: 'text', digest: 'bytea', idleSeconds: 'float8' },
  columns: liveSession.columns,
});

/** Read by each sign-in after its session was committed, so that it sees a password that was replaced before. */
const findStarted = statement({
  name: 'sessions.find_started',
  reason: 'hot path',
  text: `SELECT ${liveSession}, (SELECT c.ticket FROM auth.credentials c
              WHERE c.tenant = s.tenant AND c.subject_id = s.subject_id AND c.kind = 'password'
                AND c.activated_at IS NOT NULL AND c.replaced_at IS NULL
              ORDER BY c.created_at DESC, c.ticket DESC LIMIT 1) AS "passwordTicket"
            ${ofLiveSession}`,
  parameters: { tenant: 'text', digest: 'bytea', idleSeconds: 'float8' },
  columns: { ...liveSession.columns, passwordTicket: 'uuid?' },
});

export async function findSession(
  sql: Sql,
  tenant: string,
  digest: Buffer,
  idleSeconds: number,
): Promise<LiveSession | undefined> {
  const row = await find.first(sql, { tenant, digest, idleSeconds });
  return row && { ...row, displayName: row.displayName ?? undefined };
}

export async function findStartedSession(
  sql: Sql,
  tenant: string,
  digest: Buffer,
  idleSeconds: number,
): Promise<{ session: LiveSession; passwordTicket: string | undefined } | undefined> {
  const row = await findStarted.first(sql, { tenant, digest, idleSeconds });
  if (!row) return undefined;
  const { passwordTicket, ...session } = row;
  return {
    session: { ...session, displayName: session.displayName ?? undefined },
    passwordTicket: passwordTicket ?? undefined,
  };
}

const touch = statement({
  name: 'sessions.touch',
  reason: 'hot path',
  text: `UPDATE auth.sessions SET last_seen_at = now()
          WHERE tenant = $tenant AND id = $id AND last_seen_at < now() - interval '1 minute'`,
  parameters: { tenant: 'text', id: 'uuid' },
});

export async function touchSession(sql: Sql, tenant: string, id: string): Promise<void> {
  await touch.run(sql, { tenant, id });
}

/** Selected from `ended`, sessions of the tenant of the parameter. */
const endedSession = fragment(
  `ended.id, ended.subject_id AS "subjectId", ARRAY(
  SELECT c.client_id FROM (${clientsOfSession('ended.id')}) held ${joiningNotifiedClients}
   ORDER BY 1) AS clients`,
  { id: 'uuid', subjectId: 'uuid', clients: 'text[]' },
);

/**
 * Sets the expiry, which retention uses. Of simultaneous calls for one session, only one gets the clients to notify.
 */
const end = statement({
  name: 'sessions.end',
  reason: 'atomic',
  text: `WITH ended AS (
       ${endingSessions('tenant = $tenant AND id = $id')} RETURNING id, subject_id
     )
     SELECT ${endedSession} FROM ended`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: endedSession.columns,
});

export async function endSession(tx: Sql, tenant: string, id: string): Promise<EndedSession | undefined> {
  const ended = await end.rows(tx, { tenant, id });
  await notifySubscribers(tx, tenant, ended);
  return ended[0];
}

const endOfTenant = statement({
  name: 'sessions.end_of_tenant',
  reason: 'set',
  text: `WITH ended AS (
       ${endingSessions(`tenant = $tenant AND id IN (
          SELECT id FROM auth.sessions
           WHERE tenant = $tenant AND revoked_at IS NULL AND ($after::uuid IS NULL OR id > $after::uuid)
           ORDER BY id LIMIT $limit FOR UPDATE)`)}
       RETURNING id, subject_id
     )
     SELECT ${endedSession} FROM ended ORDER BY id`,
  parameters: { tenant: 'text', after: 'uuid?', limit: 'int8?' },
  columns: endedSession.columns,
});

/**
 * Ends sessions of a tenant in the order of their ids.
 * @param o `after`: only greater ids; `limit`: maximum number; default all
 */
export function endSessionsOfTenant(
  tx: Sql,
  tenant: string,
  { after, limit }: { after?: string; limit?: number } = {},
): Promise<EndedSession[]> {
  return endOfTenant.rows(tx, { tenant, after, limit });
}

/** Events for subscribers of the graph. */
export const liveEvents = liveOutbox('auth');

export const notifySubscribers = (
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

export async function sessionOwner(sql: Connection, tenant: string, id: string): Promise<string | undefined> {
  const prisma = await sql.prisma();
  const session = await prisma.session.findUnique({
    where: { tenant_id: { tenant, id }, revokedAt: null },
    select: { subjectId: true },
  });
  return session?.subjectId;
}

/** Deletes sessions one day after their end or expiry. Returns the number of deleted rows. */
export const pruneSessions = pruning('sessions.prune', 'sessions', "expires_at < now() - interval '1 day'");

export const sessionStore: SessionStore = {
  insert: insertSession,
  renew: renewSession,
  find: findSession,
  findStarted: findStartedSession,
  touch: touchSession,
  replaceDigest: replaceSessionDigest,
  end: endSession,
  owner: sessionOwner,
};

export const sessionLocks: SessionLocks = { hold: holdSession, holdActing };
