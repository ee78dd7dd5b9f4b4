import type { Revocation } from '@ostiary/access';
import { type TenantPolicy, type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import { currentActor, type SecurityAction } from '../../../platform/index.ts';
import type { EventPublisher, NewRevocation, OwnedCounts } from '../../../tenancy/index.ts';
import type { Grants } from '../../grants/domain/grant-revocation.ts';
import type { ConnectorOwnerStore } from './connector-owner.ts';
import type { CredentialOwner, CredentialOwnerStore, OwnedKind } from './credential-owner.ts';
import type { KnownSecretPorts } from './end-known-secrets.ts';
import type { ReportedSecret } from './known-secret.ts';
import { endOrHandOverSecrets, type SecretFate } from './known-secret-fate.ts';
import type { OwnerCheckStore } from './owner-checks.ts';
import type { OwnerGoing } from './owner-going.ts';

export interface OwnershipPorts extends KnownSecretPorts {
  grants: Grants;
  /** Defaults for policies that a tenant has not set. */
  policyDefaults: TenantPolicySettings;
  eventPublisher: EventPublisher;
  credentialOwnerStore: CredentialOwnerStore;
  connectorOwners: ConnectorOwnerStore;
  ownerChecks: OwnerCheckStore;
  apiTokenStore: { revokeApiToken(tx: Transaction, tenant: string, id: string): Promise<object | undefined> };
  tenantStore: {
    findTenant(tx: Transaction, id: string): Promise<{ settings: TenantPolicySettings } | undefined>;
  };
}

const millisecondsADay = 86_400_000;
const allKinds: readonly OwnedKind[] = ['client', 'service_account', 'api_key'];

export const noneOwned: OwnedCounts = {
  clients: 0,
  serviceAccounts: 0,
  apiKeys: 0,
  initialAccessTokens: 0,
  knownSecrets: 0,
};

export interface EndedOwnership {
  /** To publish after the commit. */
  revocations: Revocation[];
  counts: OwnedCounts;
  secrets: ReportedSecret[];
}

/**
 * Applies the tenant's policy (`ownedCredentialsOnOffboarding`) to an owner's credentials and to every other secret
 * that the owner knows, in the transaction that ends the owner:
 *
 * - `revoke`: credentials are disabled and their secrets and keys deleted; other known secrets are deleted, or end after the overlap;
 * - `suspend`: credentials are disabled until an administrator enables them (an API key has no such state, and is
 *   revoked); other known secrets are deleted, or end after the overlap;
 * - `handOver`: the successor becomes the owner and is recorded as knowing the secrets. Without a successor credentials
 *   are revoked. A group that does not exist, or in which no active member may manage them, loses them immediately,
 *   which revokes them (`group-owners.ts`).
 *
 * Disabled credentials are not counted, but also lose their secrets. An initial access token and an invitation have no
 * disabled state and no other user needs them, so they end. The overlap is `knownSecretOverlapDays` of the
 * policy, default 0, for secrets of other owners.
 *
 * Provisioning stores connectors and their tokens: their end is recorded for it, with the same policy, and announced in
 * the feed.
 */
export async function endOwned(
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  ports: OwnershipPorts,
): Promise<EndedOwnership> {
  const owns = await ports.credentialOwnerStore.ownsAnything(tx, tenant, going.owner);
  // After the end of this user an owning group may have no active member that can manage its objects.
  if (owns.hasRole || going.lostRole) await noteCheck(ports, tx, tenant, going);
  const endsConnectors = owns.connectors && going.kinds.includes('connector');
  const kinds = allKinds.filter((kind) => owns.here && going.kinds.includes(kind));
  if (kinds.length > 0 || owns.knows) await ports.knownSecrets.holdPrograms(tx, tenant, going.owner.id);
  const tokens = kinds.includes('client') ? await endTokens(ports, tx, tenant, going) : 0;
  const owned = await ports.credentialOwnerStore.liveOwned(tx, tenant, going.owner, kinds);
  const dormant = await ports.credentialOwnerStore.dormantOwned(tx, tenant, going.owner, kinds);
  const counts = {
    clients: owned.client.length,
    serviceAccounts: owned.service_account.length,
    apiKeys: owned.api_key.length,
    initialAccessTokens: tokens,
    knownSecrets: 0,
  };
  const isAny = [owned, dormant].some((some) => Object.values(some).some((ids) => ids.length > 0));
  if (!isAny && !endsConnectors && !owns.knows) return { revocations: [], counts, secrets: [] };
  const { wanted, successor, secretsEndAt } = await fateOf(ports, tx, tenant, going);
  const fate = { to: successor ?? wanted, secretsEndAt };
  const entries = endsConnectors ? await endConnectors(ports, tx, tenant, going, fate) : [];
  if (successor) {
    await giveTo(ports, tx, tenant, going, owned, successor);
    await giveTo(ports, tx, tenant, going, { ...dormant, api_key: [] }, successor);
  } else {
    const forGood = wanted !== 'suspend';
    entries.push(...(await end(tx, tenant, going, owned, { forGood, ports })));
    if (forGood) entries.push(...(await endDormant(ports, tx, tenant, going, dormant)));
  }
  const { secrets, revocations } = owns.knows
    ? await endOrHandOverSecrets(ports, tx, tenant, going, fate)
    : { secrets: [], revocations: [] };
  counts.knownSecrets = secrets.length;
  revocations.push(...(await ports.revocations.append(tx, entries, going.reason)));
  return { revocations, counts, secrets };
}

/** Returns the tenant's policy and the successor, if there is one. */
async function fateOf(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
): Promise<{
  wanted: TenantPolicy['ownedCredentialsOnOffboarding'];
  successor: CredentialOwner | undefined;
  secretsEndAt: Date | undefined;
}> {
  const settings = (await ports.tenantStore.findTenant(tx, tenant))?.settings ?? {};
  const policy = tenantPolicyOf(settings, ports.policyDefaults);
  const { ownedCredentialsOnOffboarding: wanted, handOverCredentialsTo: id } = policy;
  const { knownSecretOverlapDays: days } = policy;
  // An overlap is for the owners' programs after a user has left. Without the right, nothing stays known.
  const secretsEndAt =
    days > 0 && !going.lostRole ? new Date(Date.now() + days * millisecondsADay) : undefined;
  const found =
    wanted === 'handOver' && id !== null
      ? await ports.credentialOwnerStore.successorOf(tx, tenant, id)
      : undefined;
  const successor = found?.id === going.owner.id ? undefined : found;
  // This service stores only the id of a group. Whether it exists and can own is checked after the commit.
  if (successor?.kind === 'group') await noteCheck(ports, tx, tenant, going);
  return { wanted, successor, secretsEndAt };
}

const noteCheck = (
  { ownerChecks }: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  { actor = currentActor(undefined) }: OwnerGoing,
): Promise<void> => ownerChecks.addOwnerCheck(tx, tenant, actor);

async function endConnectors(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  { owner, reason, epoch, expiresAt, actor = currentActor(undefined) }: OwnerGoing,
  { to, secretsEndAt }: SecretFate,
): Promise<NewRevocation[]> {
  const successor = typeof to === 'string' ? null : to;
  const number = await ports.connectorOwners.noteOwnershipEnd(tx, {
    tenant,
    owner,
    epoch,
    reason,
    verdict: successor ? 'handOver' : to === 'suspend' ? 'suspend' : 'revoke',
    tokensEndAt: secretsEndAt?.toISOString() ?? null,
    successor: successor && {
      ...successor,
      named: await ports.connectorOwners.nameConnectorOwner(tx, tenant, successor),
    },
    actor,
  });
  // Keyed by the end's number, so that a second end of the same owner is a new entry.
  return number === undefined ? [] : [{ tenant, kind: 'owner', key: owner.id, epoch: number, expiresAt }];
}

async function giveTo(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  owned: Readonly<Record<OwnedKind, string[]>>,
  successor: CredentialOwner,
): Promise<void> {
  for (const kind of allKinds) {
    await ports.credentialOwnerStore.handOver(tx, tenant, kind, owned[kind], successor);
    for (const id of owned[kind]) {
      await recordEnd(ports, tx, tenant, going, kind, id, {
        owner: { before: going.owner, after: successor },
      });
    }
  }
}

async function end(
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  owned: Record<OwnedKind, string[]>,
  { forGood, ports }: { forGood: boolean; ports: OwnershipPorts },
): Promise<NewRevocation[]> {
  const { expiresAt, reason } = going;
  const entries: NewRevocation[] = [];
  const disabled = { disabled: { before: false, after: true } };
  for (const id of owned.client) {
    const epoch = await ports.credentialOwnerStore.disableOwnedClient(tx, tenant, id, forGood);
    const ended = await ports.grants.revokeByClient(tx, tenant, id);
    if (ended.length > 0) await ports.eventPublisher.clientEnded(tx, tenant, id, reason);
    entries.push({ tenant, kind: 'client', key: id, epoch, expiresAt });
    entries.push(...ended.filter(({ kind }) => kind === 'jti'));
    await recordEnd(ports, tx, tenant, going, 'client', id, disabled);
  }
  // Processes that cache the clients as enabled would otherwise issue tokens for a moment.
  if (owned.client.length > 0) await ports.clientAnnouncements.announceClientsOf(tx, tenant);
  for (const id of owned.service_account) {
    const { epoch, apiKeys } = await ports.credentialOwnerStore.disableOwnedAccount(tx, tenant, id, forGood);
    entries.push({ tenant, kind: 'client', key: id, epoch, expiresAt });
    entries.push(...apiKeys.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })));
    await recordEnd(ports, tx, tenant, going, 'service_account', id, disabled);
  }
  for (const id of owned.api_key) {
    // The end of its service account may have revoked it just now.
    if (!(await ports.apiTokenStore.revokeApiToken(tx, tenant, id))) continue;
    entries.push({ tenant, kind: 'jti', key: id, expiresAt });
    await recordEnd(ports, tx, tenant, going, 'api_key', id, {});
  }
  return entries;
}

