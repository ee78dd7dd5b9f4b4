import { isUniqueViolation, type Sql } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { Prisma, PrismaClient } from '../../database/data/index.ts';
import { NotUniqueValue } from '../../errors/index.ts';
import type { Tenant, TenantFilter, TenantReader, TenantSettings } from '../domain/tenant.ts';

const conditions = ({ status, text }: TenantFilter): Prisma.TenantWhereInput => ({
  ...(status && { status }),
  ...(text !== undefined && {
    OR: [
      { id: { contains: literal(text.toLowerCase()) } },
      { name: { contains: literal(text), mode: 'insensitive' } },
    ],
  }),
});

/** Prisma leaves the wildcards of LIKE what they are. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The tenants of this installation: the only data that isn't behind a tenant-bound handle. */
export class Tenants implements TenantReader {
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

  /** A stretch of the list, which is in the order of the ids. */
  async page(filter: TenantFilter, { limit, direction, position }: IdPage): Promise<Tenant[]> {
    const isForward = direction === 'forward';
    const rows = await this.#prisma.tenant.findMany({
      where: {
        AND: [
          conditions(filter),
          position === undefined ? {} : { id: isForward ? { gt: position } : { lt: position } },
        ],
      },
      orderBy: { id: isForward ? 'asc' : 'desc' },
      take: limit,
    });
    return rows.map(toTenant);
  }

  count(filter: TenantFilter): Promise<number> {
    return this.#prisma.tenant.count({ where: conditions(filter) });
  }

  /** @throws NotUniqueValue when the id is taken */
  async insert(tx: Sql, tenant: Tenant): Promise<void> {
    try {
      await tx.query(
        `INSERT INTO directory.tenants (id, name, status, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)`,
        [tenant.id, tenant.name, tenant.status, tenant.version, tenant.createdAt, tenant.updatedAt],
      );
    } catch (error) {
      if (isUniqueViolation(error, 'tenants_pkey'))
        throw new NotUniqueValue('This tenant id is taken.', 'id');
      throw error;
    }
  }
}

/** One tenant's row, inside a transaction. */
export class TenantRow implements TenantSettings {
  readonly #tx: Sql;
  readonly #id: string;

  constructor(tx: Sql, id: string) {
    this.#tx = tx;
    this.#id = id;
  }

  /** Holds the row until the transaction ends. */
  async lock(): Promise<Tenant | undefined> {
    const { rows } = await this.#tx.query<Parameters<typeof toTenant>[0]>(
      `SELECT id, name, status, deletion_policy AS "deletionPolicy",
         audit_retention_days AS "auditRetentionDays", policy, policy_version AS "policyVersion",
         policy_updated_at AS "policyUpdatedAt", version, created_at AS "createdAt",
         updated_at AS "updatedAt"
       FROM directory.tenants WHERE id = $1 FOR NO KEY UPDATE`,
      [this.#id],
    );
    return rows[0] && toTenant(rows[0]);
  }

  /** The version of all its schemas together. */
  async schemasVersion(): Promise<number> {
    const { rows } = await this.#tx.query<{ version: string }>(
      'SELECT schemas_version AS version FROM directory.tenants WHERE id = $1',
      [this.#id],
    );
    return Number(rows[0]?.version ?? 0);
  }

  /** What it has set for itself. */
  async policySettings(): Promise<TenantPolicySettings> {
    const { rows } = await this.#tx.query<{ policy: TenantPolicySettings }>(
      'SELECT policy FROM directory.tenants WHERE id = $1',
      [this.#id],
    );
    return rows[0]?.policy ?? {};
  }

  async updatePolicy({ policy, version, updatedAt }: Tenant): Promise<void> {
    await this.#tx.query(
      `UPDATE directory.tenants SET policy = $2, policy_version = $3, policy_updated_at = $4, version = $5, updated_at = $6
        WHERE id = $1`,
      [this.#id, JSON.stringify(policy.settings), policy.version, policy.updatedAt, version, updatedAt],
    );
  }

  async update(tenant: Tenant): Promise<void> {
    const { name, status, deletionPolicy, auditRetentionDays, version, updatedAt } = tenant;
    await this.#tx.query(
      `UPDATE directory.tenants SET name = $2, status = $3, deletion_policy = $4, audit_retention_days = $5, version = $6,
         updated_at = $7 WHERE id = $1`,
      [this.#id, name, status, deletionPolicy, auditRetentionDays, version, updatedAt],
    );
  }
}

const toTenant = (row: {
  id: string;
  name: string;
  status: string;
  deletionPolicy: string;
  auditRetentionDays: number | null;
  policy: unknown;
  policyVersion: bigint | string;
  policyUpdatedAt: Date | null;
  version: bigint | string;
  createdAt: Date;
  updatedAt: Date;
}): Tenant => ({
  id: row.id,
  name: row.name,
  status: row.status === 'suspended' ? 'suspended' : 'active',
  deletionPolicy: row.deletionPolicy === 'soft' ? 'soft' : 'hard',
  auditRetentionDays: row.auditRetentionDays,
  policy: {
    settings: row.policy as TenantPolicySettings,
    version: Number(row.policyVersion),
    updatedAt: row.policyUpdatedAt,
  },
  version: Number(row.version),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
