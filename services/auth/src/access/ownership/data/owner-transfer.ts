import { type Sql, statement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { OwnerTransferStore } from '../domain/held-credential.ts';
import type { OwnedClients } from './owned-clients.ts';

const numbered = { tenant: 'text', id: 'uuid' } as const;

/** Live credentials by kind, locked in the order of an offboarding: after their owners. */
const holding = {
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

/** @see OwnerTransferStore */
export const postgresOwnerTransfers = (clients: OwnedClients): OwnerTransferStore => ({
  async holdCredential(tx: Sql, tenant, kind, id) {
    if (kind === 'client') return clients.holdForTransfer(tx, tenant, id);
    return isUuid(id) ? holding[kind].first(tx, { tenant, id }) : undefined;
  },
  async advanceVersion(tx: Connection, tenant, kind, id) {
    if (kind === 'client') return clients.advanceVersion(tx, tenant, id);
    if (kind !== 'service_account') return;
    const prisma = await tx.prisma();
    const data = { version: { increment: 1 }, updatedAt: new Date() };
    await prisma.serviceAccount.updateMany({ where: { tenant, id }, data });
  },
});