/** Deletes the secrets and keys with which disabled credentials could authenticate. */
async function endDormant(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  dormant: { client: string[]; service_account: string[] },
): Promise<NewRevocation[]> {
  const entries: NewRevocation[] = [];
  for (const id of dormant.client) {
    await ports.credentialOwnerStore.disableOwnedClient(tx, tenant, id, true);
    await recordEnd(ports, tx, tenant, going, 'client', id, {});
  }
  for (const id of dormant.service_account) {
    const { apiKeys } = await ports.credentialOwnerStore.disableOwnedAccount(tx, tenant, id, true);
    const { expiresAt } = going;
    entries.push(...apiKeys.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })));
    await recordEnd(ports, tx, tenant, going, 'service_account', id, {});
  }
  return entries;
}

/** @returns the number of revoked tokens */
async function endTokens(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  { owner, reason, actor }: OwnerGoing,
): Promise<number> {
  const ended = await ports.credentialOwnerStore.endInitialAccessTokens(tx, tenant, owner);
  for (const { id, name } of ended) {
    await ports.securityLog.record(tx, tenant, {
      action: 'initial_access_token.revoked',
      resourceType: 'InitialAccessToken',
      resourceId: id,
      ...(actor && { actor }),
      changes: { name: { before: name }, reason: { after: reason }, owner: { before: owner } },
    });
  }
  return ended.length;
}

