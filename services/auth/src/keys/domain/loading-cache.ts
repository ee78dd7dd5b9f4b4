import { LRUCache } from 'lru-cache';

interface Entry<V> {
  value: V;
  loadedAt: number;
}

export interface LoadingCacheOptions<V> {
  /** Values, or what `sizeOf` makes of them all together. */
  max: number;
  /** A whole number above 0; 1 unless said. */
  sizeOf?: (value: V) => number;
  /** For this long a value is taken from memory without a question. */
  freshMs: number;
  /**
   * For this long after that it is still served while it is loaded again behind the request's back; 0: the
   * request waits, and fails when loading fails.
   */
  staleMs?: number;
  clock: () => number;
  load: (key: string) => Promise<V>;
  /** A refresh behind a request's back failed. */
  onRefreshError?: (error: unknown) => void;
}

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
    const age = this.#options.clock() - entry.loadedAt;
    if (age <= this.#options.freshMs) return entry.value;
    if (age > this.#options.freshMs + (this.#options.staleMs ?? 0)) return this.#load(key);
    this.#load(key).catch((error) => this.#options.onRefreshError?.(error));
    return entry.value;
  }

  /**
   * Keeps a value that is read along with something else, as if it had been loaded.
   * @param kept what of the result to keep under the key it belongs to; undefined: nothing
   */
  async keeping<T>(read: () => Promise<T>, kept: (result: T) => [string, V] | undefined): Promise<T> {
    const generation = this.#generation;
    const loadedAt = this.#options.clock();
    const result = await read();
    const entry = kept(result);
    if (entry && generation === this.#generation) this.#entries.set(entry[0], { value: entry[1], loadedAt });
    return result;
  }

  /** The value in memory, however old; nobody has asked for it by that. */
  peek(key: string): V | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Milliseconds since the value in memory was loaded; Infinity when there is none. */
  age(key: string): number {
    const entry = this.#entries.get(key);
    return entry ? this.#options.clock() - entry.loadedAt : Number.POSITIVE_INFINITY;
  }

  /** Forgets one value, or all. A load already under way may have read the old value: it is not kept. */
  invalidate(key?: string): void {
    this.#generation += 1;
    this.#loads.clear();
    if (key === undefined) this.#entries.clear();
    else this.#entries.delete(key);
  }

  #load(key: string): Promise<V> {
    const running = this.#loads.get(key);
    if (running) return running;
    const generation = this.#generation;
    const loadedAt = this.#options.clock();
    const load: Promise<V> = this.#options
      .load(key)
      .then((value) => {
        if (generation === this.#generation) this.#entries.set(key, { value, loadedAt });
        return value;
      })
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    this.#loads.set(key, load);
    return load;
  }
}
