import { AsyncLocalStorage } from 'node:async_hooks';

/** Maximum time in ms that callers wait behind a slow statement. */
const patienceMs = 25;

interface Waiting<V> {
  answer: Promise<V | undefined>;
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks up rows by key for many callers: calls during a statement share the next one. A statement starts only
 * after all its calls, so no result is older than its call; a single caller does not wait for others. Under
 * load a round trip serves several calls at a fraction of the cost.
 */
export class SharedLookup<V> {
  readonly #load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, Waiting<V>>();
  /** Runs in the context, and trace, of the longest waiting caller. */
  #inContext: (work: () => void) => void = (work) => work();
  #underWay = 0;
  #patience: NodeJS.Timeout | undefined;

  /** @param load returns the values of any number of keys in one statement; missing keys have no value */
  constructor(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#load = load;
  }

  /** Returns the value of the key, if any. @throws errors of `load` */
  find(key: string): Promise<V | undefined> {
    const known = this.#waiting.get(key);
    if (known) return known.answer;
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>();
    if (this.#waiting.size === 0) this.#inContext = AsyncLocalStorage.snapshot();
    this.#waiting.set(key, { answer: promise, resolve, reject });
    if (this.#underWay === 0) this.#start();
    else this.#patience ??= setTimeout(() => this.#start(), patienceMs);
    return promise;
  }

  #start(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const asked = this.#waiting;
    this.#waiting = new Map();
    this.#underWay += 1;
    this.#inContext(() => void this.#answer(asked));
  }

  async #answer(asked: ReadonlyMap<string, Waiting<V>>): Promise<void> {
    try {
      const found = await this.#load([...asked.keys()]);
      for (const [key, { resolve }] of asked) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0 && this.#waiting.size > 0) this.#start();
    }
  }
}
