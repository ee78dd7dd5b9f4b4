import { type Sql, statement } from '@ostiary/database';

const ofKnower = { tenant: 'text', knowerId: 'uuid' } as const;
const known = (table: string, column: string): string =>
  `SELECT s.${column} FROM auth.${table} s WHERE s.tenant = $tenant AND s.known_to @> ARRAY[$knowerId::uuid]`;
const owned = (kind: string): string =>
  `SELECT o.credential_id FROM auth.credential_owners o
    WHERE o.tenant = $tenant AND o.kind = '${kind}' AND o.owner_id = $knowerId`;

/**
 * Locks all clients in one order, before their secrets: two users who are offboarded concurrently may each know a
 * secret of the other's program.
 */
const holdClients = statement({
  name: 'known_secrets.hold_clients',
  reason: 'atomic',
  text: `SELECT c.client_id AS id FROM auth.clients c
          WHERE c.tenant = $tenant AND (c.client_id IN (
                 ${known('client_secrets', 'client_id')} UNION ${known('client_registrations', 'client_id')} UNION ${owned('client')})
             OR c.keys_known_to @> ARRAY[$knowerId::uuid])
          ORDER BY c.client_id FOR UPDATE OF c`,
  parameters: ofKnower,
  columns: { id: 'text' },
});

const holdAccounts = statement({
  name: 'known_secrets.hold_service_accounts',
  reason: 'atomic',
  text: `SELECT a.id FROM auth.service_accounts a
          WHERE a.tenant = $tenant AND a.id IN (
                 ${known('service_account_keys', 'service_account_id')} UNION ${known('api_tokens', 'service_account_id')}
                 UNION SELECT x.id::uuid FROM (${owned('service_account')}) AS x(id))
          ORDER BY a.id FOR NO KEY UPDATE OF a`,
  parameters: ofKnower,
  columns: { id: 'uuid' },
});

export async function holdPrograms(tx: Sql, tenant: string, knowerId: string): Promise<void> {
  await holdClients.rows(tx, { tenant, knowerId });
  await holdAccounts.rows(tx, { tenant, knowerId });
}

/** A grant that a concurrent transaction writes has the previous epoch, so it is invalid. */
const epochs = {
  client: statement({
    name: 'known_secrets.next_client_epoch',
    reason: 'atomic',
    text: `WITH changed AS (
             UPDATE auth.clients SET epoch = epoch + 1, version = version + 1, updated_at = now()
              WHERE tenant = $tenant AND client_id = $id RETURNING epoch
           ), kept AS (
             UPDATE auth.grants g SET client_epoch = changed.epoch FROM changed
              WHERE g.tenant = $tenant AND g.client_id = $id AND g.client_epoch = changed.epoch - 1
                AND g.revoked_at IS NULL AND g.expires_at > now()
           )
           SELECT epoch FROM changed`,
    parameters: { tenant: 'text', id: 'text' },
    columns: { epoch: 'int4' },
  }),
  service_account: statement({
    name: 'known_secrets.next_service_account_epoch',
    reason: 'atomic',
    text: `UPDATE auth.service_accounts SET epoch = epoch + 1, version = version + 1, updated_at = now()
            WHERE tenant = $tenant AND id = $id RETURNING epoch`,
    parameters: { tenant: 'text', id: 'uuid' },
    columns: { epoch: 'int4' },
  }),
};

export async function nextProgramEpoch(
  tx: Sql,
  tenant: string,
  kind: 'client' | 'service_account',
  id: string,
): Promise<number | undefined> {
  return (await epochs[kind].first(tx, { tenant, id }))?.epoch;
}
