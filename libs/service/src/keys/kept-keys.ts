import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, ServiceUnavailable } from '../errors.ts';
import type { ServiceKit } from '../kit/kit.ts';
import { NotReady } from '../kit/reasons.ts';
import type { KeyRing, RingKey } from './key-ring.ts';
import { isUnderCurrent, openBytes, sealBytes } from './sealed-bytes.ts';

/** Storage of a service's kept keys. */
export interface KeptKeyStore {
  all(): Promise<readonly { purpose: string; sealed: Buffer }[]>;
  /** Does not replace existing keys. */
  add(rows: readonly { purpose: string; sealed: Buffer }[]): Promise<void>;
  /** Replaces a key only if it still equals `before`. */
  replace(row: { purpose: string; before: Buffer; after: Buffer }): Promise<void>;
}

export interface KeptKeysOptions<P extends string> {
  /** Name of the variable with the service's key, for messages to operators. */
  variable: string;
  masters: KeyRing;
  /** Keys that seal only these values, with the names of the masters. */
  ring: KeyRing;
  purposes: readonly P[];
  /** Computes the initial value of a key. */
  derive: (master: Buffer, purpose: P) => Buffer;
  store: KeptKeyStore;
  /**
   * Returns the valid key with which the database is already sealed, or undefined if it has no sealed value.
   */
  master?: () => Promise<RingKey | undefined>;
  kit: Pick<ServiceKit, 'log' | 'health'>;
}

/** Returns a key that has been read from the database. @throws ServiceUnavailable before that */
export type Key = () => Buffer;

export const keptKeyContext = (purpose: string): string => `kept-key/${purpose}`;

/** Missing table, schema, column or privilege: a process that starts before its migrations. */
const isUnmigrated = (error: unknown): boolean =>
  ['42P01', '3F000', '42703', '42501'].includes(String((error as { code?: unknown } | null)?.code));

/** Retry interval of the database in milliseconds. */
const againMs = 500;

/**
 * Keys for values that are stored elsewhere and cannot be recomputed: digests of tokens, and identifiers of
 * users and sessions. They derive from the first key of the installation and are retained when it is
 * replaced: the database stores them, sealed with the current key.
 * The process that started last determines the current key. In a rollout all processes are replaced, so it is
 * a new one.
 */
export class KeptKeys<P extends string> {
  readonly #options: KeptKeysOptions<P>;
  readonly #keys = new Map<P, Buffer>();
  readonly #stopping = new AbortController();
  #loading: Promise<void> = Promise.resolve();
  #loaded = false;

  constructor(options: KeptKeysOptions<P>) {
    this.#options = options;
    options.kit.health.check('keys', async () => {
      // Loaded from the database, whose own health check states the reason.
      if (!this.#loaded) throw new NotReady('not_loaded');
    });
  }

  of(purpose: P): Key {
    return () => {
      const key = this.#keys.get(purpose);
      if (!key) throw new ServiceUnavailable('postgresql');
      return key;
    };
  }

  /**
   * Reads the keys. If the database or its migrations are not available (see /readyz), it retries while the
   * process serves requests that need no keys.
   * @throws Error if no valid key opens the stored keys
   */
  async start(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      if (!isUnavailable(error) && !isUnmigrated(error)) throw error;
      this.#loading = this.#tryOn();
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loading;
  }

  async #tryOn(): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#loaded && !signal.aborted) {
      await sleep(againMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#load().catch((error: unknown) => {
        if (!isUnavailable(error) && !isUnmigrated(error))
          this.#options.kit.log.error(
            { event: 'keys.unreadable', err: error },
            'Encryption keys could not be read',
          );
      });
    }
  }

  async #load(): Promise<void> {
    const { store, ring, purposes } = this.#options;
    let rows = await store.all();
    const known = new Set(rows.map(({ purpose }) => purpose));
    const missing = purposes.filter((purpose) => !known.has(purpose));
    if (missing.length > 0) {
      await store.add(await this.#made(missing, rows.length === 0));
      rows = await store.all();
    }
    for (const purpose of purposes) {
      const row = rows.find((each) => each.purpose === purpose);
      if (!row) throw new Error(`the key ${purpose} is not kept`);
      this.#keys.set(purpose, this.#open(purpose, row.sealed));
      if (ring.all.length > 1 && !isUnderCurrent(ring, row.sealed)) {
        const after = sealBytes(ring, this.#open(purpose, row.sealed), keptKeyContext(purpose));
        await store.replace({ purpose, before: row.sealed, after });
      }
    }
    this.#loaded = true;
  }

  async #made(missing: readonly P[], isFirst: boolean): Promise<{ purpose: string; sealed: Buffer }[]> {
    const { masters, ring, derive, master } = this.#options;
    // A database that predates kept keys may be read for the first time during a key replacement.
    const { bytes } = (isFirst ? await master?.() : undefined) ?? masters.current;
    return missing.map((purpose) => ({
      purpose,
      sealed: sealBytes(ring, derive(bytes, purpose), keptKeyContext(purpose)),
    }));
  }

  #open(purpose: P, sealed: Buffer): Buffer {
    try {
      return openBytes(this.#options.ring, sealed, keptKeyContext(purpose));
    } catch (error) {
      const { variable } = this.#options;
      throw new Error(
        `${variable} is not the key that encrypts this database. Set the previous key as ${variable}_SECOND until every value is encrypted with the new one.`,
        { cause: error },
      );
    }
  }
}
