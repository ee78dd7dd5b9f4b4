import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Identity of a process, distinct from a later one with the same id: `started` is the operating system's
 * start time, compared only for equality.
 */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

/** Returns the identity of a process; undefined if it is gone (or a zombie). */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command in parentheses may itself contain spaces and parentheses; the fields follow the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return { pid, started: fields[19] ?? '' };
    } catch {
      return undefined;
    }
  }
  try {
    const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    const [state = '', ...started] = output.split(/\s+/);
    return output === '' || state.startsWith('Z') ? undefined : { pid, started: started.join(' ') };
  } catch {
    return undefined;
  }
}

/** Returns the identity of this process. */
export const self = (): ProcessIdentity => identify(process.pid) ?? { pid: process.pid, started: '' };

/** Reports whether exactly this process, not a later one with its id, is running. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Returns the command line of a process, joined by spaces; empty if it cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Sends a signal to exactly this process; false if it is gone. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the process is gone; false if it is still running after `timeoutMs`. */
export async function gone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await sleep(15);
  }
  return true;
}

/** Ends a process with `first`, and with SIGKILL if it is still running after `patienceMs`. */
export async function end(
  identity: ProcessIdentity,
  first: NodeJS.Signals,
  patienceMs: number,
): Promise<void> {
  signal(identity, first);
  if (await gone(identity, patienceMs)) return;
  signal(identity, 'SIGKILL');
  await gone(identity, 5_000);
}
