import { type Failure, failureOf } from '../graph/problems.ts';
import type { LogEntry } from './entry.ts';
import { type LogName, logNames } from './log-name.ts';
import type { LogReader } from './readers.ts';

interface Lane {
  reader: LogReader;
  /** Entries read but not yet returned, newest first. */
  waiting: LogEntry[];
  after: string | undefined;
  hasOlder: boolean;
}

/** Compares entries: newest first; ties have a fixed order. */
export const newestFirst = (one: LogEntry, other: LogEntry): number =>
  one.at === other.at ? logNames.indexOf(one.log) - logNames.indexOf(other.log) : one.at < other.at ? 1 : -1;

/**
 * Merges several logs, newest first, in pages. An entry is returned once no log can have a newer one: each log that is
 * not at its end has its next entry buffered. The result does not depend on the distribution of the entries or on
 * entries that arrive in the meantime.
 */
export class MergedLog {
  readonly #lanes: Lane[];
  readonly #pageSize: number;
  /** Logs that could not be read; the others continue. */
  readonly failures = new Map<LogName, Failure>();

  constructor(readers: readonly LogReader[], pageSize = 50) {
    this.#lanes = readers.map((reader) => ({ reader, waiting: [], after: undefined, hasOlder: true }));
    this.#pageSize = pageSize;
  }

  get hasMore(): boolean {
    return this.#lanes.some(({ waiting, hasOlder }) => waiting.length > 0 || hasOlder);
  }

  async next(count: number): Promise<LogEntry[]> {
    const taken: LogEntry[] = [];
    while (taken.length < count) {
      await Promise.all(
        this.#lanes
          .filter(({ waiting, hasOlder }) => waiting.length === 0 && hasOlder)
          .map((lane) => this.#fill(lane)),
      );
      const [newest] = this.#lanes
        .filter(({ waiting }) => waiting.length > 0)
        .sort((one, other) => newestFirst(one.waiting[0] as LogEntry, other.waiting[0] as LogEntry));
      const entry = newest?.waiting.shift();
      if (entry) taken.push(entry);
      else if (!this.hasMore) break;
    }
    return taken;
  }

  async #fill(lane: Lane): Promise<void> {
    try {
      const page = await lane.reader.read(
        lane.after === undefined ? undefined : { after: lane.after },
        this.#pageSize,
      );
      lane.waiting = page.entries.map(({ entry }) => entry);
      lane.after = page.entries.at(-1)?.cursor ?? lane.after;
      lane.hasOlder = page.hasOlder && page.entries.length > 0;
    } catch (error) {
      lane.hasOlder = false;
      this.failures.set(lane.reader.log, failureOf(error));
    }
  }
}
