import { createHash } from 'node:crypto';
import { type Database, statement } from '@ostiary/database';
import { record } from '../../../platform/audit/security-log.data.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { PrismaClient } from '../../../platform/database/generated/client.ts';
import {
  type ChangeTerms,
  changesBetween,
  LoadingCache,
  requireVersion,
  type TenantChanges,
} from '../../../platform/index.ts';
import type { Branding, BrandingChange, Brandings } from '../domain/branding.ts';
import type { Logo } from '../domain/logo.ts';

const loggedOf = ({ name, colour, logoDigest }: Branding) => ({ name, colour, logoDigest });

const freshMs = 1_000;
const none: Branding = { name: null, colour: null, logoDigest: null, version: 0 };
const columns = { name: true, colour: true, logoDigest: true, version: true } as const;

async function readBranding(sql: Connection, tenant: string): Promise<Branding> {
  const prisma = await sql.prisma();
  return (await prisma.tenantBranding.findUnique({ where: { tenant }, select: columns })) ?? none;
}

/** Reads the previous state for the log and locks it. */
const holdBranding = statement({
  name: 'tenant_branding.hold',
  reason: 'atomic',
  text: `SELECT name, colour, logo_digest AS "logoDigest", version FROM auth.tenant_branding
          WHERE tenant = $tenant FOR UPDATE`,
  parameters: { tenant: 'text' },
  columns: { name: 'text?', colour: 'text?', logoDigest: 'text?', version: 'int4' },
});

export class PostgresBrandings implements Brandings {
  readonly #database: Database<PrismaClient>;
  readonly #memory: LoadingCache<Branding>;

  constructor({
    database,
    tenantChanges,
    clock,
  }: {
    database: Database<PrismaClient>;
    tenantChanges: TenantChanges;
    clock: () => number;
  }) {
    this.#database = database;
    this.#memory = new LoadingCache<Branding>({
      max: 10_000,
      freshMs,
      changes: { heard: tenantChanges, tenantOf: (tenant) => tenant },
      clock,
      load: (tenant) => readBranding(database.sql, tenant),
    });
  }

  find(tenant: string): Promise<Branding> {
    return this.#memory.get(tenant);
  }

  async change(tenant: string, change: BrandingChange, terms: ChangeTerms = {}): Promise<Branding> {
    const changed = await this.#database.transaction(async (tx) => {
      await terms.claim?.(tx, tenant, tenant);
      const before = (await holdBranding.first(tx, { tenant })) ?? none;
      const after = await storeBranding(tx, tenant, change);
      // Compares the version after the change: the first change of a tenant finds no row to lock.
      requireVersion(terms, after.version - 1);
      const changes = changesBetween(loggedOf(before), loggedOf(after));
      if (Object.keys(changes).length > 0) {
        await record(tx, tenant, {
          action: 'tenant.branding_updated',
          resourceType: 'Tenant',
          resourceId: tenant,
          changes,
        });
      }
      return after;
    });
    this.#memory.invalidate(tenant);
    return changed;
  }

  async logo(tenant: string, digest: string): Promise<Logo | undefined> {
    const prisma = await this.#database.sql.prisma();
    const row = await prisma.tenantBranding.findUnique({
      where: { tenant, logoDigest: digest },
      select: { logoType: true, logo: true },
    });
    return row?.logo ? { type: row.logoType as Logo['type'], data: Buffer.from(row.logo) } : undefined;
  }
}

/**
 * Stores the changed fields and returns the new state in one statement, which also serializes concurrent first changes.
 */
async function storeBranding(
  tx: Connection,
  tenant: string,
  { name, colour, logo }: BrandingChange,
): Promise<Branding> {
  const change = {
    ...(name !== undefined && { name }),
    ...(colour !== undefined && { colour }),
    ...(logo !== undefined && {
      logo: logo && new Uint8Array(logo.data),
      logoType: logo?.type ?? null,
      logoDigest: logo && createHash('sha256').update(logo.data).digest('base64url'),
    }),
  };
  const prisma = await tx.prisma();
  return prisma.tenantBranding.upsert({
    where: { tenant },
    create: { tenant, ...change },
    update: { ...change, version: { increment: 1 }, updatedAt: new Date() },
    select: columns,
  });
}
