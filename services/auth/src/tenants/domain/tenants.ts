import { apiTokenMemorySeconds, isTenantId, platformTenant, type Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { type Actor, type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { tellOfEndedSessions } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import { LoadingCache } from '../../keys/data/loading-cache.ts';
import { endSessionsOfTenant } from '../../sessions/data/sessions.ts';
import { endWeakGrants } from '../../sign-in/index.ts';
import { type NewRevocation, type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
import {
  endEverythingOfTenant,
  findTenant,
  noteSuspended,
  rememberTenant,
  storeTenant,
  type TenantRow,
  type ToldTenant,
} from '../data/tenants.ts';
import type { TenantRecord, Tenants } from './tenant-record.ts';

export interface TenantNews extends ToldTenant {
  version: bigint;
  /** Who changed the tenant. */
  actor?: Actor;
}

export interface TenantRegister extends Tenants {
  /** Takes in an event about a tenant, in its transaction; publish what it returns after the commit. */
  takeNews(tx: Sql, news: TenantNews): Promise<Revocation[]>;
  /** Forgets what is in memory about a tenant. */
  forget(tenant: string): void;
}

export interface TenantRegisterOptions {
  database: Pick<Database<unknown>, 'sql'>;
  directory: HttpPeer;
  grants: Pick<Grants, 'revoke'>;
  revocations: RevocationFeed;
  accessTokenSeconds: number;
  /** What holds in tenants that didn't say otherwise. */
  policyDefaults: TenantPolicySettings;
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

/** Sessions that are ended, and told of, by one statement. */
const batch = 1_000;

/** Ends every session of a tenant; clients and receivers are told of each. */
async function endAllSessions(tx: Sql, tenant: string, actor: Actor | undefined): Promise<void> {
  let after: string | undefined;
  do {
    const ended = await endSessionsOfTenant(tx, tenant, {
      limit: batch,
      ...(after !== undefined && { after }),
    });
    await tellOfEndedSessions(tx, tenant, ended, 'tenant suspended', actor);
    after = ended.length === batch ? ended.at(-1)?.id : undefined;
  } while (after !== undefined);
  // Those that began meanwhile, in whatever order their ids were given.
  await tellOfEndedSessions(tx, tenant, await endSessionsOfTenant(tx, tenant), 'tenant suspended', actor);
}

export function createTenants(o: TenantRegisterOptions): TenantRegister {
  const { sql } = o.database;
  const memory = new LoadingCache<TenantRecord | null>({
    max: 10_000,
    freshMs,
    clock: o.clock,
    load: async (id) => {
      const row = await findTenant(sql, id);
      return row ? recordOf(row) : ask(id);
    },
  });

  const recordOf = ({ id, name, status, settings }: TenantRow): TenantRecord => ({
    id,
    name,
    status,
    policy: tenantPolicyOf(settings, o.policyDefaults),
  });

  async function ask(id: string): Promise<TenantRecord | null> {
    const { status, body } = await o.directory.request<ToldTenant>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(id)}`,
    });
    if (status === 404) return null;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const tenant: ToldTenant = { id, name: body.name, status: body.status, policy: body.policy };
    await rememberTenant(sql, tenant);
    return recordOf({ ...tenant, settings: body.policy?.settings ?? {} });
  }

  return {
    async find(id) {
      if (id === platformTenant) return platform;
      return isTenantId(id) ? memory.get(id) : null;
    },
    async takeNews(tx, news) {
      const { stored, before, settingsBefore, suspendedVersion } = await storeTenant(tx, news, news.version);
      const requires = (settings: TenantPolicySettings): boolean =>
        tenantPolicyOf(settings, o.policyDefaults).requireSecondFactorForAdministrators;
      const nowRequires =
        stored && news.policy !== undefined && !requires(settingsBefore) && requires(news.policy.settings);
      const weak = nowRequires
        ? await endWeakGrants(tx, news.id, { ...o, ...(news.actor && { actor: news.actor }) })
        : [];
      // Like a departure, a suspension closes doors that were open before it, so it has its effect even when the news that the
      // tenant is back came first.
      if (news.status !== 'suspended' || news.version <= suspendedVersion) return weak;
      await noteSuspended(tx, news.id, news.version);
      if (before === 'suspended') return weak;
      // Decided by epochs, not by an entry for the tenant: when it comes back, what was issued before stays dead and
      // what comes after lives.
      await endAllSessions(tx, news.id, news.actor);
      const ended = await endEverythingOfTenant(tx, news.id);
      const expiresAt = revocationExpiry(o.accessTokenSeconds);
      const entries: NewRevocation[] = [
        ...ended.clients.map(({ clientId, epoch }) => ({
          tenant: news.id,
          kind: 'client' as const,
          key: clientId,
          epoch,
          expiresAt,
        })),
        // These live on, so the entries only outlast what verifiers remember of them.
        ...ended.personalTokens.map((id) => ({
          tenant: news.id,
          kind: 'jti' as const,
          key: id,
          expiresAt: revocationExpiry(apiTokenMemorySeconds),
        })),
      ];
      return [...weak, ...(await o.revocations.append(tx, entries, 'tenant suspended'))];
    },
    forget: (tenant) => memory.invalidate(tenant),
  };
}
