import type { Sql } from '@ostiary/database';
import type { SqlStatement } from '../../audit/data/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { ResourceStore } from '../domain/ports.ts';
import type { Derived, StoredResource } from '../domain/stored-resource.ts';
import { columnsOf, derivedColumns, type ResourceRow, toStored } from './rows.ts';

const tableOf = { User: 'directory.users', Group: 'directory.groups' } as const;

/** The rows of one resource type in one tenant. */
export class ResourceTable implements ResourceStore {
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
      `SELECT ${columnsOf(this.type)} FROM ${this.#table} WHERE tenant = $1 AND id = $2`,
      [this.#tenant, id],
    );
    return rows[0] && toStored(rows[0]);
  }

  /** Those of the ids that exist, in no particular order. */
  async findMany(ids: readonly string[]): Promise<StoredResource[]> {
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${columnsOf(this.type)} FROM ${this.#table} WHERE tenant = $1 AND id = ANY($2::uuid[])`,
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
      `SELECT ${columnsOf(this.type)} FROM ${this.#table} WHERE tenant = $1 AND id = $2
       FOR ${purpose === 'change' ? 'NO KEY UPDATE' : 'UPDATE'}`,
      [this.#tenant, id],
    );
    return rows[0] && toStored(rows[0]);
  }

  /** Locks many rows in the order of their ids, so that two transactions can't wait for each other in a ring. */
  async lockMany(ids: readonly string[]): Promise<StoredResource[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${columnsOf(this.type)} FROM ${this.#table} WHERE tenant = $1 AND id = ANY($2::uuid[])
       ORDER BY id FOR NO KEY UPDATE`,
      [this.#tenant, ids],
    );
    return rows.map(toStored);
  }

  async insert(resource: StoredResource, derived: Derived): Promise<void> {
    const { text, values } = this.insertion(resource, derived);
    await this.#sql.query(text, values);
  }

  /** Writes the whole row; the caller holds its lock. */
  async update(resource: StoredResource, derived: Derived): Promise<void> {
    const { text, values } = this.replacement(resource, derived);
    await this.#sql.query(text, values);
  }

  /** The statement that adds a row; its parameters begin with $1. */
  insertion(resource: StoredResource, derived: Derived): SqlStatement {
    const columns = this.#columns(resource, derived);
    const names = Object.keys(columns);
    return {
      text: `INSERT INTO ${this.#table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      values: Object.values(columns),
    };
  }

  /** The statement that writes the whole row, if its version is still `ifVersion`; its parameters begin with $1. */
  replacement(resource: StoredResource, derived: Derived, ifVersion?: number): SqlStatement {
    const columns = this.#columns(resource, derived);
    const names = Object.keys(columns);
    const assignments = names.map((name, i) => `${name} = $${i + 1}`);
    if (this.type === 'User') assignments.push(twinAfter(names));
    const values = Object.values(columns);
    const unchanged = ifVersion === undefined ? '' : ` AND version = $${values.push(ifVersion)}`;
    return {
      text: `UPDATE ${this.#table} SET ${assignments.slice(2).join(', ')} WHERE tenant = $1 AND id = $2${unchanged}`,
      values,
    };
  }

  /** One version more for rows whose members changed; their locks are held. */
  async touchMany(ids: readonly string[], at: Date): Promise<StoredResource[]> {
    const { rows } = await this.#sql.query<ResourceRow>(
      `UPDATE ${this.#table} SET version = version + 1, updated_at = $3 WHERE tenant = $1 AND id = ANY($2::uuid[])
       RETURNING ${columnsOf(this.type)}`,
      [this.#tenant, ids, at],
    );
    return rows.map(toStored);
  }

  async delete(id: string): Promise<void> {
    await this.#sql.query(`DELETE FROM ${this.#table} WHERE tenant = $1 AND id = $2`, [this.#tenant, id]);
  }

  /** The row; its key comes first. */
  #columns(resource: StoredResource, derived: Derived): Record<string, unknown> {
    return {
      tenant: this.#tenant,
      id: resource.id,
      external_ids: JSON.stringify(resource.externalIds),
      data: JSON.stringify(resource.data),
      folded: JSON.stringify(derived.folded),
      schemas_version: derived.schemasVersion,
      unique_keys: derived.uniqueKeys,
      version: resource.version,
      created_at: resource.createdAt,
      updated_at: resource.updatedAt,
      ...derivedColumns(this.type, resource),
    };
  }
}

/**
 * A user whose name changes has the new one alone. A user who keeps a shared name goes on sharing it; a name becomes shared in this
 * moment when its key is made anew and another user has it. No change is rejected for a name that the user had.
 */
function twinAfter(columns: readonly string[]): string {
  const [name, key] = ['user_name', 'user_name_key'].map((column) => `$${columns.indexOf(column) + 1}::text`);
  return `user_name_twin = CASE
    WHEN user_name_key = ${key} THEN user_name_twin
    WHEN user_name = ${name} AND EXISTS (
      SELECT FROM directory.users o WHERE o.tenant = $1 AND o.user_name_key = ${key} AND o.user_name_twin = '' AND o.id <> $2
    ) THEN users.id::text
    ELSE '' END`;
}
