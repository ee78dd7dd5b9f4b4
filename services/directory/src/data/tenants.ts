import type { Sql } from '@ostiary/database';
import type { PrismaClient } from './generated/client.ts';

export type TenantStatus = 'active' | 'suspended';

export interface Tenant {
  /** The slug in the issuer's URL. */
  id: string;
  name: string;
  status: TenantStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The tenants of this installation: the only data that isn't behind a tenant-bound handle. */
export class Tenants {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async find(id: string): Promise<Tenant | undefined> {
    const row = await this.#prisma.tenant.findUnique({ where: { id } });
    return row ? toTenant(row) : undefined;
  }

  /** All tenants, by id. */
  async list(): Promise<Tenant[]> {
    return (await this.#prisma.tenant.findMany({ orderBy: { id: 'asc' } })).map(toTenant);
  }

  /** @throws a unique violation when the id is taken */
  async insert(tx: Sql, tenant: Tenant): Promise<void> {
    await tx.query(
      `INSERT INTO directory.tenants (id, name, status, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      [tenant.id, tenant.name, tenant.status, tenant.version, tenant.createdAt, tenant.updatedAt],
    );
  }
}

const toTenant = (row: {
  id: string;
  name: string;
  status: string;
  version: bigint;
  createdAt: Date;
  updatedAt: Date;
}): Tenant => ({
  id: row.id,
  name: row.name,
  status: row.status === 'suspended' ? 'suspended' : 'active',
  version: Number(row.version),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
