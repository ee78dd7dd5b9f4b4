import { coreRegistry, defineTenantSchema, type SchemaRegistry } from '@ostiary/scim';
import type { SchemaStore } from './ports.ts';
import type { SchemaVersion } from './schemas-in-use.ts';
import type { StoredSchema } from './stored-schema.ts';

/** Milliseconds for which schemas count as current without a query, if no notification of a change arrives. */
const freshFor = 5000;

/** Tenants whose schemas are kept in memory. */
const mostTenants = 10_000;

interface Entry extends SchemaVersion {
  checkedAt: number;
}

/** What the RFC defines, and what a tenant has defined beside it. */
export const registryOf = (schemas: readonly StoredSchema[]): SchemaRegistry =>
  schemas.reduce(
    (registry, { urn, resourceType, required, ...schema }) =>
      registry.withSchema(defineTenantSchema({ id: urn, ...schema }), { resourceType, required }),
    coreRegistry(),
  );

/**
 * The schemas of every tenant, as this process knows them. A change made anywhere arrives by NOTIFY; should that get
 * lost, it is seen after five seconds. Reading by older schemas shows what was true a moment ago; writing by them is
 * rejected by the database, and repeated by the current ones.
 */
export class Registries {
  readonly #store: SchemaStore;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<SchemaVersion>>();
  /** Counts notifications of changes. */
  #notices = 0;

  constructor(store: SchemaStore, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  async of(tenant: string): Promise<SchemaVersion> {
    const entry = this.#entries.get(tenant);
    const age = entry ? this.#clock() - entry.checkedAt : Number.POSITIVE_INFINITY;
    if (entry && age >= 0 && age < freshFor) return entry;
    let loading = this.#loading.get(tenant);
    if (!loading) {
      loading = this.latest(tenant).finally(() => this.#loading.delete(tenant));
      this.#loading.set(tenant, loading);
    }
    return loading;
  }

  /** Asks the database. */
  async latest(tenant: string): Promise<SchemaVersion> {
    const [asked, notices] = [this.#clock(), this.#notices];
    // An answer that a notice has overtaken may be from before the change.
    const checkedAt = () => (notices === this.#notices ? asked : Number.NEGATIVE_INFINITY);
    const known = this.#entries.get(tenant);
    if (known && (await this.#store.version(tenant)) === known.version) {
      return this.#keep(tenant, { ...known, checkedAt: checkedAt() });
    }
    const { version, schemas } = await this.#store.read(tenant);
    return this.#keep(tenant, { registry: registryOf(schemas), version, checkedAt: checkedAt() });
  }

  /** Begins to listen for changes made by other processes. Resolves to the function that ends it. */
  listen(): Promise<() => Promise<void>> {
    return this.#store.onChange((tenant) => this.forget(tenant));
  }

  /** The next request reads them from the database. */
  forget(tenant?: string): void {
    this.#notices += 1;
    const entries =
      tenant === undefined ? [...this.#entries] : [[tenant, this.#entries.get(tenant)] as const];
    for (const [id, entry] of entries) {
      if (entry) this.#entries.set(id, { ...entry, checkedAt: Number.NEGATIVE_INFINITY });
      this.#loading.delete(id);
    }
  }

  #keep(tenant: string, entry: Entry): Entry {
    this.#entries.delete(tenant);
    this.#entries.set(tenant, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostTenants && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}
