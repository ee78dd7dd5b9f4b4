import { apiTokenMemorySeconds, isTenantId, platformTenant, type Revocation } from '@ostiary/access';
import { type Actor, type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { type HttpPeer, ServiceUnavailable, type Transaction, type Transactions } from '@ostiary/service';
import { LoadingCache, type TenantChanges } from '../../../platform/index.ts';
import type { EventPublisher } from '../../events/domain/event-publisher.ts';
import type { EndedSession } from '../../events/domain/session-ends.ts';
import {
  type NewRevocation,
  type RevocationFeed,
  revocationExpiry,
} from '../../users/domain/revocation-feed.ts';
import type { TenantRecord } from './tenant-record.ts';
import type { DirectoryTenant, TenantRow, TenantStore } from './tenant-store.ts';

export interface TenantChange extends DirectoryTenant {
  version: bigint;
  actor?: Actor;
}

export interface TenantSessionEnds {
  /** @param o up to `limit` sessions with ids after `after`; without them all */
  endSessionsOfTenant(
    tx: Transaction,
    tenant: string,
    o?: { limit?: number; after?: string },
  ): Promise<EndedSession[]>;
}

export interface TenantRegisterOptions {
  database: Transactions;
  directory: HttpPeer;
  /**
   * Revokes grants that the tenant's new policy no longer permits. @returns feed entries to publish after the commit
   */
  endWeakGrants(tx: Transaction, tenant: string, actor: Actor | undefined): Promise<Revocation[]>;
  revocations: RevocationFeed;
  tenantStore: TenantStore;
  sessionEnds: TenantSessionEnds;
  eventPublisher: EventPublisher;
  accessTokenSeconds: number;
  /** Defaults for policies that a tenant has not set. */
  policyDefaults: TenantPolicySettings;
  tenantChanges: TenantChanges;
  clock: () => number;
}

/** Maximum time in milliseconds that this process treats a suspended tenant as active. */
const freshMs = 1_000;

const platform: TenantRecord = {
  id: platformTenant,
  name: 'Ostiary',
  status: 'active',
  policy: tenantPolicyOf({}),
};

/** Maximum number of sessions that one statement ends and publishes. */
const batch = 1_000;

/** Tenants as described by the directory, cached for a short time. */
export class Tenants {
  readonly #o: TenantRegisterOptions;
  readonly #memory: LoadingCache<TenantRecord | null>;

  constructor(options: TenantRegisterOptions) {
    this.#o = options;
    this.#memory = new LoadingCache({
      // With fewer entries, cyclic access to more tenants than the cache holds would reload each of them.
      max: 50_000,
      freshMs,
      changes: {
        heard: options.tenantChanges,
        tenantOf: (id) => id,
        // Only the directory can state that a tenant does not exist, so no notification covers it.
        covers: (tenant) => tenant !== null,
      },
      clock: options.clock,
      load: async (id) => {
        const row = await options.tenantStore.findTenant(options.database.sql, id);
        return row ? this.#recordOf(row) : this.#ask(id);
      },
    });
  }

  /**
   * Returns a tenant; null if it does not exist. Used by every request, so it answers from a cache, then from the
   * projection, then from the directory. `platform` always exists. @throws ServiceUnavailable when none of them can
   * answer
   */
  async find(id: string): Promise<TenantRecord | null> {
    if (id === platformTenant) return platform;
    return isTenantId(id) ? this.#memory.get(id) : null;
  }

  /** Removes a tenant from the cache. */
  forget(tenant: string): void {
    this.#memory.invalidate(tenant);
  }

  /**
   * Applies an event about a tenant in its transaction. The caller publishes the returned revocations after the commit.
   */
  async applyChange(tx: Transaction, change: TenantChange): Promise<Revocation[]> {
    const { tenantStore, policyDefaults } = this.#o;
    const stored = await tenantStore.storeTenant(tx, change, change.version);
    const requires = (settings: TenantPolicySettings): boolean =>
      tenantPolicyOf(settings, policyDefaults).requireSecondFactorForAdministrators;
    const nowRequires =
      stored.stored &&
      change.policy !== undefined &&
      !requires(stored.settingsBefore) &&
      requires(change.policy.settings);
    const weak = nowRequires ? await this.#o.endWeakGrants(tx, change.id, change.actor) : [];
    // Like an offboarding, a suspension revokes everything issued before it, even when the event of a reactivation
    // arrived first.
    if (change.status !== 'suspended' || change.version <= stored.suspendedVersion) return weak;
    await tenantStore.noteSuspended(tx, change.id, change.version);
    if (stored.before === 'suspended') return weak;
    return [...weak, ...(await this.#suspend(tx, change.id, change.actor))];
  }

  /**
   * Revokes everything issued in a tenant through epochs, not through an entry for the tenant: after a reactivation,
   * earlier tokens stay revoked and new ones are valid.
   */
  async #suspend(tx: Transaction, tenant: string, actor: Actor | undefined): Promise<Revocation[]> {
    await this.#endAllSessions(tx, tenant, actor);
    const ended = await this.#o.tenantStore.endEverythingOfTenant(tx, tenant);
    const expiresAt = revocationExpiry(this.#o.accessTokenSeconds);
    const entries: NewRevocation[] = [
      ...ended.clients.map(({ clientId, epoch }) => ({
        tenant,
        kind: 'client' as const,
        key: clientId,
        epoch,
        expiresAt,
      })),
      // These tokens are kept, so the entries only need to outlast cached introspection results.
      ...ended.personalTokens.map((id) => ({
        tenant,
        kind: 'jti' as const,
        key: id,
        expiresAt: revocationExpiry(apiTokenMemorySeconds),
      })),
    ];
    return this.#o.revocations.append(tx, entries, 'tenant suspended');
  }

  /** Ends every session of a tenant; clients and receivers are notified of each. */
  async #endAllSessions(tx: Transaction, tenant: string, actor: Actor | undefined): Promise<void> {
    const { eventPublisher, sessionEnds } = this.#o;
    const reason = 'tenant suspended';
    let after: string | undefined;
    do {
      const ended = await sessionEnds.endSessionsOfTenant(tx, tenant, {
        limit: batch,
        ...(after !== undefined && { after }),
      });
      await eventPublisher.sessionsEnded(tx, tenant, ended, reason, actor);
      after = ended.length === batch ? ended.at(-1)?.id : undefined;
    } while (after !== undefined);
    // Sessions that were created in the meantime, regardless of the order of their ids.
    const late = await sessionEnds.endSessionsOfTenant(tx, tenant);
    await eventPublisher.sessionsEnded(tx, tenant, late, reason, actor);
  }

  #recordOf({ id, name, status, settings }: TenantRow): TenantRecord {
    return { id, name, status, policy: tenantPolicyOf(settings, this.#o.policyDefaults) };
  }

  async #ask(id: string): Promise<TenantRecord | null> {
    const { status, body } = await this.#o.directory.request<DirectoryTenant>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(id)}`,
    });
    if (status === 404) return null;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const tenant: DirectoryTenant = { id, name: body.name, status: body.status, policy: body.policy };
    await this.#o.tenantStore.rememberTenant(this.#o.database.sql, tenant);
    return this.#recordOf({ ...tenant, settings: body.policy?.settings ?? {} });
  }
}
