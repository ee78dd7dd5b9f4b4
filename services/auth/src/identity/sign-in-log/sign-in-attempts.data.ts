import { type Sql, statement } from '@ostiary/database';
import {
  type BoundedCount,
  currentRequestId,
  type IdPage,
  isUuid,
  minUuidv7,
  uuidv7,
} from '@ostiary/service';
import type { Connection } from '../../platform/database/data/connection.ts';
import { defined, stretchOf } from '../../platform/database/data/stretch.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { signInRetention } from '../../tenancy/tenants/data/tenant-conditions.ts';
import type {
  AttemptOutcome,
  AttemptReason,
  NewSignInAttempt,
  SignInAttempt,
  SignInAttemptFilter,
  SignInAttemptReader,
  SignInFactor,
} from './domain/sign-in-attempts.ts';

/** Maximum length of a stored user agent, in characters. */
const maxUserAgentLength = 256;
/** Maximum number of attempts that are counted. */
const countedAtMost = 20_000;
/** Maximum difference between the time in an attempt's id and its stated time, in milliseconds. */
const clockSlackMs = 3_600_000;

const insert = statement({
  name: 'sign_in_attempts.insert',
  reason: 'atomic',
  text: `WITH attempt AS (
           INSERT INTO auth.sign_in_attempts
             (tenant, id, outcome, reason, subject_id, client_id, session_id, factors, ip_address, user_agent, request_id)
           VALUES ($tenant, $id, $outcome, $reason, $subjectId, $clientId, $sessionId, $factors, $ipAddress, $userAgent, $requestId)
           RETURNING tenant, id, occurred_at, outcome, reason, subject_id)
         INSERT INTO auth.live_events (id, tenant, type, subject, occurred_at, data)
         SELECT id, tenant, 'sign_in.attempted', id, occurred_at,
                jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'reason', reason, 'userId', subject_id))
           FROM attempt`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    outcome: 'text',
    reason: 'text?',
    subjectId: 'uuid?',
    clientId: 'text?',
    sessionId: 'uuid?',
    factors: 'text[]',
    ipAddress: 'text',
    userAgent: 'text?',
    requestId: 'text?',
  },
});

/** Inserts the attempt and the event for subscribers in one statement. */
export async function insertSignInAttempt(
  sql: Sql,
  tenant: string,
  attempt: NewSignInAttempt,
): Promise<void> {
  await insert.run(sql, {
    reason: undefined,
    subjectId: undefined,
    clientId: undefined,
    sessionId: undefined,
    ...attempt,
    tenant,
    id: uuidv7(),
    userAgent: attempt.userAgent?.replaceAll('\u0000', '').slice(0, maxUserAgentLength),
    requestId: currentRequestId(),
  });
}

const columns = {
  id: true,
  occurredAt: true,
  outcome: true,
  reason: true,
  subjectId: true,
  clientId: true,
  sessionId: true,
  factors: true,
  ipAddress: true,
  userAgent: true,
  requestId: true,
} as const satisfies Prisma.SignInAttemptSelect;

const toAttempt = (row: Prisma.SignInAttemptGetPayload<{ select: typeof columns }>): SignInAttempt => ({
  ...row,
  outcome: row.outcome as AttemptOutcome,
  reason: row.reason as AttemptReason | null,
  factors: row.factors as SignInFactor[],
});

export class PostgresSignInAttempts implements SignInAttemptReader {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  async byIds(tenant: string, ids: readonly string[]): Promise<SignInAttempt[]> {
    const prisma = await this.#sql.prisma();
    const where = { tenant, id: { in: ids.filter(isUuid) } };
    return (await prisma.signInAttempt.findMany({ where, select: columns })).map(toAttempt);
  }

  async page(tenant: string, filter: SignInAttemptFilter, page: IdPage): Promise<SignInAttempt[]> {
    const { beyond, ...stretch } = stretchOf(page, { newestFirst: true });
    const where = conditions(tenant, filter);
    if (where === undefined || (page.position !== undefined && !isUuid(page.position))) return [];
    const prisma = await this.#sql.prisma();
    const rows = await prisma.signInAttempt.findMany({
      where: { AND: [where, beyond] },
      ...stretch,
      select: columns,
    });
    return rows.map(toAttempt);
  }

  async count(tenant: string, filter: SignInAttemptFilter): Promise<BoundedCount> {
    const where = conditions(tenant, filter);
    if (where === undefined) return { total: 0, isExact: true };
    const prisma = await this.#sql.prisma();
    const found = await prisma.signInAttempt.count({
      where,
      orderBy: { id: 'desc' },
      take: countedAtMost + 1,
    });
    return { total: Math.min(found, countedAtMost), isExact: found <= countedAtMost };
  }
}

/** Returns undefined if no attempt can match. */
function conditions(tenant: string, filter: SignInAttemptFilter): Prisma.SignInAttemptWhereInput | undefined {
  const { userId, since, until, ...equal } = filter;
  if (userId !== undefined && !isUuid(userId)) return undefined;
  return {
    ...defined({ ...equal, subjectId: userId }),
    tenant,
    occurredAt: defined({ gte: since, lt: until }),
    // Ids begin with the time, so the primary key bounds the scan.
    id: defined({
      gte: since && minUuidv7(since.getTime() - clockSlackMs),
      lt: until && minUuidv7(until.getTime() + clockSlackMs),
    }),
  };
}

const prune = statement({
  name: 'sign_in_attempts.prune',
  reason: 'set',
  text: `DELETE FROM auth.sign_in_attempts WHERE (tenant, id) IN (
           SELECT a.tenant, a.id FROM auth.sign_in_attempts a LEFT JOIN ${signInRetention} t ON t.id = a.tenant
            WHERE a.occurred_at < now() - interval '1 day'
              AND a.occurred_at < now() - make_interval(days => coalesce(t.days, $defaultDays::int))
            ORDER BY a.occurred_at LIMIT $limit FOR UPDATE OF a SKIP LOCKED)`,
  parameters: { defaultDays: 'int4', limit: 'int8' },
});

/**
 * Deletes attempts older than the retention of their tenant's policy.
 * @param defaultDays retention in days of a tenant without one
 */
export const pruneSignInAttempts = (sql: Sql, defaultDays: number, limit: number): Promise<number> =>
  prune.count(sql, { defaultDays, limit });

export const signInAttemptNode = `SELECT 'SignInAttempt' AS type, id::text AS id, subject_id::text AS "ownerId" FROM auth.sign_in_attempts
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;
