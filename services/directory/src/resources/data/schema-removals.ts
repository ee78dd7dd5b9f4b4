import { type Connected, statement, typed } from '@ostiary/database';
import type { PrismaClient } from '../../database/generated/client.ts';
import { ofEachType } from '../../schemas/data/of-each-type.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { SchemaRemoval, SchemaRemovalStore } from '../domain/schema-removals.ts';
import { resourceTables } from './rows.ts';

/** Batch size of the lookup. */
const pendingBatchSize = 100;

/** The smallest UUID, before all others. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Returns the pending removals of all tenants. */
export async function pendingRemovals(
  sql: Connected<PrismaClient>,
): Promise<{ tenant: string; id: string }[]> {
  const prisma = await sql.prisma();
  return prisma.schemaRemoval.findMany({
    select: { tenant: true, id: true },
    orderBy: { id: 'asc' },
    take: pendingBatchSize,
  });
}

const takeRemoval = statement({
  name: 'schema removals.take',
  reason: 'atomic',
  text: `SELECT tenant, id, urn, attribute, resource_type AS "resourceType", position FROM directory.schema_removals
          WHERE tenant = $tenant AND id = $id FOR UPDATE SKIP LOCKED`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: {
    tenant: 'text',
    id: 'uuid',
    urn: 'text',
    attribute: 'text?',
    resourceType: typed<ResourceType>('text'),
    position: 'uuid?',
  },
});

const nextResources = ofEachType((type) =>
  statement({
    name: `schema removals.next ${type}`,
    reason: 'set',
    text: `SELECT r.id, coalesce(r.data #> $path::text[] IS NOT NULL, false) AS affected FROM ${resourceTables[type]}
            WHERE r.tenant = $tenant AND r.id > $position ORDER BY r.id LIMIT $limit`,
    parameters: { path: 'text[]', tenant: 'text', position: 'uuid', limit: 'int8' },
    columns: { id: 'uuid', affected: 'bool' },
  }),
);

/** Removals of one tenant, inside a transaction. */
export class PostgresSchemaRemovals implements SchemaRemovalStore {
  readonly #tx: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(tx: Connected<PrismaClient>, tenant: string) {
    this.#tx = tx;
    this.#tenant = tenant;
  }

  /** Locks a removal until the transaction ends; undefined when it is done, or another process has it. */
  async take(id: string): Promise<SchemaRemoval | undefined> {
    const row = await takeRemoval.first(this.#tx, { tenant: this.#tenant, id });
    if (!row) return undefined;
    const { attribute, position, ...removal } = row;
    return {
      ...removal,
      ...(attribute !== null && { attribute }),
      ...(position !== null && { position }),
    };
  }

  /** Returns the next resources in the order of their ids, and whether each has such values. */
  next(removal: SchemaRemoval, limit: number): Promise<{ id: string; affected: boolean }[]> {
    return nextResources[removal.resourceType].rows(this.#tx, {
      tenant: this.#tenant,
      position: removal.position ?? beforeAll,
      path: removal.attribute === undefined ? [removal.urn] : [removal.urn, removal.attribute],
      limit,
    });
  }

  async advance(id: string, position: string): Promise<void> {
    const prisma = await this.#tx.prisma();
    await prisma.schemaRemoval.updateMany({ where: { tenant: this.#tenant, id }, data: { position } });
  }

  async finish(id: string): Promise<void> {
    const prisma = await this.#tx.prisma();
    await prisma.schemaRemoval.deleteMany({ where: { tenant: this.#tenant, id } });
  }
}
