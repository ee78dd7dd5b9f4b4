import { statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { closedPolicy, type DocumentPolicy, registrationModes } from '../domain/document-policy.ts';

const select = {
  hosts: true,
  registration: true,
  redirectHosts: true,
  scopes: true,
  apiIds: true,
  version: true,
} as const;

export async function readPolicy(sql: Connection, tenant: string): Promise<DocumentPolicy> {
  const prisma = await sql.prisma();
  const found = await prisma.clientDocumentPolicy.findUnique({ where: { tenant }, select });
  if (!found) return closedPolicy;
  return { ...found, registration: registrationModes.find((mode) => mode === found.registration) ?? 'off' };
}

/** Stores a policy. The caller holds the lock of the tenant's policy. */
export async function writePolicy(
  tx: Connection,
  tenant: string,
  { hosts, redirectHosts, scopes, apiIds, ...policy }: DocumentPolicy,
): Promise<void> {
  const data = {
    ...policy,
    hosts: [...hosts],
    redirectHosts: [...redirectHosts],
    scopes: [...scopes],
    apiIds: [...apiIds],
  };
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

/** Only open registration assigns such ids. */
export const isOpen = "c.client_id ~ '^open-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";

/** Locks the clients that no administrator approved in one order. */
export const unapprovedClientsOf = statement({
  name: 'document_clients.of_tenant',
  reason: 'atomic',
  text: `SELECT c.client_id AS "clientId" FROM auth.clients c WHERE c.tenant = $tenant AND (${isOfDocument} OR ${isOpen})
          ORDER BY c.client_id FOR UPDATE`,
  parameters: { tenant: 'text' },
  columns: { clientId: 'text' },
});
