import { type Scan, type Sql, sealedColumn, statement } from '@ostiary/database';
import { deletingOwners } from '../../access/ownership/data/credential-owners.ts';
import { keyOfPage, liveInPage, longBefore } from '../../platform/database/data/maintenance.ts';
import { pruning } from '../../platform/database/data/pruning.ts';
import type { SealedColumnOf } from '../../tenancy/keys/data/maintenance.ts';
import { clientSecretContext } from './client-secrets.ts';

const secrets = sealedColumn({
  table: 'auth.client_secrets',
  column: 'sealed',
  optional: true,
  id: keyOfPage,
  place: ['tenant', 'client_id', 'id'],
});

export const clientSecretColumn: SealedColumnOf = (database, keys) => ({
  rows: secrets(database),
  ring: keys.of('client-secret-seal'),
  context: ([tenant = '', clientId = '', id = '']) => clientSecretContext(tenant, clientId, id),
});

export const pruneClientSecrets = pruning(
  'maintenance.prune-client-secrets',
  'client_secrets',
  'expires_at < now()',
);

const pruneTokens = statement({
  name: 'maintenance.prune-initial-access-tokens',
  reason: 'set',
  text: `WITH gone AS (
       DELETE FROM auth.initial_access_tokens WHERE (tenant, id) IN (
         SELECT tenant, id FROM auth.initial_access_tokens WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)
       RETURNING tenant, id
     ), owned AS (${deletingOwners('initial_access_token', 'gone')}) SELECT FROM gone`,
  parameters: { limit: 'int8' },
});

/** Deletes expired initial access tokens with their owners. */
export const pruneInitialAccessTokens = (sql: Sql, limit: number): Promise<number> =>
  pruneTokens.count(sql, { limit });

export const clientNode = `SELECT 'Client' AS type, client_id AS id, NULL AS "ownerId" FROM auth.clients
   WHERE tenant = $tenant AND client_id = ANY($ids::text[])`;

export const initialAccessTokenNode = `SELECT 'InitialAccessToken' AS type, id::text AS id, NULL AS "ownerId"
    FROM auth.initial_access_tokens
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND uses_left > 0 AND expires_at > now()`;

const disabledClient = `JOIN auth.clients c ON c.tenant = page.tenant AND c.client_id = page.client_id AND c.disabled_at IS NOT NULL`;

/** Invariants after the end of a client. */
export const disabledClientScans: readonly Scan[] = [
  {
    name: 'grants of disabled clients',
    says: 'A disabled client has no active grant.',
    table: 'auth.grants',
    key: keyOfPage,
    // A grant of an earlier epoch is invalid, whenever it was written.
    flaws: `SELECT page.tenant, page.id::text AS id, 'grant to ' || page.client_id AS detail FROM page ${disabledClient}
             WHERE ${liveInPage} AND (page.client_epoch >= c.epoch OR ${longBefore('c.disabled_at')})`,
  },
  {
    name: 'personal access tokens of disabled clients',
    says: 'A disabled client has no active personal access token that it created.',
    table: 'auth.api_tokens',
    key: keyOfPage,
    flaws: `SELECT page.tenant, page.id::text AS id, 'personal access token made by ' || page.client_id AS detail
              FROM page ${disabledClient} WHERE ${liveInPage} AND ${longBefore('c.disabled_at')}`,
  },
];
