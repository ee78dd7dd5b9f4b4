import { type Connected, type Database, notify, statement } from '@ostiary/database';
import type { AttributeDefinition } from '@ostiary/scim';
import { uuidv7 } from '@ostiary/service';
import { AuditLog } from '../../audit/data/audit-log.ts';
import type { NewAuditEntry } from '../../audit/index.ts';
import type { Prisma, PrismaClient } from '../../database/generated/client.ts';
import type { SchemaChange, SchemaStore } from '../domain/ports.ts';
import type { ResourceType, StoredSchema, StoredSchemas } from '../domain/stored-schema.ts';
import { ofEachType } from './of-each-type.ts';

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

/** The channel of NOTIFY; the payload is the tenant. */
const channel = 'directory_schemas';

const inOrder = [{ createdAt: 'asc' }, { urnKey: 'asc' }] as const;

/** Prevents changes to the tenant's schemas by other transactions until this one ends. */
const lockSchemas = statement({
  name: 'schemas.lock',
  reason: 'atomic',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('directory.schemas:' || $tenant, 0))`,
  parameters: { tenant: 'text' },
  columns: { pg_advisory_xact_lock: 'void' },
});

const forgetValues = statement({
  name: 'schemas.forget values of deleted resources',
  reason: 'set',
  text: `UPDATE directory.deleted_resources SET data = data #- $path::text[]
          WHERE tenant = $tenant AND resource_type = $type`,
  parameters: { path: 'text[]', tenant: 'text', type: 'text' },
});

const someLackExtension = ofEachType((type) =>
  statement({
    name: `schemas.some lack extension ${type}`,
    reason: 'set',
    text: `SELECT 1 AS one FROM ${tables[type]} WHERE tenant = $tenant AND NOT data ? $urn LIMIT 1`,
    parameters: { tenant: 'text', urn: 'text' },
    columns: { one: 'int4' },
  }),
);

const someLackAttribute = ofEachType((type) =>
  statement({
    name: `schemas.some lack attribute ${type}`,
    reason: 'set',
    text: `SELECT 1 AS one FROM ${tables[type]}
            WHERE tenant = $tenant AND data ? $urn AND NOT data -> $urn ? $attribute LIMIT 1`,
    parameters: { tenant: 'text', urn: 'text', attribute: 'text' },
    columns: { one: 'int4' },
  }),
);

/** The extension schemas of all tenants. */
export class PostgresSchemaStore implements SchemaStore {
  readonly #database: Database<PrismaClient>;

  constructor(database: Database<PrismaClient>) {
    this.#database = database;
  }

  /** Returns only the version, which is cheap; undefined when there is no such tenant. */
  async version(tenant: string): Promise<number | undefined> {
    const row = await this.#database.prisma.tenant.findUnique({
      where: { id: tenant },
      select: { schemasVersion: true },
    });
    return row ? Number(row.schemasVersion) : undefined;
  }

  /**
   * Returns the version and the schemas. After a change between the two reads, the version is the older one: a write
   * under it is rejected, and reads them again.
   */
  async read(tenant: string): Promise<StoredSchemas> {
    const version = (await this.version(tenant)) ?? 0;
    if (version === 0) return { version, schemas: [] };
    const rows = await this.#database.prisma.tenantSchema.findMany({
      where: { tenant },
      orderBy: [...inOrder],
    });
    return { version, schemas: rows.map(toSchema) };
  }

  /**
   * Runs a change of a tenant's schemas exclusively: until the commit, no other transaction changes them or writes a
   * resource. Every listening process is notified.
   */
  change<T>(tenant: string, work: (tables: SchemaChange) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (tx) => {
      await lockSchemas.run(tx, { tenant });
      const result = await work(new PostgresSchemaChange(tx, tenant));
      const prisma = await tx.prisma();
      await prisma.tenant.updateMany({
        where: { id: tenant },
        data: { schemasVersion: { increment: 1 } },
      });
      await notify(tx, channel, tenant);
      return result;
    });
  }

  /** Calls back with the tenant whose schemas changed; without one when any may have. */
  onChange(changed: (tenant: string | undefined) => void): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (payload) => changed(payload === '' ? undefined : payload));
  }
}

/** One tenant's schemas inside a change. */
class PostgresSchemaChange implements SchemaChange {
  readonly #tx: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(tx: Connected<PrismaClient>, tenant: string) {
    this.#tx = tx;
    this.#tenant = tenant;
  }

  /** Returns the schemas in the order of their definition. */
  async all(): Promise<StoredSchema[]> {
    const prisma = await this.#tx.prisma();
    const rows = await prisma.tenantSchema.findMany({
      where: { tenant: this.#tenant },
      orderBy: [...inOrder],
    });
    return rows.map(toSchema);
  }

  async save(schema: StoredSchema): Promise<void> {
    const key = { tenant: this.#tenant, urnKey: schema.urn.toLowerCase() };
    const { urn, resourceType, createdAt, name, description, required, version, updatedAt } = schema;
    const attributes = schema.attributes as unknown as Prisma.InputJsonArray;
    const changing = { name, description, required, attributes, version, updatedAt };
    const prisma = await this.#tx.prisma();
    await prisma.tenantSchema.upsert({
      where: { tenant_urnKey: key },
      create: { ...key, urn, resourceType, createdAt, ...changing },
      update: changing,
      select: { urnKey: true },
    });
  }

  async delete(urn: string): Promise<void> {
    const prisma = await this.#tx.prisma();
    await prisma.tenantSchema.deleteMany({ where: { tenant: this.#tenant, urnKey: urn.toLowerCase() } });
  }

  /** Schedules the removal of values. Those of deleted resources are few and are removed immediately. */
  async remove({ urn, resourceType }: Pick<StoredSchema, 'urn' | 'resourceType'>, attribute?: string) {
    const tenant = this.#tenant;
    const prisma = await this.#tx.prisma();
    await prisma.schemaRemoval.createMany({
      data: { tenant, id: uuidv7(), urn, attribute: attribute ?? null, resourceType },
    });
    const path = attribute === undefined ? [urn] : [urn, attribute];
    await forgetValues.run(this.#tx, { path, tenant, type: resourceType });
  }

  /** Returns the pending removals of an extension. */
  async removals(urn: string): Promise<{ attribute: string | null }[]> {
    const prisma = await this.#tx.prisma();
    const removals = await prisma.schemaRemoval.findMany({
      where: { tenant: this.#tenant },
      select: { urn: true, attribute: true },
    });
    return removals.filter((removal) => removal.urn.toLowerCase() === urn.toLowerCase());
  }

  /** Ends the uniqueness of an attribute's values. @param path its full name */
  async release(path: string): Promise<void> {
    const prisma = await this.#tx.prisma();
    // The character after "=" is ">".
    await prisma.uniqueValue.deleteMany({
      where: { tenant: this.#tenant, key: { gte: `${path}=`, lt: `${path}>` } },
    });
  }

  /** Reports whether the tenant has a resource of the type that lacks the extension. */
  async someLackExtension(type: ResourceType, urn: string): Promise<boolean> {
    return (await someLackExtension[type].count(this.#tx, { tenant: this.#tenant, urn })) > 0;
  }

  /** Reports whether a resource has the extension without a value of the attribute. */
  async someLackAttribute(type: ResourceType, urn: string, attribute: string): Promise<boolean> {
    const asked = { tenant: this.#tenant, urn, attribute };
    return (await someLackAttribute[type].count(this.#tx, asked)) > 0;
  }

  record(entry: NewAuditEntry): Promise<void> {
    return new AuditLog(this.#tx, this.#tenant).append([entry]);
  }
}

const toSchema = (row: Prisma.TenantSchemaModel): StoredSchema => ({
  urn: row.urn,
  name: row.name,
  description: row.description,
  resourceType: row.resourceType as ResourceType,
  required: row.required,
  attributes: row.attributes as unknown as AttributeDefinition[],
  version: Number(row.version),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
