import type { Sql } from '@ostiary/database';
import type { ResourceType } from '../../schemas/index.ts';
import type { SchemaRemoval, SchemaRemovalStore } from '../domain/schema-removals.ts';

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

interface RemovalRow {
  tenant: string;
  id: string;
  urn: string;
  attribute: string | null;
  resource_type: ResourceType;
  position: string | null;
}

/** The removals that are due, of all tenants. */
export async function pendingRemovals(sql: Sql): Promise<{ tenant: string; id: string }[]> {
  const { rows } = await sql.query<{ tenant: string; id: string }>(
    'SELECT tenant, id FROM directory.schema_removals ORDER BY id LIMIT 100',
  );
  return rows;
}

/** Removals of one tenant, inside a transaction. */
export class PostgresSchemaRemovals implements SchemaRemovalStore {
  readonly #tx: Sql;
  readonly #tenant: string;

  constructor(tx: Sql, tenant: string) {
    this.#tx = tx;
    this.#tenant = tenant;
  }

  /** Takes a removal on until the transaction ends; undefined when it is done, or another process is at it. */
  async take(id: string): Promise<SchemaRemoval | undefined> {
    const { rows } = await this.#tx.query<RemovalRow>(
      `SELECT tenant, id, urn, attribute, resource_type, position FROM directory.schema_removals
       WHERE tenant = $1 AND id = $2 FOR UPDATE SKIP LOCKED`,
      [this.#tenant, id],
    );
    const [row] = rows;
    return (
      row && {
        tenant: row.tenant,
        id: row.id,
        urn: row.urn,
        resourceType: row.resource_type,
        ...(row.attribute !== null && { attribute: row.attribute }),
        ...(row.position !== null && { position: row.position }),
      }
    );
  }

  /** The next resources in the order of their ids, and whether each has such values. */
  async next(removal: SchemaRemoval, limit: number): Promise<{ id: string; affected: boolean }[]> {
    const { rows } = await this.#tx.query<{ id: string; affected: boolean }>(
      `SELECT id, coalesce(data #> $3 IS NOT NULL, false) AS affected FROM ${tables[removal.resourceType]}
       WHERE tenant = $1 AND id > $2 ORDER BY id LIMIT ${Math.trunc(limit)}`,
      [
        this.#tenant,
        removal.position ?? '00000000-0000-0000-0000-000000000000',
        removal.attribute === undefined ? [removal.urn] : [removal.urn, removal.attribute],
      ],
    );
    return rows;
  }

  async advance(id: string, position: string): Promise<void> {
    await this.#tx.query('UPDATE directory.schema_removals SET position = $3 WHERE tenant = $1 AND id = $2', [
      this.#tenant,
      id,
      position,
    ]);
  }

  async finish(id: string): Promise<void> {
    await this.#tx.query('DELETE FROM directory.schema_removals WHERE tenant = $1 AND id = $2', [
      this.#tenant,
      id,
    ]);
  }
}
