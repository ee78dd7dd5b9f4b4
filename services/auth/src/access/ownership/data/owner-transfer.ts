import { type Sql, statement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { OwnedKind } from '../domain/credential-owner.ts';
import type { HeldCredential, OwnerTransferStore } from '../domain/held-credential.ts';

const credential = { tenant: 'text', id: 'text' } as const;
const numbered = { tenant: 'text', id: 'uuid' } as const;

/** Live credentials by kind, locked in the order of an offboarding: after their owners. */
const holding = {
  client: statement({
    name: 'clients.hold_for_transfer',
    reason: 'atomic',
    text: 'SELECT scopes, version FROM auth.clients WHERE tenant = $tenant AND client_id = $id FOR UPDATE',
    parameters: credential,
    columns: { scopes: 'text[]!', version: 'int4' },
  }),
  service_account: statement({
    name: 'service_accounts.hold_for_transfer',
    reason: 'atomic',
    text: `SELECT scopes, version FROM auth.service_accounts
            WHERE tenant = $tenant AND id = $id FOR NO KEY UPDATE`,
    parameters: numbered,
    columns: { scopes: 'text[]!', version: 'int4' },
  }),
  api_key: statement({
    name: 'api_tokens.hold_for_transfer',
    reason: 'atomic',
    text: `SELECT scopes, NULL::int AS version FROM auth.api_tokens
            WHERE tenant = $tenant AND id = $id AND service_account_id IS NOT NULL AND revoked_at IS NULL
              AND expires_at > now() FOR UPDATE`,
    parameters: numbered,
    columns: { scopes: 'text[]!', version: 'int4?' },
  }),
};

export async function holdCredential(
  tx: Sql,
  tenant: string,
  kind: OwnedKind,
  id: string,
): Promise<HeldCredential | undefined> {
  // The id of a client may be any text, the others are UUIDs.
  if (kind !== 'client' && !isUuid(id)) return undefined;
  return holding[kind].first(tx, { tenant, id });
}

export async function advanceVersion(
  tx: Connection,
  tenant: string,
  kind: OwnedKind,
  id: string,
): Promise<void> {
  const prisma = await tx.prisma();
  const data = { version: { increment: 1 }, updatedAt: new Date() };
  if (kind === 'client') await prisma.client.updateMany({ where: { tenant, clientId: id }, data });
  if (kind === 'service_account') await prisma.serviceAccount.updateMany({ where: { tenant, id }, data });
}

export const postgresOwnerTransfers: OwnerTransferStore = { holdCredential, advanceVersion };
