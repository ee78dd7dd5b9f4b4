import type { Sql } from '@ostiary/database';
import type { PrismaClient } from './generated/client.ts';

export type TenantStatus = 'active' | 'suspended';

/** Whether what is deleted can be restored for a while. */
export type DeletionPolicy = 'hard' | 'soft';

export interface Tenant {
  /** The slug in the issuer's URL. */
  id: string;
  name: string;
  status: TenantStatus;
  deletionPolicy: DeletionPolicy;
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

/** One tenant's row, inside a transaction. */
export class TenantRow {
  readonly #tx: Sql;
  readonly #id: string;

  constructor(tx: Sql, id: string) {
    this.#tx = tx;
    this.#id = id;
  }

  /** Holds the row until the transaction ends. */
  async lock(): Promise<Tenant | undefined> {
    const { rows } = await this.#tx.query<Parameters<typeof toTenant>[0]>(
      `SELECT id, name, status, deletion_policy AS "deletionPolicy", version, created_at AS "createdAt",
         updated_at AS "updatedAt"
       FROM directory.tenants WHERE id = $1 FOR NO KEY UPDATE`,
      [this.#id],
    );
    return rows[0] && toTenant(rows[0]);
  }

  async update({ name, deletionPolicy, version, updatedAt }: Tenant): Promise<void> {
    await this.#tx.query(
      'UPDATE directory.tenants SET name = $2, deletion_policy = $3, version = $4, updated_at = $5 WHERE id = $1',
      [this.#id, name, deletionPolicy, version, updatedAt],
    );
  }
}

const toTenant = (row: {
  id: string;
  name: string;
  status: string;
  deletionPolicy: string;
  version: bigint | string;
  createdAt: Date;
  updatedAt: Date;
}): Tenant => ({
  id: row.id,
  name: row.name,
  status: row.status === 'suspended' ? 'suspended' : 'active',
  deletionPolicy: row.deletionPolicy === 'soft' ? 'soft' : 'hard',
  version: Number(row.version),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
