import { readdirSync, readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';

/** Clock ticks per second in /proc; 100 on every Linux that Node.js supports. */
const ticks = 100;

/**
 * Returns the CPU seconds (user and system) of a process so far, from the run times of its threads, which are more
 * precise than the hundredths of a second in `stat`. Linux only.
 */
export function cpuSeconds(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
  } catch {
    return secondsByTicks(pid);
  }
}

/** Fallback without scheduler statistics in the kernel (`CONFIG_SCHED_INFO`), or when a thread has just ended. */
function secondsByTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Returns the CPU seconds of a process and its descendants, including ended ones. Linux only. */
export function treeSeconds(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const sum = (pid: number): number => {
    const own = processes.find((process) => process.pid === pid);
    const children = processes.filter((process) => process.parent === pid);
    return (own?.seconds ?? 0) + children.reduce((total, child) => total + sum(child.pid), 0);
  };
  return sum(root);
}

function statOf(pid: number): { pid: number; parent: number; seconds: number }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const used = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return [{ pid, parent: Number(fields[1]), seconds: used / ticks }];
  } catch {
    return [];
  }
}

export interface Load {
  url: string;
  requests: Request[];
  connections?: number;
  seconds: number;
  /** Number of requests, instead of a duration. */
  amount?: number;
  /** Processes whose CPU is attributed to these requests. */
  pids: readonly number[];
  /** Databases with all their processes, attributed separately. */
  stores?: readonly number[];
  /** Expected status, default 200. */
  expect?: number;
}

export interface LoadResult {
  /** Requests per second with the expected status. */
  perSecond: number;
  /** CPU of all `pids` in microseconds per request. */
  cpuMicros: number;
  /** CPU of all `stores` in microseconds per request; 0 without any. */
  storeMicros: number;
  p50: number;
  p99: number;
  failures: number;
}

/** Sends a load and measures the CPU time of the processes. */
export async function load(options: Load): Promise<LoadResult> {
  const before = options.pids.map(cpuSeconds);
  const stores = options.stores ?? [];
  const storesBefore = stores.map(treeSeconds);
  const result = await autocannon({
    url: options.url,
    requests: options.requests,
    connections: options.connections ?? 16,
    duration: options.seconds,
    ...(options.amount === undefined ? {} : { amount: options.amount }),
  });
  const cpu = options.pids.map((pid, index) => cpuSeconds(pid) - (before[index] ?? 0));
  const storeCpu = stores.map((pid, index) => treeSeconds(pid) - (storesBefore[index] ?? 0));
  const counts = result.statusCodeStats as Record<string, { count?: number } | undefined>;
  const good = counts[String(options.expect ?? 200)]?.count ?? 0;
  if (good === 0)
    throw new Error(`nothing was answered as expected at ${options.url}: ${JSON.stringify(counts)}`);
  const all = Object.values(counts).reduce((sum, entry) => sum + (entry?.count ?? 0), 0);
  return {
    perSecond: Math.round(good / result.duration),
    cpuMicros: micros(cpu, good),
    storeMicros: micros(storeCpu, good),
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: all - good + result.errors,
  };
}

const micros = (seconds: readonly number[], requests: number): number =>
  Math.round((seconds.reduce((sum, one) => sum + one, 0) * 1e6) / requests);

/** Returns the percentile of a share, 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** Returns the run with the median CPU per request, because a mean would hide the differences of a noisy machine. */
export const medianRun = <R extends LoadResult>(runs: readonly R[]): R => {
  const sorted = [...runs].sort((a, b) => a.cpuMicros - b.cpuMicros);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('no runs');
  return middle;
};