/** Resource type and actions of each kind in the security log. */
export const entryOf: Readonly<
  Record<
    OwnedKind,
    { type: 'Client' | 'ServiceAccount' | 'ApiKey'; ended: SecurityAction; changed: SecurityAction }
  >
> = {
  client: { type: 'Client', ended: 'client.disabled', changed: 'client.updated' },
  service_account: {
    type: 'ServiceAccount',
    ended: 'service_account.updated',
    changed: 'service_account.updated',
  },
  api_key: { type: 'ApiKey', ended: 'api_key.revoked', changed: 'api_key.handed_over' },
};

function recordEnd(
  ports: OwnershipPorts,
  tx: Transaction,
  tenant: string,
  { owner, reason, actor }: OwnerGoing,
  kind: OwnedKind,
  resourceId: string,
  changes: Record<string, { before?: unknown; after?: unknown }>,
): Promise<void> {
  const { type, ended, changed } = entryOf[kind];
  // A credential that was disabled before is changed, not ended.
  const ends = kind === 'api_key' ? !('owner' in changes) : 'disabled' in changes;
  return ports.securityLog.record(tx, tenant, {
    action: ends ? ended : changed,
    resourceType: type,
    resourceId,
    ...(actor && { actor }),
    changes: {
      ...changes,
      reason: { after: reason },
      ...('owner' in changes ? {} : { owner: { before: owner } }),
    },
  });
}
