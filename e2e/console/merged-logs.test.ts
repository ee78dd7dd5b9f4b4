import { describe, expect, test } from '@jest/globals';
import type { LogEntry } from '../../console/src/logs/entry.ts';
import type { LogName } from '../../console/src/logs/log-name.ts';
import { LogTail } from '../../console/src/logs/log-tail.ts';
import { MergedLog } from '../../console/src/logs/merged-log.ts';
import type { LogReader } from '../../console/src/logs/readers.ts';

interface Written {
  cursor: string;
  entry: LogEntry;
}

const written = (log: LogName, id: string, at: number): Written => ({
  cursor: id,
  entry: { key: `${log}:${id}`, log, at: new Date(at).toISOString() } as LogEntry,
});

/** Log in memory, newest entry first, with the interface of the graph's logs. */
function logOf(log: LogName, times: readonly number[]): { all: Written[]; reader: LogReader } {
  const all = times.toSorted((one, other) => other - one).map((at, index) => written(log, `${index}`, at));
  const read: LogReader['read'] = async (place, count) => {
    const at = (cursor: string) => all.findIndex((one) => one.cursor === cursor);
    const [from, to] =
      place === undefined
        ? [0, count]
        : 'after' in place
          ? [at(place.after) + 1, at(place.after) + 1 + count]
          : [Math.max(at(place.before) - count, 0), at(place.before)];
    return { entries: all.slice(from, to), hasOlder: to < all.length, hasNewer: from > 0 };
  };
  return { all, reader: { log, read } };
}

const spread = (count: number, over: number): number[] =>
  Array.from({ length: count }, (_, index) => (index * 7919) % over);

describe('merged logs', () => {
  test('Each entry appears once, newest first, for any page size and distribution of entries.', async () => {
    const logs = [
      logOf('audit', spread(333, 1_000_000)),
      logOf('security', spread(1200, 100_000)),
      logOf('connector', []),
      logOf('request', spread(51, 1_000_000)),
    ];
    const merged = new MergedLog(
      logs.map(({ reader }) => reader),
      7,
    );
    const seen: LogEntry[] = [];
    while (merged.hasMore) seen.push(...(await merged.next(13)));
    expect(new Set(seen.map(({ key }) => key)).size).toBe(333 + 1200 + 51);
    expect(seen).toHaveLength(333 + 1200 + 51);
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
  });

  test('A log that can’t be read is named, and the others are shown.', async () => {
    const broken: LogReader = {
      log: 'security',
      read: async () => {
        throw new TypeError('fetch failed');
      },
    };
    const merged = new MergedLog([logOf('audit', [1, 2, 3]).reader, broken]);
    expect(await merged.next(10)).toHaveLength(3);
    expect(merged.failures.get('security')).toEqual({ kind: 'offline' });
    expect(merged.hasMore).toBe(false);
  });
});

describe('live tail of a log', () => {
  test('Each entry appears once, including an entry that was committed late.', async () => {
    const { all, reader } = logOf('audit', [1, 2, 3, 4, 5]);
    const tail = new LogTail(reader);
    const shown = (await tail.read()).entries.map(({ key }) => key);
    for (let second = 1; second <= 60; second += 1) {
      for (let entry = 0; entry < (second * 7) % 30; entry += 1)
        all.unshift(written('audit', `${second}-${entry}`, second * 1000 + entry));
      const beside = all[2];
      if (second % 3 === 0 && beside)
        all.splice(2, 0, written('audit', `late-${second}`, Date.parse(beside.entry.at)));
      const { entries, hasGap } = await tail.read();
      expect(hasGap).toBe(false);
      shown.push(...entries.map(({ key }) => key));
    }
    expect(new Set(shown).size).toBe(shown.length);
    expect(new Set(shown)).toEqual(new Set(all.map(({ entry }) => entry.key)));
  });

  test('When more entries are written than can be read, the tail reports a gap and continues with the newest.', async () => {
    const { all, reader } = logOf('audit', [1]);
    const tail = new LogTail(reader);
    await tail.read();
    for (let entry = 0; entry < 10_000; entry += 1)
      all.unshift(written('audit', `new-${entry}`, 1000 + entry));
    const { entries, hasGap } = await tail.read();
    expect(hasGap).toBe(true);
    expect(entries[0]?.key).toBe('audit:new-9999');
    expect(entries.length).toBeLessThan(10_000);
  });
});
