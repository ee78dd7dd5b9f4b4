interface Entry<T> {
  generation: number;
  value: Promise<T>;
}

/**
 * Values of all tenants, each of one generation of the tenant's log. When the cache is full, the tenant with the most
 * values loses the least recently used one, so that no tenant removes values of those with fewer.
 */
export class SharedCache<T> {
  readonly #max: number;
  readonly #ofTenants = new Map<string, Map<string, Entry<T>>>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns a value of a generation of the log. Parallel callers share its computation. */
  get(tenant: string, name: string, generation: number, compute: () => Promise<T>): Promise<T> {
    const known = this.#remove(tenant, name);
    const entry = known?.generation === generation ? known : { generation, value: compute() };
    this.#add(tenant, name, entry);
    if (entry !== known)
      entry.value.catch(() => {
        if (this.#ofTenants.get(tenant)?.get(name) === entry) this.#remove(tenant, name);
      });
    return entry.value;
  }

  /** Adds the most recently used value of a tenant: a Map iterates in the order of insertion. */
  #add(tenant: string, name: string, entry: Entry<T>): void {
    const values = this.#ofTenants.get(tenant) ?? new Map<string, Entry<T>>();
    this.#ofTenants.set(tenant, values.set(name, entry));
    this.#size += 1;
    if (this.#size <= this.#max) return;
    const [largest, found] = [...this.#ofTenants].reduce((most, one) =>
      one[1].size > most[1].size ? one : most,
    );
    const [oldest] = found.keys();
    if (oldest !== undefined) this.#remove(largest, oldest);
  }

  #remove(tenant: string, name: string): Entry<T> | undefined {
    const values = this.#ofTenants.get(tenant);
    const entry = values?.get(name);
    if (values === undefined || entry === undefined) return undefined;
    values.delete(name);
    this.#size -= 1;
    if (values.size === 0) this.#ofTenants.delete(tenant);
    return entry;
  }
}
