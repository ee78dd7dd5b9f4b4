import type { SchemaRegistry } from '@ostiary/scim';
import { foldResource, isJsonObject, uniqueKeys } from '@ostiary/scim';
import type { Store } from '../../composition/store.ts';
import type { SchemaRemoval } from '../../schemas/data/schemas.ts';
import type { Registries } from '../../schemas/domain/registries.ts';
import { SchemasInUse } from '../../schemas/domain/schemas-in-use.ts';
import type { Attributes } from '../data/rows.ts';

/** Resources looked at in one transaction. */
const batchSize = 500;

/**
 * Takes values of what is no longer defined out of the resources, some at a time, so that nobody waits for it. They
 * were not to be seen any more as soon as the definition was gone. A resource's version stays: nobody changed it.
 */
export class SchemaRemovals {
  readonly #store: Store;
  readonly #registries: Registries;

  constructor(store: Store, registries: Registries) {
    this.#store = store;
    this.#registries = registries;
  }

  /** Does the first batch of each removal of the tenant: for a small one that is all. */
  async begin(tenant: string): Promise<void> {
    const due = await this.#store.pendingRemovals();
    for (const removal of due) if (removal.tenant === tenant) await this.#step(removal.tenant, removal.id);
  }

  /** Does all that is due. Several processes may do so at once. */
  async finish(stopped: () => boolean = () => false): Promise<void> {
    for (const { tenant, id } of await this.#store.pendingRemovals()) {
      while (!stopped() && (await this.#step(tenant, id)) === 'more');
    }
  }

  async #step(tenant: string, id: string): Promise<'more' | 'done'> {
    const schemas = new SchemasInUse(await this.#registries.of(tenant), () =>
      this.#registries.latest(tenant),
    );
    return schemas.during(() =>
      this.#store.of(tenant).change(async (tables) => {
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
