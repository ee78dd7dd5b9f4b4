import { Counter, isUnavailable, type ServiceKit, type Transaction, uuidv7 } from '@ostiary/service';
import type { LogEntry, ProvisioningLog, TokenUses } from '../domain/provisioning-log.ts';

export interface LogWriterOptions {
  sql: Transaction;
  provisioningLog: ProvisioningLog;
  tokenUses: TokenUses;
  kit: ServiceKit;
  /** Entries held in memory at most; beyond, new ones are dropped and counted. */
  capacity?: number;
  /** Milliseconds between writes. */
  intervalMs?: number;
  /** Called when entries have been written. */
  onWritten?: () => void;
}

const batchSize = 500;
const longestDetail = 500;

/**
 * A detail may quote what the client sent: whose address that was is not the log's to keep. An address is masked before
 * the text is cut, so that no part of one is left without its @.
 */
const shownDetail = (detail: string): string =>
  detail
    .slice(0, 4 * longestDetail)
    .replaceAll('\u0000', '')
    .replace(/[^\s"'<>()[\],;:@]+@/g, '…@')
    .slice(0, longestDetail);

/**
 * Gathers provisioning log entries and last uses of tokens, and writes them a few times a second, so that a SCIM
 * request never waits for its own log line. A stop writes what is left; a crash loses at most the last interval,
 * and a database that is down longer than the memory lasts loses what didn't fit (`provisioning_log_dropped_total`).
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
      help: 'Provisioning log entries that were dropped because they could not be written in time',
      registers: [options.kit.metrics],
    });
  }

  /** Takes an entry; never waits and never throws. */
  append(entry: Omit<LogEntry, 'id'>): void {
    if (this.#entries.length >= this.#capacity) {
      this.#dropped.inc();
      return;
    }
    const detail = entry.detail === null ? null : shownDetail(entry.detail);
    this.#entries.push({ ...entry, detail, id: uuidv7(entry.at.getTime()) });
    this.#schedule();
  }

  /** Notes that a token was used just now. */
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

  /** What comes after it is written with it. While nothing comes no timer runs. */
  #schedule(): void {
    if (!this.#started || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, this.#options.intervalMs ?? 250).unref();
  }

  /** Writes what has gathered. Failures are logged, and the entries tried again later. */
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

  /** While the database is away the batch waits; one that the database refuses would be refused for ever. */
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
