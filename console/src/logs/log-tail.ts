import type { LogEntry } from './entry.ts';
import type { LogPage, LogReader } from './readers.ts';

const pageSize = 100;
/** More than that in one go is passed over: whoever watches couldn't read it, and the newest counts. */
const mostPages = 25;
/** What is committed late stands before what was read already; so far back is read again. */
const overlapMs = 2000;
const overlapEntries = 50;

/** What is new in a log since it was last asked. */
export class LogTail {
  readonly #reader: LogReader;
  /** The newest that were read, newest first: as far as they are read again, and the one from which on. */
  #recent: LogPage['entries'] = [];

  constructor(reader: LogReader) {
    this.#reader = reader;
  }

  /** Newest first. `hasGap`: there was more than can be shown, and it was passed over. */
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
    for (let page = 0; from !== undefined && page < mostPages; page += 1) {
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
    // The last of them is where it is read on from next time, so it is beyond what is read again.
    this.#recent = entries.slice(0, Math.min(old === -1 ? entries.length : old + 1, overlapEntries));
  }
}
