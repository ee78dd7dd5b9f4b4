import { type Sql, statement } from '@ostiary/database';
import { standardTenantPolicy } from '@ostiary/events';
import { pruneApiTokens } from '../../../access/machines/data/api-tokens.ts';
import { pruneOwnershipEnds } from '../../../access/ownership/data/connector-owners.ts';
import { pruneSessions } from '../../../identity/sessions/data/sessions.ts';
import { pruneCredentials } from '../../../identity/sign-in/data/credentials.ts';
import { pruneInvitations } from '../../../identity/sign-in/data/invitations.ts';
import { pruneSignInCounts } from '../../../identity/sign-in/data/sign-in-counts.ts';
import { pruneSignInAttempts } from '../../../identity/sign-in-log/sign-in-attempts.data.ts';
import { pruneSecurityLog } from '../../../platform/audit/security-log.data.ts';
import { pruneTenantChanges } from '../../../platform/memory/tenant-changes.data.ts';
import { pruneCursors } from '../../../signals/data/cursors.ts';
import { pruneOutward } from '../../../signals/data/upkeep.ts';
import { pruneRevocations, pruneTokenLifetimes } from '../../../tenancy/users/data/revocations.ts';

/** Maximum number of rows per deletion, so that locks are short. */
const batch = 1_000;

type Prune = (sql: Sql, limit: number) => Promise<number>;

/** @param text deletes at most `$limit` rows */
function deletion(table: string, text: string): Prune {
  const deleted = statement({
    name: `upkeep.prune-${table}`,
    reason: 'set',
    text,
    parameters: { limit: 'int8' },
  });
  return (sql, limit) => deleted.count(sql, { limit });
}

const prunings: readonly Prune[] = [
  pruneSessions,
  pruneCredentials,
  pruneInvitations,
  pruneApiTokens,
  pruneRevocations,
  pruneTokenLifetimes,
  pruneTenantChanges,
  pruneCursors,
  // A grant is kept for an hour after its expiry, so that a late replay is detected; its refresh families are deleted
  // with it.
  deletion(
    'grants',
    `DELETE FROM auth.grants WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.grants WHERE expires_at < now() - interval '1 hour' LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
  deletion(
    'used-values',
    `DELETE FROM auth.used_values WHERE (tenant, digest) IN (
     SELECT tenant, digest FROM auth.used_values WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
  deletion(
    'guesses',
    `DELETE FROM auth.guesses WHERE (tenant, account) IN (
     SELECT tenant, account FROM auth.guesses WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
  deletion(
    'client-secrets',
    `DELETE FROM auth.client_secrets WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.client_secrets WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
  // Deletes its owner too.
  deletion(
    'initial-access-tokens',
    `WITH gone AS (
       DELETE FROM auth.initial_access_tokens WHERE (tenant, id) IN (
         SELECT tenant, id FROM auth.initial_access_tokens WHERE expires_at < now() LIMIT $limit FOR UPDATE SKIP LOCKED)
       RETURNING tenant, id
     ), owned AS (
       DELETE FROM auth.credential_owners o USING gone
        WHERE o.tenant = gone.tenant AND o.kind = 'initial_access_token' AND o.credential_id = gone.id::text
     ) SELECT FROM gone`,
  ),
  deletion(
    'signing-keys',
    `DELETE FROM auth.signing_keys WHERE (tenant, kid) IN (
     SELECT tenant, kid FROM auth.signing_keys WHERE state = 'retired' AND retired_at < now() - interval '30 days'
     LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
  deletion(
    'idempotency-keys',
    `DELETE FROM auth.idempotency_keys WHERE (tenant, digest) IN (
     SELECT tenant, digest FROM auth.idempotency_keys WHERE created_at < now() - interval '1 day'
     LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  ),
];

/**
 * Deletes expired rows until none is left, or until it is stopped. Every process may run it concurrently.
 * @param o retention periods: `securityLogSeconds` of the security log; `signInDays` of sign-in attempts in tenants
 * whose policy does not set one; `deliveredSeconds` and `deadSeconds` of deliveries
 * @returns the number of deleted rows
 */
export async function pruneExpired(
  sql: Sql,
  o: {
    securityLogSeconds?: number;
    signInDays?: number;
    deliveredSeconds?: number;
    deadSeconds?: number;
    signal?: AbortSignal;
  } = {},
): Promise<number> {
  const {
    securityLogSeconds = 400 * 86_400,
    signInDays = standardTenantPolicy.signInRetentionDays,
    deliveredSeconds = 7 * 86_400,
    deadSeconds = 30 * 86_400,
    signal,
  } = o;
  let total = 0;
  const ofSettings: readonly Prune[] = [
    (tx, limit) => pruneSecurityLog(tx, securityLogSeconds, limit),
    (tx, limit) => pruneSignInAttempts(tx, signInDays, limit),
    (tx, limit) => pruneSignInCounts(tx, securityLogSeconds, limit),
    (tx, limit) => pruneOwnershipEnds(tx, securityLogSeconds, limit),
    (tx, limit) => pruneOutward(tx, { deliveredSeconds, deadSeconds }, limit),
  ];
  for (const prune of [...prunings, ...ofSettings]) {
    let deleted = batch;
    while (deleted === batch && !signal?.aborted) {
      deleted = await prune(sql, batch);
      total += deleted;
    }
  }
  return total;
}
