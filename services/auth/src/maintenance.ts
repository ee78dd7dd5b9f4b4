import type { Sql } from '@ostiary/database';
import { standardTenantPolicy } from '@ostiary/events';
import type { FoundNode } from '@ostiary/graph';
import { isUuid, Reencryption, type ServiceKit } from '@ostiary/service';
import { delegationNode } from './access/grants/data/delegation-maintenance.ts';
import { grantNode, pruneGrants } from './access/grants/data/maintenance.ts';
import { pruneApiTokens } from './access/machines/data/api-tokens.ts';
import { apiTokenNode, serviceAccountNode } from './access/machines/data/maintenance.ts';
import { pruneOwnershipEnds } from './access/ownership/data/connector-owners.ts';
import { pendingOwnership } from './access/ownership/data/maintenance.ts';
import { pendingRoles } from './access/roles/data/maintenance.ts';
import { apiNode } from './clients/apis/data/apis.ts';
import { pruneClientUses } from './clients/data/client-uses.ts';
import {
  clientNode,
  clientSecretColumn,
  initialAccessTokenNode,
  pruneClientSecrets,
  pruneInitialAccessTokens,
} from './clients/data/maintenance.ts';
import { pendingLiveEvents, sessionNode } from './identity/sessions/data/maintenance.ts';
import { pruneSessions } from './identity/sessions/data/sessions.ts';
import { pruneCredentials } from './identity/sign-in/data/credentials.ts';
import { pruneInvitations } from './identity/sign-in/data/invitations.ts';
import { totpColumn } from './identity/sign-in/data/maintenance.ts';
import { pruneSignInCounts, pruneSignInHours } from './identity/sign-in/data/sign-in-counts.ts';
import { pruneSignInAttempts, signInAttemptNode } from './identity/sign-in-log/sign-in-attempts.data.ts';
import { nodesStatement } from './lifecycle/maintenance/data/nodes.ts';
import { pendingWorkStatement } from './lifecycle/maintenance/data/pending-work.ts';
import { type Prune, pruneAll } from './lifecycle/maintenance/data/retention.ts';
import { pruneFeedFollowers } from './oauth/feed/data/feed-followers.ts';
import { trustedIssuerNode } from './oauth/trust/data/trusted-issuers.ts';
import { pruneSecurityLog, securityEventNode } from './platform/audit/security-log.data.ts';
import { pruneIdempotencyKeys } from './platform/database/data/maintenance.ts';
import { pruneGuesses } from './platform/limits/data/guesses.ts';
import { pruneTenantChanges } from './platform/memory/tenant-changes.data.ts';
import { pruneCursors } from './signals/data/cursors.ts';
import {
  deliveryNode,
  pendingDeliveries,
  pruneOutward,
  receiverColumn,
  receiverNode,
} from './signals/data/maintenance.ts';
import {
  keptKeyColumn,
  pruneSigningKeys,
  pruneUsedValues,
  type SealedColumnOf,
  signingKeyColumn,
  signingKeyNode,
} from './tenancy/keys/data/maintenance.ts';
import type { MasterKeys } from './tenancy/keys/domain/keys.ts';
import { pruneRevocations, pruneTokenLifetimes } from './tenancy/users/data/revocations.ts';

const prunings: readonly Prune[] = [
  pruneSessions,
  pruneCredentials,
  pruneInvitations,
  pruneApiTokens,
  pruneRevocations,
  pruneTokenLifetimes,
  pruneTenantChanges,
  pruneCursors,
  pruneGrants,
  pruneUsedValues,
  pruneGuesses,
  pruneClientSecrets,
  pruneInitialAccessTokens,
  pruneSigningKeys,
  pruneIdempotencyKeys,
  pruneFeedFollowers,
  pruneSignInHours,
  pruneClientUses,
];

/**
 * Deletes expired rows of all tables.
 * @param o retention periods: `securityLogSeconds` of the security log; `signInDays` of sign-in attempts in tenants
 * whose policy does not set one; `deliveredSeconds` and `deadSeconds` of deliveries
 * @returns the number of deleted rows
 */
export function pruneExpired(
  sql: Sql,
  {
    securityLogSeconds = 400 * 86_400,
    signInDays = standardTenantPolicy.signInRetentionDays,
    deliveredSeconds = 7 * 86_400,
    deadSeconds = 30 * 86_400,
    signal,
  }: {
    securityLogSeconds?: number;
    signInDays?: number;
    deliveredSeconds?: number;
    deadSeconds?: number;
    signal?: AbortSignal;
  } = {},
): Promise<number> {
  const ofSettings: readonly Prune[] = [
    (tx, limit) => pruneSecurityLog(tx, securityLogSeconds, limit),
    (tx, limit) => pruneSignInAttempts(tx, signInDays, limit),
    (tx, limit) => pruneSignInCounts(tx, securityLogSeconds, limit),
    (tx, limit) => pruneOwnershipEnds(tx, securityLogSeconds, limit),
    (tx, limit) => pruneOutward(tx, { deliveredSeconds, deadSeconds }, limit),
  ];
  return pruneAll(sql, [...prunings, ...ofSettings], signal);
}

const pendingWork = pendingWorkStatement({
  ...pendingDeliveries,
  ...pendingLiveEvents,
  ...pendingRoles,
  ...pendingOwnership,
});

export type PendingWork = keyof typeof pendingWork.columns;

export const lookForWork = (sql: Sql): Promise<Record<PendingWork, boolean> | undefined> =>
  pendingWork.first(sql);

const findNodes = nodesStatement([
  clientNode,
  apiNode,
  signingKeyNode,
  serviceAccountNode,
  sessionNode,
  grantNode,
  delegationNode,
  apiTokenNode,
  trustedIssuerNode,
  initialAccessTokenNode,
  receiverNode,
  deliveryNode,
  signInAttemptNode,
  securityEventNode,
]);

export const nodesOf = (
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  idleSeconds: number,
): Promise<FoundNode[]> => findNodes.rows(sql, { tenant, uuids: ids.filter(isUuid), ids, idleSeconds });

/** All columns with sealed values. A value outside of them is not encrypted again when the key is replaced. */
export const sealedColumns = (...of: Parameters<SealedColumnOf>) => ({
  leading: keptKeyColumn(...of),
  columns: [signingKeyColumn, clientSecretColumn, totpColumn, receiverColumn].map((column) => column(...of)),
});

export const createReencryption = (o: {
  database: Parameters<SealedColumnOf>[0];
  keys: MasterKeys;
  kit: ServiceKit;
}): Reencryption =>
  new Reencryption({ variable: 'ENCRYPTION_KEY', ...sealedColumns(o.database, o.keys), kit: o.kit });
