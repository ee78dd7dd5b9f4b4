import { statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { closedPolicy, type DocumentPolicy } from '../domain/document-policy.ts';

const select = { hosts: true, scopes: true, apiIds: true, version: true } as const;

export async function readPolicy(sql: Connection, tenant: string): Promise<DocumentPolicy> {
  const prisma = await sql.prisma();
  return (await prisma.clientDocumentPolicy.findUnique({ where: { tenant }, select })) ?? closedPolicy;
}

/** Stores a policy. The caller holds the lock of the tenant's policy. */
export async function writePolicy(
  tx: Connection,
  tenant: string,
  { hosts, scopes, apiIds, version }: DocumentPolicy,
): Promise<void> {
  const data = { hosts: [...hosts], scopes: [...scopes], apiIds: [...apiIds], version };
  const prisma = await tx.prisma();
  await prisma.clientDocumentPolicy.upsert({
    where: { tenant },
    create: { tenant, ...data },
    update: { ...data, updatedAt: new Date() },
    select: { version: true },
  });
}

/** Ids of registered clients have no colon. */
export const isOfDocument = "c.client_id LIKE 'https://%'";

/** Locks the clients with a metadata document in one order. */
export const documentClientsOf = statement({
  name: 'document_clients.of_tenant',
  reason: 'atomic',
  text: `SELECT c.client_id AS "clientId" FROM auth.clients c WHERE c.tenant = $tenant AND ${isOfDocument}
          ORDER BY c.client_id FOR UPDATE`,
  parameters: { tenant: 'text' },
  columns: { clientId: 'text' },
});
