import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Running {
  pid: number;
  started: string;
}

/** Every process of the system that has this home: they all write to its logs. */
export function processesOf(home: string): Running[] {
  const writing = processIds().filter((pid) => readLink(`/proc/${pid}/fd/1`)?.startsWith(`${home}/`));
  return writing.flatMap((pid) => {
    const since = startOf(pid);
    return since !== undefined && !isBackend(pid, writing) ? [{ pid, started: since }] : [];
  });
}

/** The processes of the list that still run. */
export const remaining = (running: readonly Running[]): Running[] =>
  running.filter(({ pid, started: since }) => startOf(pid) === since);

/** Clock ticks a second, in which /proc counts (proc_pid_stat(5)); Linux has one value for all programs. */
const ticks = 100;

/** Seconds of CPU of a process, of those that it started, and of those of them that have ended. */
export function cpuOf(root: number): number {
  const children = new Map<number, number[]>();
  const used = new Map<number, number>();
  for (const pid of processIds()) {
    const fields = statOf(pid);
    if (fields === undefined) continue;
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
    // User and system time, and those of children that were waited for.
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

/** One of a server's many, which share its log and go with it. One that has just been forked is known by its parent alone. */
const isBackend = (pid: number, writing: readonly number[]): boolean =>
  commandOf(pid).startsWith('postgres: ') || writing.includes(Number(statOf(pid)?.[1]));

/** Nothing of a process that has ended meanwhile. */
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

/** When a process that lives began, which tells it from a later one with the same id. */
function startOf(pid: number): string | undefined {
  const fields = statOf(pid);
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

/** What is known of a process, from its state on (proc_pid_stat(5)). */
function statOf(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
