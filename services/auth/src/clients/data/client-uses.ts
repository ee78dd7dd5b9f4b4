import { type Sql, statement } from '@ostiary/database';
import type { Connection } from '../../platform/database/data/connection.ts';
import { pruning } from '../../platform/database/data/pruning.ts';
import type { ClientUse } from '../domain/client.ts';

const touch = statement({
  name: 'client_uses.touch',
  reason: 'set',
  text: `INSERT INTO auth.client_uses AS s (tenant, client_id, last_used_at)
     SELECT c.tenant, c.client_id, u.at FROM unnest($tenants::text[], $ids::text[], $instants::timestamptz[]) AS u(tenant, id, at)
       JOIN auth.clients c ON c.tenant = u.tenant AND c.client_id = u.id
      ORDER BY c.tenant, c.client_id
     ON CONFLICT (tenant, client_id) DO UPDATE SET last_used_at = excluded.last_used_at
      WHERE s.last_used_at < excluded.last_used_at`,
  parameters: { tenants: 'text[]', ids: 'text[]', instants: 'timestamptz[]' },
});

/** Stores last uses. An earlier one than the stored one, or one of a client that no longer exists, has no effect. */
export async function touchClients(
  sql: Sql,
  used: readonly { tenant: string; id: string; at: Date }[],
): Promise<void> {
  await touch.run(sql, {
    tenants: used.map(({ tenant }) => tenant),
    ids: used.map(({ id }) => id),
    instants: used.map(({ at }) => at),
  });
}

/** Returns the last uses of these clients. */
export async function lastUsesOf(
  sql: Connection,
  tenant: string,
  clientIds: readonly string[],
): Promise<ClientUse[]> {
  const prisma = await sql.prisma();
  return prisma.clientUse.findMany({
    where: { tenant, clientId: { in: [...clientIds] } },
    select: { clientId: true, lastUsedAt: true },
  });
}

/** Deletes the last uses of clients that no longer exist. */
export const pruneClientUses = pruning(
  'maintenance.prune-client-uses',
  'client_uses',
  'NOT EXISTS (SELECT FROM auth.clients c WHERE c.tenant = client_uses.tenant AND c.client_id = client_uses.client_id)',
  'tenant, client_id',
);
