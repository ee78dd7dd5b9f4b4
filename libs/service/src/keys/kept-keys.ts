import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, ServiceUnavailable } from '../errors.ts';
import type { ServiceKit } from '../kit/kit.ts';
import { NotReady } from '../kit/reasons.ts';
import type { KeyRing, RingKey } from './key-ring.ts';
import { isUnderCurrent, openBytes, sealBytes } from './sealed-bytes.ts';

/** Where a service's kept keys lie. */
export interface KeptKeyStore {
  all(): Promise<readonly { purpose: string; sealed: Buffer }[]>;
  /** Leaves alone what is there. */
  add(rows: readonly { purpose: string; sealed: Buffer }[]): Promise<void>;
  /** Only if it is still what it was. */
  replace(row: { purpose: string; before: Buffer; after: Buffer }): Promise<void>;
}

export interface KeptKeysOptions<P extends string> {
  /** The variable with the service's key: for those who run it. */
  variable: string;
  masters: KeyRing;
  /** Keys of nothing but these values, by the names of the masters. */
  ring: KeyRing;
  purposes: readonly P[];
  /** What a key is when it is first kept. */
  derive: (master: Buffer, purpose: P) => Buffer;
  store: KeptKeyStore;
  /** Of the keys that are valid the one under which the database is already; undefined when it has nothing yet. */
  master?: () => Promise<RingKey | undefined>;
  kit: Pick<ServiceKit, 'log' | 'health'>;
}

/** A key that is there as soon as the database has been read. @throws ServiceUnavailable before that */
export type Key = () => Buffer;

export const keptKeyContext = (purpose: string): string => `kept-key/${purpose}`;

/** No such table, schema or column, or no right to it: what a process meets that starts before its migrations. */
const isUnmigrated = (error: unknown): boolean =>
  ['42P01', '3F000', '42703', '42501'].includes(String((error as { code?: unknown } | null)?.code));

/** Milliseconds until the database is asked again. */
const againMs = 500;

/**
 * The keys of what others have kept and can't be made anew by us: digests of their tokens, what they know people and sessions
 * by. They follow from the first key that the installation had, and stay when that is replaced: what they are is kept in the database, sealed with
 * the key of now.
 *
 * Which key that is, the process says that started last: in a rollout all are replaced, so it is one of the new ones.
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
      // Read from the database, whose own state says why.
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
   * Reads the keys; without a database yet, or one whose migrations are still to come (/readyz says so), goes on trying beside what the process can do without.
   * @throws Error when no valid key opens what is kept
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
    // A database from before there were kept keys may be met for the first time in the midst of a replacement.
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
        `${variable} is not the key this database is encrypted with. Set the former one as ${variable}_SECOND until everything is under the new one.`,
        { cause: error },
      );
    }
  }
}
