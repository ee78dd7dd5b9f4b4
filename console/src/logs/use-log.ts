import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';
import type { LogEntry } from './entry.ts';
import type { LogFilter } from './filter.ts';
import type { LogName } from './log-name.ts';
import { LogTail } from './log-tail.ts';
import { MergedLog, newestFirst } from './merged-log.ts';
import { type LogReader, logReader } from './readers.ts';

export type Failures = ReadonlyMap<LogName, Failure>;

const noFailures: Failures = new Map();

export function useReaders(logs: readonly LogName[], filter: LogFilter): readonly LogReader[] {
  const client = useApolloClient();
  const key = JSON.stringify([logs, filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key represents both values
  return useMemo(() => logs.map((log) => logReader(client, log, filter)), [client, key]);
}

const pageSize = 100;
/** Maximum number of listed entries. Beyond it, a filter is more useful than scrolling. */
export const maxListed = 20_000;

export interface ListedLog {
  entries: readonly LogEntry[];
  failures: Failures;
  isLoading: boolean;
  /** Undefined at the end or at the maximum. */
  onMore: (() => void) | undefined;
  reread(): void;
}

/** Searches logs; more entries are read on scrolling. */
export function useListedLog(readers: readonly LogReader[], isOn: boolean): ListedLog {
  const [round, setRound] = useState(0);
  const merged = useRef<MergedLog>(undefined);
  const isReading = useRef(false);
  const [listed, setListed] = useState<{
    entries: readonly LogEntry[];
    hasMore: boolean;
    failures: Failures;
  }>({
    entries: [],
    hasMore: false,
    failures: noFailures,
  });
  const [isLoading, setLoading] = useState(false);
  const read = useCallback(async (log: MergedLog) => {
    if (isReading.current) return;
    isReading.current = true;
    setLoading(true);
    const more = await log.next(pageSize);
    isReading.current = false;
    // The search may have changed in the meantime.
    if (merged.current !== log) return;
    setLoading(false);
    setListed(({ entries }) => ({
      entries: [...entries, ...more],
      hasMore: log.hasMore,
      failures: new Map(log.failures),
    }));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again
  useEffect(() => {
    if (!isOn) return;
    const log = new MergedLog(readers);
    merged.current = log;
    isReading.current = false;
    setListed({ entries: [], hasMore: false, failures: noFailures });
    void read(log);
    return () => {
      merged.current = undefined;
    };
  }, [readers, isOn, round, read]);
  const onMore = useCallback(() => {
    if (merged.current) void read(merged.current);
  }, [read]);
  return {
    entries: listed.entries,
    failures: listed.failures,
    isLoading,
    onMore: listed.hasMore && listed.entries.length < maxListed ? onMore : undefined,
    reread: () => setRound((before) => before + 1),
  };
}

/** Maximum number of entries in the live view; the oldest are dropped. */
export const maxLive = 2000;
const everyMs = 1000;
/** Minimum pause between two polls in milliseconds, which keeps the browser responsive. */
const minPauseMs = 200;

export interface LiveLog {
  entries: readonly LogEntry[];
  failures: Failures;
  /** Time of the last poll that skipped entries. */
  passedOverAt: string | undefined;
}

/** Polls logs for new entries. */
export function useLiveLog(readers: readonly LogReader[], isOn: boolean): LiveLog {
  const [live, setLive] = useState<LiveLog>({ entries: [], failures: noFailures, passedOverAt: undefined });
  useEffect(() => {
    if (!isOn) return;
    setLive({ entries: [], failures: noFailures, passedOverAt: undefined });
    const tails = readers.map((reader) => ({ log: reader.log, tail: new LogTail(reader) }));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const poll = async () => {
      const begun = performance.now();
      // A hidden page does not poll; it catches up when it becomes visible.
      const read = document.visibilityState === 'visible' ? await readAll(tails) : undefined;
      if (isOver) return;
      if (read) setLive((before) => combine(before, read));
      timer = setTimeout(() => void poll(), Math.max(everyMs - (performance.now() - begun), minPauseMs));
    };
    void poll();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [readers, isOn]);
  return live;
}

interface Read {
  entries: LogEntry[];
  failures: Failures;
  hasGap: boolean;
}

async function readAll(tails: readonly { log: LogName; tail: LogTail }[]): Promise<Read> {
  const failures = new Map<LogName, Failure>();
  const read = await Promise.all(
    tails.map(({ log, tail }) =>
      tail.read().catch((error: unknown) => {
        failures.set(log, failureOf(error));
        return { entries: [], hasGap: false };
      }),
    ),
  );
  return {
    entries: read.flatMap(({ entries }) => entries),
    hasGap: read.some(({ hasGap }) => hasGap),
    failures,
  };
}

function combine(before: LiveLog, { entries, failures, hasGap }: Read): LiveLog {
  const isSame = entries.length === 0 && failures.size === 0 && before.failures.size === 0;
  if (isSame) return before;
  return {
    entries:
      entries.length === 0
        ? before.entries
        : [...entries, ...before.entries].sort(newestFirst).slice(0, maxLive),
    failures,
    passedOverAt: hasGap ? new Date().toISOString() : before.passedOverAt,
  };
}
