import { statement } from '@ostiary/database';
import { fromSubject, isActive } from '../../../tenancy/users/data/subject-conditions.ts';

/**
 * Statements on the credentials of an owner. Each locks and changes in one statement, so that no other change
 * interferes.
 */

const ofOwner = { tenant: 'text', ownerId: 'uuid' } as const;

const ownedBy = (kind: string, id: string): string =>
  `JOIN auth.credential_owners o ON o.tenant = x.tenant AND o.kind = '${kind}' AND o.owner_id = $ownerId AND o.credential_id = ${id}`;

/** Enabled credentials. */
export const liveOf = {
  client: statement({
    name: 'credential_owners.live_clients',
    reason: 'atomic',
    text: `SELECT x.client_id AS id FROM auth.clients x ${ownedBy('client', 'x.client_id')}
            WHERE x.tenant = $tenant AND x.disabled_at IS NULL ORDER BY 1 FOR UPDATE OF x`,
    parameters: ofOwner,
    columns: { id: 'text' },
  }),
  service_account: statement({
    name: 'credential_owners.live_service_accounts',
    reason: 'atomic',
    text: `SELECT x.id::text AS id FROM auth.service_accounts x ${ownedBy('service_account', 'x.id::text')}
            WHERE x.tenant = $tenant AND x.disabled_at IS NULL ORDER BY x.id FOR NO KEY UPDATE OF x`,
    parameters: ofOwner,
    columns: { id: 'text' },
  }),
  api_key: statement({
    name: 'credential_owners.live_api_keys',
    reason: 'atomic',
    text: `SELECT x.id::text AS id FROM auth.api_tokens x ${ownedBy('api_key', 'x.id::text')}
            WHERE x.tenant = $tenant AND x.service_account_id IS NOT NULL AND x.revoked_at IS NULL AND x.expires_at > now()
            ORDER BY x.id FOR UPDATE OF x`,
    parameters: ofOwner,
    columns: { id: 'text' },
  }),
};

const ofClient = 'WHERE w.tenant = x.tenant AND w.client_id = x.client_id';
const ofAccount = 'WHERE w.tenant = x.tenant AND w.service_account_id = x.id';

/** Disabled credentials that can still authenticate. */
export const dormantOf = {
  client: statement({
    name: 'credential_owners.dormant_clients',
    reason: 'atomic',
    text: `SELECT x.client_id AS id FROM auth.clients x ${ownedBy('client', 'x.client_id')}
            WHERE x.tenant = $tenant AND x.disabled_at IS NOT NULL
              AND (EXISTS (SELECT FROM auth.client_secrets w ${ofClient})
                OR EXISTS (SELECT FROM auth.client_registrations w ${ofClient})
                OR x.metadata->'jwks' IS NOT NULL OR x.metadata->'jwks_uri' IS NOT NULL)
            ORDER BY 1 FOR UPDATE OF x`,
    parameters: ofOwner,
    columns: { id: 'text' },
  }),
  service_account: statement({
    name: 'credential_owners.dormant_service_accounts',
    reason: 'atomic',
    text: `SELECT x.id::text AS id FROM auth.service_accounts x ${ownedBy('service_account', 'x.id::text')}
            WHERE x.tenant = $tenant AND x.disabled_at IS NOT NULL
              AND (EXISTS (SELECT FROM auth.service_account_keys w ${ofAccount})
                OR EXISTS (SELECT FROM auth.api_tokens w ${ofAccount} AND w.revoked_at IS NULL))
            ORDER BY x.id FOR NO KEY UPDATE OF x`,
    parameters: ofOwner,
    columns: { id: 'text' },
  }),
};

export const endTokens = statement({
  name: 'credential_owners.end_initial_access_tokens',
  reason: 'atomic',
  text: `WITH owned AS (
           DELETE FROM auth.credential_owners
            WHERE tenant = $tenant AND kind = 'initial_access_token' AND owner_id = $ownerId RETURNING credential_id
         )
         DELETE FROM auth.initial_access_tokens t USING owned
          WHERE t.tenant = $tenant AND t.id::text = owned.credential_id
         RETURNING t.id, t.name, t.uses_left > 0 AND t.expires_at > now() AS live`,
  parameters: ofOwner,
  columns: { id: 'uuid', name: 'text', live: 'bool' },
});

/**
 * Locks the successor, so that a concurrent offboarding of the successor either runs before or finds the transferred
 * credentials.
 */
export const holdSuccessor = statement({
  name: 'credential_owners.hold_successor',
  reason: 'atomic',
  text: `SELECT ${isActive('s')} AS active ${fromSubject('s', '$tenant', '= $id')} FOR NO KEY UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { active: 'bool' },
});

export const disableClient = statement({
  name: 'credential_owners.disable_client',
  reason: 'atomic',
  text: `UPDATE auth.clients SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1, version = version + 1,
                updated_at = now(), metadata = CASE WHEN $forGood THEN metadata - 'jwks' - 'jwks_uri' ELSE metadata END
          WHERE tenant = $tenant AND client_id = $clientId RETURNING epoch`,
  parameters: { tenant: 'text', clientId: 'text', forGood: 'bool' },
  columns: { epoch: 'int4' },
});

export const disableAccount = statement({
  name: 'credential_owners.disable_service_account',
  reason: 'atomic',
  text: `UPDATE auth.service_accounts SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1,
                version = version + 1, updated_at = now()
          WHERE tenant = $tenant AND id = $id RETURNING epoch`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { epoch: 'int4' },
});
