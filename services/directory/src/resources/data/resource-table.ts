import { type Connected, statement } from '@ostiary/database';
import type { PrismaClient } from '../../database/generated/client.ts';
import { ofEachType } from '../../schemas/data/of-each-type.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { ResourceStore } from '../domain/ports.ts';
import type { Derived, StoredResource } from '../domain/stored-resource.ts';
import { insertResource, updateResource } from './resource-writes.ts';
import { resourceColumns, resourceTables } from './rows.ts';

const findResource = ofEachType((type) =>
  statement({
    name: `resources.find ${type}`,
    reason: 'hot path',
    text: `SELECT ${resourceColumns[type]} FROM ${resourceTables[type]} WHERE r.tenant = $tenant AND r.id = $id`,
    parameters: { tenant: 'text', id: 'uuid' },
    columns: resourceColumns[type].columns,
  }),
);

/** For the graph's batched reads. */
const findResources = ofEachType((type) =>
  statement({
    name: `resources.find many ${type}`,
    reason: 'hot path',
    text: `SELECT ${resourceColumns[type]} FROM ${resourceTables[type]} WHERE r.tenant = $tenant AND r.id = ANY($ids::uuid[])`,
    parameters: { tenant: 'text', ids: 'uuid[]' },
    columns: resourceColumns[type].columns,
  }),
);

/**
 * NO KEY UPDATE is enough for a change, and lets other transactions add the resource to groups. A deletion needs
 * UPDATE.
 */
const strengths = { change: 'NO KEY UPDATE', deletion: 'UPDATE' } as const;

const lockFor = (purpose: keyof typeof strengths) =>
  ofEachType((type) =>
    statement({
      name: `resources.lock ${type} for ${purpose}`,
      reason: 'atomic',
      text: `SELECT ${resourceColumns[type]} FROM ${resourceTables[type]} WHERE r.tenant = $tenant AND r.id = $id
             FOR ${strengths[purpose]}`,
      parameters: { tenant: 'text', id: 'uuid' },
      columns: resourceColumns[type].columns,
    }),
  );

const lockResource = { change: lockFor('change'), deletion: lockFor('deletion') };

const lockResources = ofEachType((type) =>
  statement({
    name: `resources.lock many ${type}`,
    reason: 'atomic',
    text: `SELECT ${resourceColumns[type]} FROM ${resourceTables[type]} WHERE r.tenant = $tenant AND r.id = ANY($ids::uuid[])
           ORDER BY r.id FOR NO KEY UPDATE`,
    parameters: { tenant: 'text', ids: 'uuid[]' },
    columns: resourceColumns[type].columns,
  }),
);

const touchResources = ofEachType((type) =>
  statement({
    name: `resources.touch ${type}`,
    reason: 'set',
    text: `UPDATE ${resourceTables[type]} SET version = version + 1, updated_at = $at
            WHERE r.tenant = $tenant AND r.id = ANY($ids::uuid[]) RETURNING ${resourceColumns[type]}`,
    parameters: { at: 'timestamptz', tenant: 'text', ids: 'uuid[]' },
    columns: resourceColumns[type].columns,
  }),
);

/** The rows of one resource type in one tenant. */
export class ResourceTable implements ResourceStore {
  readonly type: ResourceType;
  readonly #sql: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(sql: Connected<PrismaClient>, tenant: string, type: ResourceType) {
    this.type = type;
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** @param id canonical UUID */
  find(id: string): Promise<StoredResource | undefined> {
    return findResource[this.type].first(this.#sql, { tenant: this.#tenant, id });
  }

  /** Returns the existing resources of these ids, in no particular order. */
  findMany(ids: readonly string[]): Promise<StoredResource[]> {
    return findResources[this.type].rows(this.#sql, { tenant: this.#tenant, ids });
  }

  /** Reads a row and locks it until the transaction ends. */
  lock(id: string, purpose: 'change' | 'deletion' = 'change'): Promise<StoredResource | undefined> {
    return lockResource[purpose][this.type].first(this.#sql, { tenant: this.#tenant, id });
  }

  /** Locks rows in the order of their ids, so that two transactions cannot deadlock. */
  async lockMany(ids: readonly string[]): Promise<StoredResource[]> {
    if (ids.length === 0) return [];
    return lockResources[this.type].rows(this.#sql, { tenant: this.#tenant, ids });
  }

  async insert(resource: StoredResource, derived: Derived): Promise<void> {
    await insertResource.run(this.#sql, { tenant: this.#tenant, type: this.type, resource, derived });
  }

  /** Writes the whole row; the caller holds its lock. */
  async update(resource: StoredResource, derived: Derived): Promise<void> {
    await updateResource.run(this.#sql, { tenant: this.#tenant, type: this.type, resource, derived });
  }

  /** Increments the version of rows whose members changed; their locks are held. */
  touchMany(ids: readonly string[], at: Date): Promise<StoredResource[]> {
    return touchResources[this.type].rows(this.#sql, { tenant: this.#tenant, ids, at });
  }

  async delete(id: string): Promise<void> {
    const prisma = await this.#sql.prisma();
    const where = { tenant: this.#tenant, id };
    await (this.type === 'User' ? prisma.user.deleteMany({ where }) : prisma.group.deleteMany({ where }));
  }
}
