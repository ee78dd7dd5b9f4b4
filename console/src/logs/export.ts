import { csvCell } from './csv-cell.ts';
import type { LogEntry } from './entry.ts';
import { MergedLog } from './merged-log.ts';
import type { LogReader } from './readers.ts';

export type Format = 'csv' | 'jsonl';

/** Maximum number of entries per file: limited by browser memory and one minute's budget of the graph. */
export const maxExported = 50_000;
const chunk = 500;

const columns: readonly [string, (entry: LogEntry) => string | number | null][] = [
  ['time', ({ at }) => at],
  ['log', ({ log }) => log],
  ['action', ({ action }) => action],
  ['status', ({ status }) => status],
  ['detail', ({ detail }) => detail],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['on_behalf_of', ({ actor }) => actor.onBehalfOf],
  ['resource_type', ({ resourceType }) => resourceType],
  ['resource_id', ({ resourceId }) => resourceId],
  ['resource_name', ({ resourceName }) => resourceName],
  ['version', ({ version }) => version],
  ['client_id', ({ clientId }) => clientId],
  ['source', ({ source }) => source],
  ['ip_address', ({ ipAddress }) => ipAddress],
  ['user_agent', ({ userAgent }) => userAgent],
  ['request_id', ({ requestId }) => requestId],
  ['trace_id', ({ traceId }) => traceId],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['changes', ({ changes }) => (changes.length === 0 ? null : JSON.stringify(changes))],
];

const lineOf: Readonly<Record<Format, (entry: LogEntry) => string>> = {
  csv: (entry) => `${columns.map(([, of]) => csvCell(of(entry))).join(',')}\r\n`,
  jsonl: ({ key: _, ...entry }) => `${JSON.stringify(entry)}\n`,
};

export interface Exported {
  blob: Blob;
  count: number;
  /** Whether the result exceeds the maximum. */
  isCut: boolean;
  /** Logs that could not be read; the file is incomplete. */
  missing: readonly string[];
}

/** Reads a search result by pages, to its end or the maximum. */
export async function exportLog(
  readers: readonly LogReader[],
  format: Format,
  { signal, onProgress }: { signal: AbortSignal; onProgress(count: number): void },
): Promise<Exported> {
  const log = new MergedLog(readers, 100);
  const parts: string[] = format === 'csv' ? [`${columns.map(([name]) => name).join(',')}\r\n`] : [];
  let count = 0;
  while (log.hasMore && count < maxExported) {
    const entries = await log.next(Math.min(chunk, maxExported - count));
    signal.throwIfAborted();
    if (entries.length === 0) break;
    parts.push(entries.map(lineOf[format]).join(''));
    count += entries.length;
    onProgress(count);
  }
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/jsonl;charset=utf-8';
  return { blob: new Blob(parts, { type }), count, isCut: log.hasMore, missing: [...log.failures.keys()] };
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Delayed, because the browser reads the object URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
