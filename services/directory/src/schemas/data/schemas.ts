import type { Database, Sql } from '@ostiary/database';
import type { AttributeDefinition } from '@ostiary/scim';
import { uuidv7 } from '@ostiary/service';
import { AuditLog } from '../../audit/data/index.ts';
import type { NewAuditEntry } from '../../audit/index.ts';
import type { PrismaClient } from '../../database/data/index.ts';
import type { SchemaChange, SchemaStore } from '../domain/ports.ts';
import type { ResourceType, StoredSchema, StoredSchemas } from '../domain/stored-schema.ts';

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

/** The channel of NOTIFY; the payload is the tenant. */
const channel = 'directory_schemas';

/** The extension schemas of all tenants. */
export class PostgresSchemaStore implements SchemaStore {
  readonly #database: Pick<Database<PrismaClient>, 'prisma' | 'transaction' | 'listen'>;

  constructor(database: Pick<Database<PrismaClient>, 'prisma' | 'transaction' | 'listen'>) {
    this.#database = database;
  }

  /** Only the version, which is cheap; undefined when there is no such tenant. */
  async version(tenant: string): Promise<number | undefined> {
    const row = await this.#database.prisma.tenant.findUnique({
      where: { id: tenant },
      select: { schemasVersion: true },
    });
    return row ? Number(row.schemasVersion) : undefined;
  }

  /**
   * The version and the schemas. When they change between the two looks, the version is the older one: a write
   * by it is rejected, and reads them again.
   */
  async read(tenant: string): Promise<StoredSchemas> {
    const version = (await this.version(tenant)) ?? 0;
    if (version === 0) return { version, schemas: [] };
    const rows = await this.#database.prisma.tenantSchema.findMany({
      where: { tenant },
      orderBy: [{ createdAt: 'asc' }, { urnKey: 'asc' }],
    });
    return {
      version,
      schemas: rows.map((row) => ({
        ...row,
        resourceType: row.resourceType as ResourceType,
        attributes: row.attributes as unknown as AttributeDefinition[],
        version: Number(row.version),
      })),
    };
  }

  /**
   * Runs a change of a tenant's schemas alone: no other transaction changes them, and no resource is written, until it is
   * committed. Every process that listens is notified.
   */
  change<T>(tenant: string, work: (tables: SchemaChange) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('directory.schemas:' || $1, 0))`, [
        tenant,
      ]);
      const result = await work(new PostgresSchemaChange(tx, tenant));
      await tx.query('UPDATE directory.tenants SET schemas_version = schemas_version + 1 WHERE id = $1', [
        tenant,
      ]);
      await tx.query('SELECT pg_notify($1, $2)', [channel, tenant]);
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
  readonly #tx: Sql;
  readonly #tenant: string;

  constructor(tx: Sql, tenant: string) {
    this.#tx = tx;
    this.#tenant = tenant;
  }

  /** In the order they were defined. */
  async all(): Promise<StoredSchema[]> {
    const { rows } = await this.#tx.query<{
      urn: string;
      name: string;
      description: string;
      resource_type: ResourceType;
      required: boolean;
      attributes: AttributeDefinition[];
      version: string;
      created_at: Date;
      updated_at: Date;
    }>(
      `SELECT urn, name, description, resource_type, required, attributes, version, created_at, updated_at
       FROM directory.schemas WHERE tenant = $1 ORDER BY created_at, urn_key`,
      [this.#tenant],
    );
    return rows.map(({ resource_type, created_at, updated_at, version, ...row }) => ({
      ...row,
      resourceType: resource_type,
      version: Number(version),
      createdAt: created_at,
      updatedAt: updated_at,
    }));
  }

  async save(schema: StoredSchema): Promise<void> {
    await this.#tx.query(
      `INSERT INTO directory.schemas (tenant, urn_key, urn, name, description, resource_type, required, attributes,
         version, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (tenant, urn_key) DO UPDATE SET name = excluded.name, description = excluded.description,
         required = excluded.required, attributes = excluded.attributes, version = excluded.version,
         updated_at = excluded.updated_at`,
      [
        this.#tenant,
        schema.urn.toLowerCase(),
        schema.urn,
        schema.name,
        schema.description,
        schema.resourceType,
        schema.required,
        JSON.stringify(schema.attributes),
        schema.version,
        schema.createdAt,
        schema.updatedAt,
      ],
    );
  }

  async delete(urn: string): Promise<void> {
    await this.#tx.query('DELETE FROM directory.schemas WHERE tenant = $1 AND urn_key = $2', [
      this.#tenant,
      urn.toLowerCase(),
    ]);
  }

  /** Notes that values are to be taken out; those of deleted resources go at once, they are few. */
  async remove(schema: Pick<StoredSchema, 'urn' | 'resourceType'>, attribute?: string): Promise<void> {
    await this.#tx.query(
      `INSERT INTO directory.schema_removals (tenant, id, urn, attribute, resource_type) VALUES ($1, $2, $3, $4, $5)`,
      [this.#tenant, uuidv7(), schema.urn, attribute ?? null, schema.resourceType],
    );
    await this.#tx.query(
      'UPDATE directory.deleted_resources SET data = data #- $3 WHERE tenant = $1 AND resource_type = $2',
      [this.#tenant, schema.resourceType, attribute === undefined ? [schema.urn] : [schema.urn, attribute]],
    );
  }

  /** What is still being taken out of an extension. */
  async removals(urn: string): Promise<{ attribute: string | null }[]> {
    const { rows } = await this.#tx.query<{ attribute: string | null }>(
      'SELECT attribute FROM directory.schema_removals WHERE tenant = $1 AND lower(urn) = $2',
      [this.#tenant, urn.toLowerCase()],
    );
    return rows;
  }

  /** Values of an attribute are no longer kept unique. @param path its full name */
  async release(path: string): Promise<void> {
    await this.#tx.query(
      // The character after "=" is ">".
      `DELETE FROM directory.unique_values WHERE tenant = $1 AND key >= $2 AND key < $3`,
      [this.#tenant, `${path}=`, `${path}>`],
    );
  }

  /** Whether the tenant has a resource of the type that lacks the extension. */
  async someLackExtension(type: ResourceType, urn: string): Promise<boolean> {
    const { rowCount } = await this.#tx.query(
      `SELECT 1 FROM ${tables[type]} WHERE tenant = $1 AND NOT data ? $2 LIMIT 1`,
      [this.#tenant, urn],
    );
    return rowCount > 0;
  }

  /** Whether a resource uses the extension without having a value of the attribute. */
  async someLackAttribute(type: ResourceType, urn: string, attribute: string): Promise<boolean> {
    const { rowCount } = await this.#tx.query(
      `SELECT 1 FROM ${tables[type]} WHERE tenant = $1 AND data ? $2 AND NOT data -> $2 ? $3 LIMIT 1`,
      [this.#tenant, urn, attribute],
    );
    return rowCount > 0;
  }

  record(entry: NewAuditEntry): Promise<void> {
    return new AuditLog(this.#tx, this.#tenant).append([entry]);
  }
}
