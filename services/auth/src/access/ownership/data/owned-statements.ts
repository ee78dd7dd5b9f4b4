import { statement } from '@ostiary/database';
import { fromSubject, isActive } from '../../../tenancy/users/data/subject-conditions.ts';

/**
 * Statements on the credentials of an owner. Each locks and changes in one statement, so that no other change
 * interferes.
 */

export const ofOwner = { tenant: 'text', ownerId: 'uuid' } as const;

/** Joins the owner `$ownerId` of credentials `x`. @param id expression of the credential's id */
export const ownedBy = (kind: string, id: string): string =>
  `JOIN auth.credential_owners o ON o.tenant = x.tenant AND o.kind = '${kind}' AND o.owner_id = $ownerId AND o.credential_id = ${id}`;

/** Enabled service accounts. */
export const liveAccounts = statement({
  name: 'credential_owners.live_service_accounts',
  reason: 'atomic',
  text: `SELECT x.id::text AS id FROM auth.service_accounts x ${ownedBy('service_account', 'x.id::text')}
          WHERE x.tenant = $tenant AND x.disabled_at IS NULL ORDER BY x.id FOR NO KEY UPDATE OF x`,
  parameters: ofOwner,
  columns: { id: 'text' },
});

/** Live API keys. */
export const liveApiKeys = statement({
  name: 'credential_owners.live_api_keys',
  reason: 'atomic',
  text: `SELECT x.id::text AS id FROM auth.api_tokens x ${ownedBy('api_key', 'x.id::text')}
          WHERE x.tenant = $tenant AND x.service_account_id IS NOT NULL AND x.revoked_at IS NULL AND x.expires_at > now()
          ORDER BY x.id FOR UPDATE OF x`,
  parameters: ofOwner,
  columns: { id: 'text' },
});

const ofAccount = 'WHERE w.tenant = x.tenant AND w.service_account_id = x.id';

/** Disabled service accounts that can still authenticate. */
export const dormantAccounts = statement({
  name: 'credential_owners.dormant_service_accounts',
  reason: 'atomic',
  text: `SELECT x.id::text AS id FROM auth.service_accounts x ${ownedBy('service_account', 'x.id::text')}
          WHERE x.tenant = $tenant AND x.disabled_at IS NOT NULL
            AND (EXISTS (SELECT FROM auth.service_account_keys w ${ofAccount})
              OR EXISTS (SELECT FROM auth.api_tokens w ${ofAccount} AND w.revoked_at IS NULL))
          ORDER BY x.id FOR NO KEY UPDATE OF x`,
  parameters: ofOwner,
  columns: { id: 'text' },
});

/** Deletes the owner `$ownerId` of credentials of a kind. */
export const endingOwners = (kind: string): string =>
  `DELETE FROM auth.credential_owners
            WHERE tenant = $tenant AND kind = '${kind}' AND owner_id = $ownerId RETURNING credential_id`;

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

export const disableAccount = statement({
  name: 'credential_owners.disable_service_account',
  reason: 'atomic',
  text: `UPDATE auth.service_accounts SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1,
                version = version + 1, updated_at = now()
          WHERE tenant = $tenant AND id = $id RETURNING epoch`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { epoch: 'int4' },
});
