import type { LogEntry } from './entry.ts';
import type { LogPage, LogReader } from './readers.ts';

const pageSize = 100;
/** Maximum number of pages per poll. Older new entries are skipped: the display is live, and the newest matter. */
const maxPages = 25;
/** Entries that are committed late appear before ones that were already read, so this period is read again. */
const overlapMs = 2000;
const overlapEntries = 50;

/** Reads the entries added to a log since the previous read. */
export class LogTail {
  readonly #reader: LogReader;
  /** Most recent entries, newest first: those that are read again, and the anchor before them. */
  #recent: LogPage['entries'] = [];

  constructor(reader: LogReader) {
    this.#reader = reader;
  }

  /** Returns new entries, newest first. `hasGap`: entries were skipped because there were too many. */
  async read(): Promise<{ entries: LogEntry[]; hasGap: boolean }> {
    const known = new Set(this.#recent.map(({ entry }) => entry.key));
    const anchor = this.#recent.at(-1);
    const { entries, hasGap } = await this.#since(anchor?.cursor);
    const fresh = entries.filter(({ entry }) => !known.has(entry.key));
    this.#remember(hasGap || !anchor ? entries : [...entries, anchor]);
    return { entries: fresh.map(({ entry }) => entry), hasGap };
  }

  async #since(before: string | undefined): Promise<{ entries: LogPage['entries']; hasGap: boolean }> {
    let entries: LogPage['entries'] = [];
    let from = before;
    for (let page = 0; from !== undefined && page < maxPages; page += 1) {
      const read = await this.#reader.read({ before: from }, pageSize);
      entries = [...read.entries, ...entries];
      if (!read.hasNewer || read.entries.length === 0) return { entries, hasGap: false };
      from = read.entries[0]?.cursor;
    }
    const newest = await this.#reader.read(undefined, pageSize);
    return { entries: newest.entries, hasGap: before !== undefined };
  }

  #remember(entries: LogPage['entries']): void {
    const newest = Date.parse(entries[0]?.entry.at ?? '');
    const old = entries.findIndex(({ entry }) => newest - Date.parse(entry.at) > overlapMs);
    // The last entry is the anchor of the next read, so it lies beyond the period that is read again.
    this.#recent = entries.slice(0, Math.min(old === -1 ? entries.length : old + 1, overlapEntries));
  }
}
