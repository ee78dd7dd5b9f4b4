import { coreRegistry, defineTenantSchema, type SchemaRegistry } from '@ostiary/scim';
import type { SchemaStore } from './ports.ts';
import type { SchemaVersion } from './schemas-in-use.ts';
import type { StoredSchema } from './stored-schema.ts';

/** Milliseconds for which schemas count as current without a query, if no notification of a change arrives. */
const freshFor = 5000;

/** Maximum number of tenants whose schemas are kept in memory. */
const maxTenants = 10_000;

interface Entry extends SchemaVersion {
  checkedAt: number;
}

/** Returns the core schemas (RFC 7643) with those that a tenant has defined. */
export const registryOf = (schemas: readonly StoredSchema[]): SchemaRegistry =>
  schemas.reduce(
    (registry, { urn, resourceType, required, ...schema }) =>
      registry.withSchema(defineTenantSchema({ id: urn, ...schema }), { resourceType, required }),
    coreRegistry(),
  );

/**
 * The schemas of every tenant in this process. A change is notified by NOTIFY; a lost notification is compensated
 * after five seconds. Reads under older schemas return a recent state. Writes under them are rejected by the database
 * and repeated under the current ones.
 */
export class Registries {
  readonly #store: SchemaStore;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<SchemaVersion>>();
  /** Number of notifications of changes. */
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

  /** Reads the current version from the database. */
  async latest(tenant: string): Promise<SchemaVersion> {
    const [asked, notices] = [this.#clock(), this.#notices];
    // A response that a notification has overtaken may be older than the change.
    const checkedAt = () => (notices === this.#notices ? asked : Number.NEGATIVE_INFINITY);
    const known = this.#entries.get(tenant);
    if (known && (await this.#store.version(tenant)) === known.version) {
      return this.#keep(tenant, { ...known, checkedAt: checkedAt() });
    }
    const { version, schemas } = await this.#store.read(tenant);
    return this.#keep(tenant, { registry: registryOf(schemas), version, checkedAt: checkedAt() });
  }

  /** Listens for changes by other processes. @returns the function that ends it */
  listen(): Promise<() => Promise<void>> {
    return this.#store.onChange((tenant) => this.forget(tenant));
  }

  /** Makes the next request read the schemas from the database. */
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
    if (this.#entries.size > maxTenants && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}
