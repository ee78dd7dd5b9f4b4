import { type Connected, isUniqueViolation, statement, stretchOf } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { Prisma, PrismaClient } from '../database/generated/client.ts';
import { NotUniqueValue } from '../errors/index.ts';
import type { Tenant, TenantFilter, TenantReader, TenantSettings } from './domain/tenant.ts';

const conditions = ({ status, text }: TenantFilter): Prisma.TenantWhereInput => ({
  ...(status && { status }),
  ...(text !== undefined && {
    OR: [
      { id: { contains: literal(text.toLowerCase()) } },
      { name: { contains: literal(text), mode: 'insensitive' } },
    ],
  }),
});

/** Escapes the wildcards of LIKE, which Prisma does not. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The tenants of this installation: the only data outside of a tenant-bound handle. */
export class Tenants implements TenantReader {
  readonly #prisma: PrismaClient;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async find(id: string): Promise<Tenant | undefined> {
    const row = await this.#prisma.tenant.findUnique({ where: { id } });
    return row ? toTenant(row) : undefined;
  }

  /** Returns all tenants, by id. */
  async list(): Promise<Tenant[]> {
    return (await this.#prisma.tenant.findMany({ orderBy: { id: 'asc' } })).map(toTenant);
  }

  /** Returns a page in the order of ids. */
  async page(filter: TenantFilter, page: IdPage): Promise<Tenant[]> {
    const { beyond, ...stretch } = stretchOf(page);
    const where = { AND: [conditions(filter), beyond] };
    return (await this.#prisma.tenant.findMany({ where, ...stretch })).map(toTenant);
  }

  count(filter: TenantFilter): Promise<number> {
    return this.#prisma.tenant.count({ where: conditions(filter) });
  }
}

const lockTenant = statement({
  name: 'tenants.lock',
  reason: 'atomic',
  text: `SELECT id, name, status, deletion_policy AS "deletionPolicy", audit_retention_days AS "auditRetentionDays",
           policy, policy_version AS "policyVersion", policy_updated_at AS "policyUpdatedAt", version,
           created_at AS "createdAt", updated_at AS "updatedAt"
         FROM directory.tenants WHERE id = $id FOR NO KEY UPDATE`,
  parameters: { id: 'text' },
  columns: {
    id: 'text',
    name: 'text',
    status: 'text',
    deletionPolicy: 'text',
    auditRetentionDays: 'int4?',
    policy: 'jsonb',
    policyVersion: 'int8',
    policyUpdatedAt: 'timestamptz?',
    version: 'int8',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
});

/** One tenant's row, inside a transaction. */
export class TenantRow implements TenantSettings {
  readonly #tx: Connected<PrismaClient>;
  readonly #id: string;

  constructor(tx: Connected<PrismaClient>, id: string) {
    this.#tx = tx;
    this.#id = id;
  }

  /** @throws NotUniqueValue when the id is taken */
  async insert(tenant: Tenant): Promise<void> {
    const { id, name, status, version, createdAt, updatedAt } = tenant;
    const prisma = await this.#tx.prisma();
    try {
      await prisma.tenant.createMany({ data: { id, name, status, version, createdAt, updatedAt } });
    } catch (error) {
      if (isUniqueViolation(error, 'tenants_pkey'))
        throw new NotUniqueValue('This tenant id is taken.', 'id');
      throw error;
    }
  }

  /** Locks the row until the transaction ends. */
  async lock(): Promise<Tenant | undefined> {
    const row = await lockTenant.first(this.#tx, { id: this.#id });
    return row && toTenant(row);
  }

  /** Returns the common version of its schemas. */
  async schemasVersion(): Promise<number> {
    const prisma = await this.#tx.prisma();
    const row = await prisma.tenant.findUnique({
      where: { id: this.#id },
      select: { schemasVersion: true },
    });
    return Number(row?.schemasVersion ?? 0);
  }

  /** Returns its own settings. */
  async policySettings(): Promise<TenantPolicySettings> {
    const prisma = await this.#tx.prisma();
    const row = await prisma.tenant.findUnique({ where: { id: this.#id }, select: { policy: true } });
    return (row?.policy ?? {}) as TenantPolicySettings;
  }

  async updatePolicy({ policy, version, updatedAt }: Tenant): Promise<void> {
    const prisma = await this.#tx.prisma();
    await prisma.tenant.updateMany({
      where: { id: this.#id },
      data: {
        policy: policy.settings as Prisma.InputJsonObject,
        policyVersion: policy.version,
        policyUpdatedAt: policy.updatedAt,
        version,
        updatedAt,
      },
    });
  }

  async update(tenant: Tenant): Promise<void> {
    const { name, status, deletionPolicy, auditRetentionDays, version, updatedAt } = tenant;
    const prisma = await this.#tx.prisma();
    await prisma.tenant.updateMany({
      where: { id: this.#id },
      data: { name, status, deletionPolicy, auditRetentionDays, version, updatedAt },
    });
  }
}

const toTenant = (row: {
  id: string;
  name: string;
  status: string;
  deletionPolicy: string;
  auditRetentionDays: number | null;
  policy: unknown;
  policyVersion: bigint | number | string;
  policyUpdatedAt: Date | null;
  version: bigint | number | string;
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
