import { LRUCache } from 'lru-cache';
import type { TenantChanges } from './tenant-changes.ts';

interface Entry<V> {
  value: V;
  loadedAt: number;
  /** What had been heard of changes when it was asked for. */
  position: number;
}

/** Where values stay good until their tenant changes. */
export interface FollowedChanges<V> {
  heard: TenantChanges;
  tenantOf(key: string): string;
  /** Whether everything that a value says is of the database; all of them unless said. */
  covers?(value: V): boolean;
}

export interface LoadingCacheOptions<V> {
  /** Values, or what `sizeOf` makes of them all together. */
  max: number;
  /** A whole number above 0; 1 unless said. */
  sizeOf?: (value: V) => number;
  /** For this long a value is taken from memory without a question. */
  freshMs: number;
  /**
   * For this long after that it is still served while it is loaded again behind the request's back, changed or not; 0: the
   * request waits, and fails when loading fails.
   */
  staleMs?: number;
  /** With it, one question about what changed makes everything that didn't as fresh as if it had been loaded again. */
  changes?: FollowedChanges<V>;
  clock: () => number;
  load: (key: string) => Promise<V>;
  /** A refresh behind a request's back failed. */
  onRefreshError?: (error: unknown) => void;
}

/** A value is loaded again after this long, whatever was heard. */
const longestMs = 600_000;

/** Values of the database kept in memory. Parallel requests for one key load it once. */
export class LoadingCache<V extends object | null> {
  readonly #options: LoadingCacheOptions<V>;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #loads = new Map<string, Promise<V>>();
  #generation = 0;

  constructor(options: LoadingCacheOptions<V>) {
    this.#options = options;
    const { max, sizeOf = () => 1 } = options;
    // Counted by size: `max` would take the room for all of them now.
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
   * Keeps a value that is read along with something else, as if it had been loaded.
   * @param kept what of the result to keep under the key it belongs to; undefined: nothing
   */
  async keeping<T>(read: () => Promise<T>, kept: (result: T) => [string, V] | undefined): Promise<T> {
    const generation = this.#generation;
    const asked = this.#now();
    const result = await read();
    const entry = kept(result);
    if (entry && generation === this.#generation) this.#entries.set(entry[0], { value: entry[1], ...asked });
    return result;
  }

  /** The value in memory, however old; nobody has asked for it by that. */
  peek(key: string): V | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Milliseconds since the value in memory was what the database says; Infinity when there is none. */
  age(key: string): number {
    const entry = this.#entries.get(key);
    return entry ? this.#ageOf(key, entry) : Number.POSITIVE_INFINITY;
  }

  /** Forgets one value, or all. A load already under way may have read the old value: it is not kept. */
  invalidate(key?: string): void {
    this.#generation += 1;
    this.#loads.clear();
    if (key === undefined) this.#entries.clear();
    else this.#entries.delete(key);
  }

  #now(): Pick<Entry<V>, 'loadedAt' | 'position'> {
    const { clock, changes } = this.#options;
    return { loadedAt: clock(), position: changes?.heard.position ?? 0 };
  }

  #ageOf(key: string, entry: Entry<V>): number {
    const { changes } = this.#options;
    const age = this.#since(entry.loadedAt);
    if (!changes) return age;
    // Nor may what is made of it pass for newer than the change.
    if (changes.heard.hasChanged(changes.tenantOf(key), entry.position)) return Number.POSITIVE_INFINITY;
    return this.#follows(key, entry) ? Math.min(age, this.#since(changes.heard.heardAt)) : age;
  }

  /**
   * Whether a value is served while it is loaded again. Also one that is known to have changed: perhaps it can't be loaded now, and nobody
   * is to wait for that who needn't wait when the change was not heard of.
   */
  #isServable({ loadedAt }: Entry<V>, age: number): boolean {
    const { freshMs, staleMs = 0 } = this.#options;
    return staleMs > 0 && Math.min(age, this.#since(loadedAt)) <= freshMs + staleMs;
  }

  /** After the clock was put back, what is of the future is as old as it is ahead. */
  #since(moment: number): number {
    return Math.abs(this.#options.clock() - moment);
  }

  /** Whether a value is as good as what was last heard of changes. */
  #follows(key: string, { value, loadedAt, position }: Entry<V>): boolean {
    const { changes } = this.#options;
    if (!changes || this.#since(loadedAt) > longestMs || changes.covers?.(value) === false) return false;
    return !changes.heard.hasChanged(changes.tenantOf(key), position);
  }

  /** The value as it is now: unless it is known to have changed, what has is heard first. */
  async #renewed(key: string, entry: Entry<V>): Promise<V> {
    if (!this.#follows(key, entry)) return this.#load(key);
    await this.#options.changes?.heard.hear();
    // It may have been forgotten meanwhile.
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
