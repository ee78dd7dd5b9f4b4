import { Counter, isUnavailable, type ServiceKit, type Transaction, uuidv7 } from '@ostiary/service';
import type { LogEntry, ProvisioningLog, TokenUses } from './provisioning-log.ts';

export interface LogWriterOptions {
  sql: Transaction;
  provisioningLog: ProvisioningLog;
  tokenUses: TokenUses;
  kit: ServiceKit;
  /** Maximum number of entries in memory; further ones are dropped and counted. */
  capacity?: number;
  /** Interval between writes in milliseconds. */
  intervalMs?: number;
  /** Called when entries have been written. */
  onWritten?: () => void;
}

const batchSize = 500;
const maxDetailLength = 500;

/**
 * Masks e-mail addresses in a detail, which may quote the request. The masking precedes the truncation, so that no
 * part of an address is left without its @.
 */
const shownDetail = (detail: string): string =>
  detail
    .slice(0, 4 * maxDetailLength)
    .replaceAll('\u0000', '')
    .replace(/[^\s"'<>()[\],;:@]+@/g, '…@')
    .slice(0, maxDetailLength);

/**
 * Collects entries of the provisioning log and last uses of tokens, and writes them a few times a second, so that no
 * SCIM request waits for its log entry. A stop writes the rest. A crash loses at most the last interval, and a long
 * outage of the database the entries above the capacity (`provisioning_log_dropped_total`).
 */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #capacity: number;
  readonly #dropped: Counter;
  #entries: LogEntry[] = [];
  #used = new Map<string, { tenant: string; at: Date }>();
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: LogWriterOptions) {
    this.#options = options;
    this.#capacity = options.capacity ?? 20_000;
    this.#dropped = new Counter({
      name: 'provisioning_log_dropped_total',
      help: 'Number of provisioning log entries dropped because they could not be written in time',
      registers: [options.kit.metrics],
    });
  }

  /** Adds an entry; never blocks and never throws. */
  append(entry: Omit<LogEntry, 'id'>): void {
    if (this.#entries.length >= this.#capacity) {
      this.#dropped.inc();
      return;
    }
    const detail = entry.detail === null ? null : shownDetail(entry.detail);
    this.#entries.push({ ...entry, detail, id: uuidv7(entry.at.getTime()) });
    this.#schedule();
  }

  /** Records the use of a token. */
  tokenUsed(tenant: string, tokenId: string): void {
    this.#used.set(tokenId, { tenant, at: new Date(this.#options.kit.clock()) });
    this.#schedule();
  }

  start(): void {
    this.#started = true;
    if (this.#waits) this.#schedule();
  }

  get #waits(): boolean {
    return this.#entries.length > 0 || this.#used.size > 0;
  }

  /** Later entries are written in the same batch. Without entries no timer runs. */
  #schedule(): void {
    if (!this.#started || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, this.#options.intervalMs ?? 250).unref();
  }

  /** Writes the collected entries. Failures are logged, and the entries tried again later. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  async #write(): Promise<void> {
    try {
      while (this.#entries.length > 0) {
        const batch = this.#entries.slice(0, batchSize);
        await this.#insert(batch);
        this.#entries = this.#entries.slice(batch.length);
      }
      if (this.#used.size > 0) {
        const used = this.#used;
        this.#used = new Map();
        await this.#options.tokenUses.touchTokens(used);
      }
    } catch (error) {
      this.#options.kit.log.warn(
        { event: 'provisioning_log.write_failed', err: error, waiting: this.#entries.length },
        'Provisioning log could not be written',
      );
    }
    if (this.#waits) this.#schedule();
  }

  /**
   * While the database is unavailable the batch is kept. A batch that the database rejects is dropped, because it
   * would be rejected again.
   */
  async #insert(batch: readonly LogEntry[]): Promise<void> {
    try {
      await this.#options.provisioningLog.insert(this.#options.sql, batch);
      this.#options.onWritten?.();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#dropped.inc(batch.length);
      this.#options.kit.log.error(
        { event: 'provisioning_log.entries_rejected', err: error, entries: batch.length },
        'Provisioning log entries rejected',
      );
    }
  }
}
