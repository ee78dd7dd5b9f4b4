import { LRUCache } from 'lru-cache';
import type { TenantChanges } from './tenant-changes.ts';

interface Entry<V> {
  value: V;
  loadedAt: number;
  /** Position of the known changes at the start of the load. */
  position: number;
}

/** Settings of a cache whose values are valid until their tenant changes. */
export interface FollowedChanges<V> {
  heard: TenantChanges;
  tenantOf(key: string): string;
  /** Reports whether a value depends only on the database. Default: every value does. */
  covers?(value: V): boolean;
}

export interface LoadingCacheOptions<V> {
  /** Maximum number of values, or of the sum of `sizeOf`. */
  max: number;
  /** Size of a value, an integer above 0. Default 1. */
  sizeOf?: (value: V) => number;
  /** Milliseconds for which a value is returned without a check. */
  freshMs: number;
  /**
   * Milliseconds after `freshMs` for which a value is returned while it is reloaded in the background. 0: the request
   * waits for the load and fails with it.
   */
  staleMs?: number;
  /** With it, one query for changes makes every unchanged value as fresh as a reloaded one. */
  changes?: FollowedChanges<V>;
  clock: () => number;
  load: (key: string) => Promise<V>;
  /** Called if a reload in the background fails. */
  onRefreshError?: (error: unknown) => void;
}

/** Maximum age of a value before it is reloaded, in milliseconds, regardless of changes. */
const maxMs = 600_000;

/** Cache of values of the database. Parallel requests for one key load it once. */
export class LoadingCache<V extends object | null> {
  readonly #options: LoadingCacheOptions<V>;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #loads = new Map<string, Promise<V>>();
  #generation = 0;

  constructor(options: LoadingCacheOptions<V>) {
    this.#options = options;
    const { max, sizeOf = () => 1 } = options;
    // Limited by size, because `max` would allocate memory for all entries immediately.
    this.#entries = new LRUCache({ maxSize: max, sizeCalculation: ({ value }) => sizeOf(value) });
  }

  async get(key: string): Promise<V> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#load(key);
    const age = this.#ageOf(key, entry);
    if (age <= this.#options.freshMs) return entry.value;
    const renewed = this.#renewed(key, entry);
    if (!this.#isServable(entry, age)) return renewed;
    renewed.catch((error) => this.#options.onRefreshError?.(error));
    return entry.value;
  }

  /**
   * Caches a value that is read together with another result, as if it had been loaded.
   * @param kept returns the key and value to cache; undefined for none
   */
  async keeping<T>(read: () => Promise<T>, kept: (result: T) => [string, V] | undefined): Promise<T> {
    const generation = this.#generation;
    const asked = this.#now();
    const result = await read();
    const entry = kept(result);
    if (entry && generation === this.#generation) this.#entries.set(entry[0], { value: entry[1], ...asked });
    return result;
  }

  /** Returns the cached value regardless of its age, without counting as a use. */
  peek(key: string): V | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Returns the milliseconds since the cached value was known to be current; Infinity if there is none. */
  age(key: string): number {
    const entry = this.#entries.get(key);
    return entry ? this.#ageOf(key, entry) : Number.POSITIVE_INFINITY;
  }

  /** Removes one value, or all. The result of a running load may be outdated and is not cached. */
  invalidate(key?: string): void {
    this.#generation += 1;
    this.#loads.clear();
    if (key === undefined) this.#entries.clear();
    else this.#entries.delete(key);
  }

  /** Removes the values of matching keys, as `invalidate` does. */
  invalidateMatching(matches: (key: string) => boolean): void {
    this.#generation += 1;
    this.#loads.clear();
    for (const key of [...this.#entries.keys()]) if (matches(key)) this.#entries.delete(key);
  }

  #now(): Pick<Entry<V>, 'loadedAt' | 'position'> {
    const { clock, changes } = this.#options;
    return { loadedAt: clock(), position: changes?.heard.position ?? 0 };
  }

  #ageOf(key: string, entry: Entry<V>): number {
    const { changes } = this.#options;
    const age = this.#since(entry.loadedAt);
    if (!changes) return age;
    // A value that is derived from this one must not count as newer than the change.
    if (changes.heard.hasChanged(changes.tenantOf(key), entry.position)) return Number.POSITIVE_INFINITY;
    return this.#follows(key, entry) ? Math.min(age, this.#since(changes.heard.heardAt)) : age;
  }

  /**
   * Reports whether a value is returned while it is reloaded. A value that is known to have changed is included,
   * because a failed load must not delay requests more than an unknown change does.
   */
  #isServable({ loadedAt }: Entry<V>, age: number): boolean {
    const { freshMs, staleMs = 0 } = this.#options;
    return staleMs > 0 && Math.min(age, this.#since(loadedAt)) <= freshMs + staleMs;
  }

  /** An absolute difference: after the clock was set back, a future time counts as old. */
  #since(moment: number): number {
    return Math.abs(this.#options.clock() - moment);
  }

  /** Reports whether a value is as current as the known changes. */
  #follows(key: string, { value, loadedAt, position }: Entry<V>): boolean {
    const { changes } = this.#options;
    if (!changes || this.#since(loadedAt) > maxMs || changes.covers?.(value) === false) return false;
    return !changes.heard.hasChanged(changes.tenantOf(key), position);
  }

  /** Returns the current value. Unless it is known to have changed, the changes are read first. */
  async #renewed(key: string, entry: Entry<V>): Promise<V> {
    if (!this.#follows(key, entry)) return this.#load(key);
    await this.#options.changes?.heard.hear();
    // It may have been removed in the meantime.
    const isThere = this.#entries.peek(key) === entry;
    return isThere && this.#follows(key, entry) ? entry.value : this.#load(key);
  }

  #load(key: string): Promise<V> {
    const running = this.#loads.get(key);
    if (running) return running;
    const generation = this.#generation;
    const asked = this.#now();
    const load: Promise<V> = this.#options
      .load(key)
      .then((value) => {
        if (generation === this.#generation) this.#entries.set(key, { value, ...asked });
        return value;
      })
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    this.#loads.set(key, load);
    return load;
  }
}
