import { type Sql, statement } from '@ostiary/database';
import { allowedByUser } from '../../access/grants/data/consents.ts';
import { clientAs, clientExists } from '../../clients/data/client-conditions.ts';
import type { Connection } from '../../platform/database/data/connection.ts';
import { perhapsLive } from '../../platform/database/data/perhaps-live.ts';
import { countingWithdrawal } from '../../tenancy/users/data/subject-conditions.ts';
import type { AllowedApp, AllowedApps } from './account.ts';

/** Maximum number of apps on the page. */
const maxApps = 200;

/** Grouped by app, from consents, grants and delegations. */
const list = statement({
  name: 'account.allowed_apps',
  reason: 'set',
  text: `SELECT a.client_id AS "clientId", c.name, min(a.since) AS since, bool_or(a.agent) AS agent,
            array(SELECT DISTINCT unnest(string_to_array(string_agg(array_to_string(a.scopes, ' '), ' '), ' ')) ORDER BY 1) AS scopes
       FROM (${allowedByUser}) a
       LEFT JOIN ${clientAs('$tenant', 'a.client_id')} AND c.disabled_at IS NULL
      GROUP BY a.client_id, c.name ORDER BY c.name NULLS LAST, a.client_id LIMIT ${maxApps}`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { clientId: 'text', name: 'text?', since: 'timestamptz', agent: 'bool', scopes: 'text[]' },
});

export function listAllowedApps(sql: Sql, tenant: string, subjectId: string): Promise<AllowedApp[]> {
  return list.rows(sql, { tenant, subjectId });
}

export async function withdrawConsent(
  tx: Connection,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<boolean> {
  const prisma = await tx.prisma();
  const where = { tenant, subjectId, clientId, revokedAt: null };
  return (await prisma.consent.updateMany({ where, data: { revokedAt: new Date() } })).count > 0;
}

/**
 * Returns the ids of a user's sessions that were not ended, except the one to keep. Includes expired ones, because a
 * grant of theirs may still wait for its redemption.
 */
export async function otherSessions(
  tx: Connection,
  tenant: string,
  subjectId: string,
  keep: string | undefined,
): Promise<string[]> {
  const prisma = await tx.prisma();
  const rows = await prisma.session.findMany({
    where: { tenant, subjectId, revokedAt: null, ...(keep !== undefined && { id: { not: keep } }) },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/**
 * Returns a user's active grants, except those of the session to keep. A grant keeps the id of an expired and deleted
 * session, because refresh tokens outlive it.
 */
export async function otherGrants(
  tx: Connection,
  tenant: string,
  subjectId: string,
  keep: string | undefined,
): Promise<{ id: string; subjectId: string; clientId: string }[]> {
  const prisma = await tx.prisma();
  return prisma.grant.findMany({
    where: {
      tenant,
      subjectId,
      ...perhapsLive(),
      ...(keep !== undefined && { OR: [{ sessionId: null }, { sessionId: { not: keep } }] }),
    },
    select: { id: true, subjectId: true, clientId: true },
  });
}

export async function strengthenSession(
  sql: Connection,
  tenant: string,
  sessionId: string,
  { amr, acr }: { amr: readonly string[]; acr: string },
): Promise<void> {
  const prisma = await sql.prisma();
  const where = { tenant, id: sessionId, revokedAt: null };
  await prisma.session.updateMany({ where, data: { amr: [...amr], acr } });
}

const addWithdrawal = statement({
  name: 'subjects.count-withdrawal',
  reason: 'atomic',
  text: `${countingWithdrawal} AND ${clientExists('$clientId')}`,
  parameters: { tenant: 'text', id: 'uuid', clientId: 'text' },
});

export const countWithdrawal = (tx: Sql, tenant: string, id: string, clientId: string): Promise<number> =>
  addWithdrawal.count(tx, { tenant, id, clientId });

export const allowedApps: AllowedApps = { list: listAllowedApps, countWithdrawal, withdraw: withdrawConsent };
