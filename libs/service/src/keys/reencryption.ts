import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type ServiceKit } from '../kit/kit.ts';
import type { KeyRing } from './key-ring.ts';
import { namedHead, openBytes, sealBytes } from './sealed-bytes.ts';

/** A value as it lies in its row. */
export interface SealedRow {
  /** The row's primary key. */
  readonly id: readonly string[];
  /** What its context is made of. */
  readonly place: readonly string[];
  readonly sealed: Buffer;
}

/** The rows of a column of sealed values. */
export interface SealedRows {
  /** `schema.table.column`. */
  readonly name: string;
  /** How many values begin otherwise than `head`. */
  countOthers(head: Buffer): Promise<number>;
  /**
   * Holds the next values that begin otherwise, behind the row `after`, passing over those that somebody else holds, and writes what
   * `renewed` makes of them in the same transaction; undefined leaves one alone.
   * @returns the rows it has looked at
   */
  renew(
    o: { head: Buffer; after: readonly string[] | undefined; limit: number },
    renewed: (row: SealedRow) => Buffer | undefined,
  ): Promise<readonly SealedRow[]>;
}

/** A column of sealed values. */
export interface SealedColumn {
  readonly rows: SealedRows;
  readonly ring: KeyRing;
  /** Where a value belongs, as it was given when it was sealed. */
  readonly context: (place: readonly string[]) => string;
}

/** Values of one transaction, and the pause after it: nobody waits for either. */
const batchSize = 100;
const pauseMs = 20;
const metric = 'sealed_values_behind';

export interface ReencryptionOptions {
  /** The variable with the key. */
  variable: string;
  columns: readonly SealedColumn[];
  /** The column of the kept keys: it says which key the process wants that started last. */
  leading: SealedColumn;
  kit: Pick<ServiceKit, 'log' | 'metrics'>;
}

/**
 * Seals everything anew that isn't under the current key, while two are valid. May be stopped or killed at any time, and be
 * done by several processes at once: each batch is a transaction, and rows are passed over that another one is at.
 */
export class Reencryption {
  readonly #options: ReencryptionOptions;
  readonly #behind: Gauge<'variable' | 'column'>;
  #told: number | undefined;

  constructor(options: ReencryptionOptions) {
    this.#options = options;
    this.#behind =
      (options.kit.metrics.getSingleMetric(metric) as Gauge<'variable' | 'column'> | undefined) ??
      new Gauge({
        name: metric,
        help: 'Values in PostgreSQL that are not under the current key: the former one may be taken away at 0',
        labelNames: ['variable', 'column'] as const,
        registers: [options.kit.metrics],
      });
  }

  /** @returns how many values are not under the current key; undefined when only one is valid, and none is being replaced */
  async run(signal?: AbortSignal): Promise<number | undefined> {
    const { columns, leading } = this.#options;
    if (leading.ring.all.length < 2) return undefined;
    let behind = await this.#count(leading);
    for (const column of columns) {
      await this.#renew(column, signal);
      behind += await this.#count(column);
    }
    if (!signal?.aborted) this.#tell(behind);
    return behind;
  }

  async #count({ rows, ring }: SealedColumn): Promise<number> {
    const count = await rows.countOthers(namedHead(ring.current.id));
    this.#behind.set({ variable: this.#options.variable, column: rows.name }, count);
    return count;
  }

  #tell(behind: number): void {
    if (behind === this.#told) return;
    this.#told = behind;
    const { kit, variable, leading } = this.#options;
    const found = { variable, key: leading.ring.current.id, behind };
    if (behind > 0)
      kit.log.info(
        { event: 'reencryption.pending', ...found },
        'Values remain that are not encrypted with the current key',
      );
    else
      kit.log.info(
        { event: 'reencryption.completed', ...found },
        'All values are encrypted with the current key',
      );
  }

  async #renew({ rows, ring, context }: SealedColumn, signal: AbortSignal | undefined): Promise<void> {
    const head = namedHead(ring.current.id);
    let after: readonly string[] | undefined;
    let lost = 0;
    // A process of the step before doesn't undo what those of the step after do.
    while (!signal?.aborted && (await this.#count(this.#options.leading)) === 0) {
      const seen = await rows.renew({ head, after, limit: batchSize }, ({ place, sealed }) => {
        try {
          return sealBytes(ring, openBytes(ring, sealed, context(place)), context(place));
        } catch {
          lost += 1;
          return undefined;
        }
      });
      if (seen.length < batchSize) break;
      after = seen.at(-1)?.id;
      await sleep(pauseMs, undefined, { ref: false });
    }
    if (lost > 0) {
      this.#options.kit.log.error(
        { event: 'reencryption.undecryptable', column: rows.name, lost },
        'Values cannot be decrypted with any configured key',
      );
    }
  }
}
