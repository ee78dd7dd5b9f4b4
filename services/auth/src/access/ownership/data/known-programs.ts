import { type Sql, statement } from '@ostiary/database';

export const ofKnower = { tenant: 'text', knowerId: 'uuid' } as const;

/** Returns a query of the programs whose secret `$knowerId` knows. @param table with its schema */
export const knownIn = (table: string, column: string): string =>
  `SELECT s.${column} FROM ${table} s WHERE s.tenant = $tenant AND s.known_to @> ARRAY[$knowerId::uuid]`;

/** Returns a query of the credentials of a kind that `$knowerId` owns. */
export const ownedOf = (kind: string): string =>
  `SELECT o.credential_id FROM auth.credential_owners o
    WHERE o.tenant = $tenant AND o.kind = '${kind}' AND o.owner_id = $knowerId`;

const holdAccounts = statement({
  name: 'known_secrets.hold_service_accounts',
  reason: 'atomic',
  text: `SELECT a.id FROM auth.service_accounts a
          WHERE a.tenant = $tenant AND a.id IN (
                 ${knownIn('auth.service_account_keys', 'service_account_id')} UNION ${knownIn('auth.api_tokens', 'service_account_id')}
                 UNION SELECT x.id::uuid FROM (${ownedOf('service_account')}) AS x(id))
          ORDER BY a.id FOR NO KEY UPDATE OF a`,
  parameters: ofKnower,
  columns: { id: 'uuid' },
});

/** Locks the service accounts that a user or group owns or knows a secret of, in one order. */
export async function holdKnownAccounts(tx: Sql, tenant: string, knowerId: string): Promise<void> {
  await holdAccounts.rows(tx, { tenant, knowerId });
}

const advanceEpoch = statement({
  name: 'known_secrets.next_service_account_epoch',
  reason: 'atomic',
  text: `UPDATE auth.service_accounts SET epoch = epoch + 1, version = version + 1, updated_at = now()
          WHERE tenant = $tenant AND id = $id RETURNING epoch`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { epoch: 'int4' },
});

export async function nextAccountEpoch(tx: Sql, tenant: string, id: string): Promise<number | undefined> {
  return (await advanceEpoch.first(tx, { tenant, id }))?.epoch;
}
