import { platformTenant } from '@ostiary/access';
import { statement } from '@ostiary/database';
import { type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import type { Connection } from '../../platform/database/data/connection.ts';
import { Prisma } from '../../platform/database/generated/client.ts';
import { LoadingCache, type TenantChanges } from '../../platform/index.ts';
import type { Tenants, WebOrigins } from '../../tenancy/index.ts';
import { activeTenantAs } from '../../tenancy/tenants/data/tenant-conditions.ts';

export interface WebOriginsOptions {
  sql: Connection;
  tenants: Tenants;
  /** Defaults for policies that a tenant has not set. */
  policyDefaults: TenantPolicySettings;
  tenantChanges: TenantChanges;
  clock: () => number;
}

/** Maximum age of cached origins in milliseconds, the same as at the gateway. */
const freshMs = 1_000;

const webAddresses = statement({
  name: 'clients.web_addresses',
  reason: 'set',
  text: `SELECT DISTINCT uri FROM auth.clients, unnest(redirect_uris) AS uri
          WHERE tenant = $tenant AND disabled_at IS NULL AND uri ~* '^https?:'`,
  parameters: { tenant: 'text' },
  columns: { uri: 'text' },
});

const browserApps = statement({
  name: 'clients.browser_apps',
  reason: 'set',
  text: `SELECT DISTINCT c.tenant, uri FROM auth.clients c
           JOIN ${activeTenantAs('c.tenant')}, unnest(c.redirect_uris) AS uri
          WHERE c.tenant <> $platform AND c.type = 'public' AND c.metadata->>'application_type' = 'web'
            AND c.disabled_at IS NULL AND uri ~* '^https?:'
          ORDER BY c.tenant`,
  parameters: { platform: 'text' },
  columns: { tenant: 'text', uri: 'text' },
});

/** Loads all origins of a tenant together, so that requests with unknown origins cost no lookup each. */
export class RegisteredWebOrigins implements WebOrigins {
  readonly #options: WebOriginsOptions;
  readonly #known: LoadingCache<ReadonlySet<string>>;

  constructor(options: WebOriginsOptions) {
    this.#options = options;
    this.#known = new LoadingCache({
      // Size in origins, plus one per tenant.
      max: 100_000,
      sizeOf: (origins) => origins.size + 1,
      freshMs,
      changes: {
        heard: options.tenantChanges,
        tenantOf: (tenant) => tenant,
        // A tenant without origins may not be stored here yet, so no notification covers it.
        covers: (origins) => origins.size > 0,
      },
      clock: options.clock,
      load: (tenant) => this.#of(tenant),
    });
  }

  async isRegistered(tenant: string, origin: string): Promise<boolean> {
    return (await this.#known.get(tenant)).has(origin);
  }

  async registered(): Promise<Record<string, string[]>> {
    const { sql, policyDefaults } = this.#options;
    const prisma = await sql.prisma();
    const ofAll = (policyDefaults.webOrigins ?? []).length > 0;
    const rows = await prisma.tenant.findMany({
      where: {
        status: 'active',
        id: { not: platformTenant },
        ...(!ofAll && { policy: { path: ['webOrigins'], not: Prisma.DbNull } }),
      },
      select: { id: true, policy: true },
      orderBy: { id: 'asc' },
    });
    const origins = new Map<string, Set<string>>();
    const add = (origin: string, tenant: string) =>
      origins.set(origin, (origins.get(origin) ?? new Set()).add(tenant));
    for (const { id, policy } of rows) {
      for (const origin of tenantPolicyOf(policy, policyDefaults).webOrigins) add(origin, id);
    }
    for (const { tenant, uri } of await browserApps.rows(sql, { platform: platformTenant })) {
      if (URL.canParse(uri)) add(new URL(uri).origin, tenant);
    }
    return Object.fromEntries([...origins].map(([origin, of]) => [origin, [...of]]));
  }

  async #of(tenant: string): Promise<ReadonlySet<string>> {
    const { sql, tenants } = this.#options;
    const found = await tenants.find(tenant);
    if (found?.status !== 'active' || tenant === platformTenant) return new Set();
    const rows = await webAddresses.rows(sql, { tenant });
    return new Set([
      ...found.policy.webOrigins,
      ...rows.flatMap(({ uri }) => (URL.canParse(uri) ? [new URL(uri).origin] : [])),
    ]);
  }
}
