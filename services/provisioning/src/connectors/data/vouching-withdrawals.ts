import { statement } from '@ostiary/database';
import type { Connection } from '../../database/data/database.ts';
import type { VouchingWithdrawal, VouchingWithdrawals } from '../domain/vouching.ts';

/** Longer than the maximum duration of a SCIM request, including a Bulk. */
const settled = '2 minutes';

/** `recent` is computed by the clock that also set the time. */
const openWithdrawals = statement({
  name: 'connectors.openVouchingWithdrawals',
  reason: 'set',
  text: `SELECT tenant, id AS "connectorId", vouching_ended_at AS "endedAt",
                vouching_ended_at > now() - interval '${settled}' AS recent
           FROM provisioning.connectors WHERE vouching_ended_at IS NOT NULL ORDER BY vouching_ended_at LIMIT 100`,
  columns: { tenant: 'text', connectorId: 'uuid', endedAt: 'timestamptz!', recent: 'bool' },
});

const open = (sql: Connection): Promise<VouchingWithdrawal[]> => openWithdrawals.rows(sql);

async function isWithdrawn(sql: Connection, { tenant, connectorId }: VouchingWithdrawal): Promise<boolean> {
  const prisma = await sql.prisma();
  const connector = await prisma.connector.findUnique({
    where: { tenant_id: { tenant, id: connectorId } },
    select: { vouchingEndedAt: true },
  });
  return connector !== null && connector.vouchingEndedAt !== null;
}

async function close(sql: Connection, { tenant, connectorId, endedAt }: VouchingWithdrawal): Promise<void> {
  const prisma = await sql.prisma();
  await prisma.connector.updateMany({
    where: { tenant, id: connectorId, vouchingEndedAt: endedAt },
    data: { vouchingEndedAt: null },
  });
}

export const vouchingWithdrawals: VouchingWithdrawals = { open, isWithdrawn, close };
