import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Running {
  pid: number;
  started: string;
}

/** Returns the processes of the system with this home folder, found by their log files. */
export function processesOf(home: string): Running[] {
  const writing = processIds().filter((pid) => readLink(`/proc/${pid}/fd/1`)?.startsWith(`${home}/`));
  return writing.flatMap((pid) => {
    const since = startOf(pid);
    return since !== undefined && !isBackend(pid, writing) ? [{ pid, started: since }] : [];
  });
}

/** Returns the processes of the list that still run. */
export const remaining = (running: readonly Running[]): Running[] =>
  running.filter(({ pid, started: since }) => startOf(pid) === since);

/** Clock ticks per second in /proc (proc_pid_stat(5)), a constant on Linux. */
const ticks = 100;

/** Returns the CPU seconds of a process and its descendants, including ended ones. */
export function cpuOf(root: number): number {
  const children = new Map<number, number[]>();
  const used = new Map<number, number>();
  for (const pid of processIds()) {
    const fields = statOf(pid);
    if (fields === undefined) continue;
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    // User and system time, own and of children that were waited for.
    used.set(pid, fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / ticks);
  }
  const total = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + total(child), used.get(pid) ?? 0);
  return total(root);
}

const processIds = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/**
 * Reports whether a process is a backend of PostgreSQL, which ends with its server. A newly forked backend is
 * recognized by its parent.
 */
const isBackend = (pid: number, writing: readonly number[]): boolean =>
  commandOf(pid).startsWith('postgres: ') || writing.includes(Number(statOf(pid)?.[1]));

/** Returns the command line, or an empty string if the process has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the start time of a running process, which distinguishes it from a later process with the same id. */
function startOf(pid: number): string | undefined {
  const fields = statOf(pid);
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

/** Returns the fields of a process from its state on (proc_pid_stat(5)). */
function statOf(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
