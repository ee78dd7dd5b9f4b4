import { foldResource, isJsonObject, type SchemaRegistry, uniqueKeys } from '@ostiary/scim';
import { type Registries, type ResourceType, SchemasInUse } from '../../schemas/index.ts';
import type { ResourceStore } from './ports.ts';
import type { Attributes } from './stored-resource.ts';

/** Values to be removed from the resources of a tenant: of one attribute, or of a whole extension. */
export interface SchemaRemoval {
  tenant: string;
  id: string;
  urn: string;
  attribute?: string;
  resourceType: ResourceType;
  /** Id of the last examined resource. */
  position?: string;
}

/** Removals of one tenant, inside a transaction. */
export interface SchemaRemovalStore {
  /** Locks a removal until the transaction ends; undefined when it is done, or another process has it. */
  take(id: string): Promise<SchemaRemoval | undefined>;
  /** Returns the next resources in the order of their ids, and whether each has such values. */
  next(removal: SchemaRemoval, limit: number): Promise<{ id: string; affected: boolean }[]>;
  advance(id: string, position: string): Promise<void>;
  finish(id: string): Promise<void>;
}

interface RemovalTables {
  removals: SchemaRemovalStore;
  users: ResourceStore;
  groups: ResourceStore;
}

/** The removals of all tenants. */
export interface RemovalStore {
  pending(): Promise<{ tenant: string; id: string }[]>;
  /** Runs `work` in one transaction of a tenant; it may run again after a deadlock. */
  change<T>(tenant: string, work: (tables: RemovalTables) => Promise<T>): Promise<T>;
}

/** Number of resources examined in one transaction. */
const batchSize = 500;

/**
 * Removes values of attributes that are no longer defined, in batches, so that no caller waits. Such values are
 * hidden as soon as the definition is removed. A resource's version stays, because no caller changed it.
 */
export class SchemaRemovals {
  readonly #store: RemovalStore;
  readonly #registries: Registries;

  constructor(store: RemovalStore, registries: Registries) {
    this.#store = store;
    this.#registries = registries;
  }

  /** Runs the first batch of each removal of the tenant, which completes a small one. */
  async begin(tenant: string): Promise<void> {
    const due = await this.#store.pending();
    for (const removal of due) if (removal.tenant === tenant) await this.#step(removal.tenant, removal.id);
  }

  /** Completes all pending removals. Several processes may do so concurrently. */
  async finish(stopped: () => boolean = () => false): Promise<void> {
    for (const { tenant, id } of await this.#store.pending()) {
      while (!stopped() && (await this.#step(tenant, id)) === 'more');
    }
  }

  async #step(tenant: string, id: string): Promise<'more' | 'done'> {
    const schemas = new SchemasInUse(await this.#registries.of(tenant), () =>
      this.#registries.latest(tenant),
    );
    return schemas.during(() =>
      this.#store.change(tenant, async (tables) => {
        const removal = await tables.removals.take(id);
        if (!removal) return 'done';
        const { resourceType: type } = removal;
        const next = await tables.removals.next(removal, batchSize);
        const table = type === 'User' ? tables.users : tables.groups;
        const affected = next.filter((resource) => resource.affected).map((resource) => resource.id);
        for (const stored of await table.lockMany(affected)) {
          const data = without(stored.data, removal, schemas.registry);
          await table.update(
            { ...stored, data },
            {
              folded: foldResource(data, schemas.registry, type),
              schemasVersion: schemas.version,
              uniqueKeys: uniqueKeys(data, schemas.registry, type),
            },
          );
        }
        const last = next.at(-1);
        if (next.length < batchSize || !last) {
          await tables.removals.finish(id);
          return 'done';
        }
        await tables.removals.advance(id, last.id);
        return 'more';
      }),
    );
  }
}

function without(data: Attributes, { urn, attribute }: SchemaRemoval, registry: SchemaRegistry): Attributes {
  const { [urn]: extension, ...rest } = data;
  const kept: Attributes = isJsonObject(extension) && attribute !== undefined ? { ...extension } : {};
  if (attribute !== undefined) delete kept[attribute];
  const left = Object.keys(kept).length > 0;
  const schemas = Array.isArray(data.schemas)
    ? data.schemas.filter((id) => id !== urn || (left && registry.schema(urn) !== undefined))
    : [];
  return { ...rest, schemas, ...(left && { [urn]: kept }) };
}
