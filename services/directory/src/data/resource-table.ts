import type { Sql } from '@ostiary/database';
import {
  type Attributes,
  derivedColumns,
  type ResourceRow,
  type ResourceType,
  resourceColumns,
  type StoredResource,
  toStored,
} from './rows.ts';

const tableOf = { User: 'directory.users', Group: 'directory.groups' } as const;

/** The rows of one resource type in one tenant. */
export class ResourceTable {
  readonly type: ResourceType;
  readonly #sql: Sql;
  readonly #tenant: string;
  readonly #table: string;

  constructor(sql: Sql, tenant: string, type: ResourceType) {
    this.type = type;
    this.#sql = sql;
    this.#tenant = tenant;
    this.#table = tableOf[type];
  }

  /** @param id canonical UUID */
  async find(id: string): Promise<StoredResource | undefined> {
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${resourceColumns} FROM ${this.#table} WHERE tenant = $1 AND id = $2`,
      [this.#tenant, id],
    );
    return rows[0] && toStored(rows[0]);
  }

  /** Those of the ids that exist, in no particular order. */
  async findMany(ids: readonly string[]): Promise<StoredResource[]> {
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${resourceColumns} FROM ${this.#table} WHERE tenant = $1 AND id = ANY($2::uuid[])`,
      [this.#tenant, ids],
    );
    return rows.map(toStored);
  }

  /**
   * Reads a row and holds it until the transaction ends. For a change NO KEY UPDATE is enough, and it lets others
   * add the resource to groups meanwhile; a deletion needs UPDATE.
   */
  async lock(id: string, purpose: 'change' | 'deletion' = 'change'): Promise<StoredResource | undefined> {
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${resourceColumns} FROM ${this.#table} WHERE tenant = $1 AND id = $2
       FOR ${purpose === 'change' ? 'NO KEY UPDATE' : 'UPDATE'}`,
      [this.#tenant, id],
    );
    return rows[0] && toStored(rows[0]);
  }

  /** Locks many rows in the order of their ids, so that two transactions can't wait for each other in a ring. */
  async lockMany(ids: readonly string[]): Promise<StoredResource[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${resourceColumns} FROM ${this.#table} WHERE tenant = $1 AND id = ANY($2::uuid[])
       ORDER BY id FOR NO KEY UPDATE`,
      [this.#tenant, ids],
    );
    return rows.map(toStored);
  }

  /** @param folded what filters compare with: `foldResource` of the data */
  async insert(resource: StoredResource, folded: Attributes): Promise<void> {
    const columns = this.#columns(resource, folded);
    const names = Object.keys(columns);
    await this.#sql.query(
      `INSERT INTO ${this.#table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(columns),
    );
  }

  /** Writes the whole row; the caller holds its lock. */
  async update(resource: StoredResource, folded: Attributes): Promise<void> {
    const columns = this.#columns(resource, folded);
    const assignments = Object.keys(columns).map((name, i) => `${name} = $${i + 1}`);
    await this.#sql.query(
      `UPDATE ${this.#table} SET ${assignments.slice(2).join(', ')} WHERE tenant = $1 AND id = $2`,
      Object.values(columns),
    );
  }

  /** One version more for rows whose members changed; their locks are held. */
  async touchMany(ids: readonly string[], at: Date): Promise<void> {
    await this.#sql.query(
      `UPDATE ${this.#table} SET version = version + 1, updated_at = $3 WHERE tenant = $1 AND id = ANY($2::uuid[])`,
      [this.#tenant, ids, at],
    );
  }

  async delete(id: string): Promise<void> {
    await this.#sql.query(`DELETE FROM ${this.#table} WHERE tenant = $1 AND id = $2`, [this.#tenant, id]);
  }

  /** The row; its key comes first. */
  #columns(resource: StoredResource, folded: Attributes): Record<string, unknown> {
    return {
      tenant: this.#tenant,
      id: resource.id,
      external_ids: JSON.stringify(resource.externalIds),
      data: JSON.stringify(resource.data),
      folded: JSON.stringify(folded),
      version: resource.version,
      created_at: resource.createdAt,
      updated_at: resource.updatedAt,
      ...derivedColumns(this.type, resource),
    };
  }
}
