import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type ServiceKit } from '../kit/kit.ts';
import type { KeyRing } from './key-ring.ts';
import { namedHead, openBytes, sealBytes } from './sealed-bytes.ts';

/** A sealed value in its row. */
export interface SealedRow {
  /** Primary key of the row. */
  readonly id: readonly string[];
  /** Values from which the context is computed. */
  readonly place: readonly string[];
  readonly sealed: Buffer;
}

/** Rows of a column of sealed values. */
export interface SealedRows {
  /** Name in the form `schema.table.column`. */
  readonly name: string;
  /** Returns the number of values that do not begin with `head`. */
  countOthers(head: Buffer): Promise<number>;
  /**
   * Locks the next values after the row `after` that do not begin with `head`, skipping locked rows, and
   * writes the result of `renewed` in the same transaction; undefined leaves a value unchanged.
   * @returns the rows read
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
  /** Returns the context with which a value was sealed. */
  readonly context: (place: readonly string[]) => string;
}

/** Values per transaction, and the pause after it; both are small so that other work is not delayed. */
const batchSize = 100;
const pauseMs = 20;
const metric = 'sealed_values_behind';

export interface ReencryptionOptions {
  /** Name of the variable with the key. */
  variable: string;
  columns: readonly SealedColumn[];
  /** Column of the kept keys, which states the current key of the process that started last. */
  leading: SealedColumn;
  kit: Pick<ServiceKit, 'log' | 'metrics'>;
}

/**
 * Seals all values again that are not under the current key, while two keys are valid. It may be interrupted
 * at any time and run in several processes: each batch is a transaction, and rows locked by another process
 * are skipped.
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
        help: 'Number of values in PostgreSQL that are not encrypted with the current key; at 0, the previous key can be removed',
        labelNames: ['variable', 'column'] as const,
        registers: [options.kit.metrics],
      });
  }

  /**
   * @returns the number of values not under the current key; undefined if only one key is valid and no
   * replacement is in progress
   */
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
    // A process of an earlier step does not undo the work of a later one.
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
