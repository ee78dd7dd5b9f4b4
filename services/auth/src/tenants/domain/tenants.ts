import { apiTokenMemorySeconds, isTenantId, platformTenant, type Revocation } from '@ostiary/access';
import { type Actor, type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { type HttpPeer, ServiceUnavailable, type Transaction, type Transactions } from '@ostiary/service';
import type { EndedSession, EventPublisher } from '../../events/index.ts';
import { LoadingCache, type TenantChanges } from '../../memory/index.ts';
import { type NewRevocation, type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
import type { TenantRecord, Tenants } from './tenant-record.ts';
import type { DirectoryTenant, TenantRow, TenantStore } from './tenant-store.ts';

export interface TenantNews extends DirectoryTenant {
  version: bigint;
  /** Who changed the tenant. */
  actor?: Actor;
}

export interface TenantRegister extends Tenants {
  /** Takes in an event about a tenant, in its transaction; publish what it returns after the commit. */
  applyNews(tx: Transaction, news: TenantNews): Promise<Revocation[]>;
  /** Forgets what is in memory about a tenant. */
  forget(tenant: string): void;
}

/** Ends the sessions of a whole tenant. */
export interface TenantSessionEnds {
  /** @param o `limit` of them, those with ids behind `after`; without them all */
  endSessionsOfTenant(
    tx: Transaction,
    tenant: string,
    o?: { limit?: number; after?: string },
  ): Promise<EndedSession[]>;
}

export interface TenantRegisterOptions {
  database: Pick<Transactions, 'sql'>;
  directory: HttpPeer;
  /** Ends grants that the tenant's new policy doesn't allow any more. @returns feed entries to publish after the commit */
  endWeakGrants(tx: Transaction, tenant: string, actor: Actor | undefined): Promise<Revocation[]>;
  revocations: RevocationFeed;
  tenantStore: TenantStore;
  sessionEnds: TenantSessionEnds;
  eventPublisher: Pick<EventPublisher, 'sessionsEnded'>;
  accessTokenSeconds: number;
  /** What holds in tenants that didn't say otherwise. */
  policyDefaults: TenantPolicySettings;
  tenantChanges: TenantChanges;
  clock: () => number;
}

/** How long this process may go on with a tenant that was just suspended, in milliseconds. */
const freshMs = 1_000;

const platform: TenantRecord = {
  id: platformTenant,
  name: 'Ostiary',
  status: 'active',
  policy: tenantPolicyOf({}),
};

/** Sessions that are ended, and published, by one statement. */
const batch = 1_000;

/** Tenants as the directory describes them, remembered for a moment. */
export class DirectoryTenants implements TenantRegister {
  readonly #o: TenantRegisterOptions;
  readonly #memory: LoadingCache<TenantRecord | null>;

  constructor(options: TenantRegisterOptions) {
    this.#o = options;
    this.#memory = new LoadingCache({
      // Asked one after the other, more tenants than there is room for would each be read anew.
      max: 50_000,
      freshMs,
      changes: {
        heard: options.tenantChanges,
        tenantOf: (id) => id,
        // That there is none is the directory's word.
        covers: (tenant) => tenant !== null,
      },
      clock: options.clock,
      load: async (id) => {
        const row = await options.tenantStore.findTenant(options.database.sql, id);
        return row ? this.#recordOf(row) : this.#ask(id);
      },
    });
  }

  async find(id: string): Promise<TenantRecord | null> {
    if (id === platformTenant) return platform;
    return isTenantId(id) ? this.#memory.get(id) : null;
  }

  forget(tenant: string): void {
    this.#memory.invalidate(tenant);
  }

  async applyNews(tx: Transaction, news: TenantNews): Promise<Revocation[]> {
    const { tenantStore, policyDefaults } = this.#o;
    const stored = await tenantStore.storeTenant(tx, news, news.version);
    const requires = (settings: TenantPolicySettings): boolean =>
      tenantPolicyOf(settings, policyDefaults).requireSecondFactorForAdministrators;
    const nowRequires =
      stored.stored &&
      news.policy !== undefined &&
      !requires(stored.settingsBefore) &&
      requires(news.policy.settings);
    const weak = nowRequires ? await this.#o.endWeakGrants(tx, news.id, news.actor) : [];
    // Like a departure, a suspension closes doors that were open before it, so it has its effect even when the news that the
    // tenant is back came first.
    if (news.status !== 'suspended' || news.version <= stored.suspendedVersion) return weak;
    await tenantStore.noteSuspended(tx, news.id, news.version);
    if (stored.before === 'suspended') return weak;
    return [...weak, ...(await this.#suspend(tx, news.id, news.actor))];
  }

  /**
   * Ends what was issued in a tenant. Decided by epochs, not by an entry for the tenant: when it comes back, what was issued before
   * stays dead and what comes after lives.
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
      // These live on, so the entries only outlast what verifiers remember of them.
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
    // Those that began meanwhile, in whatever order their ids were given.
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
