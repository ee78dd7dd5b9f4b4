import { AsyncLocalStorage } from 'node:async_hooks';

/** How long those who wait do so behind a statement that doesn't come back, in ms. */
const patienceMs = 25;

interface Waiting<V> {
  answer: Promise<V | undefined>;
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks rows up by key for many callers at once: who asks while a statement is under way shares the next one. A statement
 * begins only after all its callers have asked, so nobody is told anything older than their question; a caller who is
 * alone doesn't wait for others. Under load a round trip then serves several, which costs a fraction of one each.
 */
export class SharedLookup<V> {
  readonly #load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, Waiting<V>>();
  /** Runs in the context, and so in the trace, of the one who has waited longest. */
  #inContext: (work: () => void) => void = (work) => work();
  #underWay = 0;
  #patience: NodeJS.Timeout | undefined;

  /** @param load answers for any number of keys in one statement; what it leaves out isn't there */
  constructor(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#load = load;
  }

  /** The value at the key, if there is one. @throws what `load` throws */
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
