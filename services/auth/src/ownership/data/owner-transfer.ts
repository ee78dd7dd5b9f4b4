import type { Sql } from '@ostiary/database';
import type { OwnedKind } from '../domain/credential-owner.ts';
import type { HeldCredential, OwnerTransferStore } from '../domain/held-credential.ts';

/** Live things of each kind, locked in the order in which a departure locks them: after whoever owns them. */
const holding: Readonly<Record<OwnedKind, string>> = {
  client: `SELECT scopes, version FROM auth.clients WHERE tenant = $1 AND client_id = $2 FOR UPDATE`,
  service_account: `SELECT scopes, version FROM auth.service_accounts
    WHERE tenant = $1 AND id::text = $2 FOR NO KEY UPDATE`,
  api_key: `SELECT scopes, NULL::int AS version FROM auth.api_tokens
    WHERE tenant = $1 AND id::text = $2 AND service_account_id IS NOT NULL AND revoked_at IS NULL AND expires_at > now()
      FOR UPDATE`,
};

export async function holdCredential(
  tx: Sql,
  tenant: string,
  kind: OwnedKind,
  id: string,
): Promise<HeldCredential | undefined> {
  return (await tx.query<HeldCredential>(holding[kind], [tenant, id])).rows[0];
}

const versions: Readonly<Record<OwnedKind, string | undefined>> = {
  client: 'auth.clients SET version = version + 1, updated_at = now() WHERE tenant = $1 AND client_id = $2',
  service_account:
    'auth.service_accounts SET version = version + 1, updated_at = now() WHERE tenant = $1 AND id::text = $2',
  api_key: undefined,
};

export async function advanceVersion(tx: Sql, tenant: string, kind: OwnedKind, id: string): Promise<void> {
  const statement = versions[kind];
  if (statement !== undefined) await tx.query(`UPDATE ${statement}`, [tenant, id]);
}

export const postgresOwnerTransfers: OwnerTransferStore = { holdCredential, advanceVersion };
