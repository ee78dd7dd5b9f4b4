import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process, told apart from a later one that was given the same number: `started` is whatever the
 * operating system says about the moment it began, only ever compared for equality.
 */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

/** What the operating system says of a process: undefined when it is gone (or only a zombie remains). */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command in parentheses may itself hold spaces and parentheses; the fields follow the last one.
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

/** This very process. */
export const self = (): ProcessIdentity => identify(process.pid) ?? { pid: process.pid, started: '' };

/** True while exactly this process, and not a successor with its number, is there. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** The command line of a process, arguments joined by spaces; empty when it can't be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Sends a signal to exactly this process; false when it is gone. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the process is gone; false when it is still there after `timeoutMs`. */
export async function gone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await sleep(15);
  }
  return true;
}

/** Ends a process politely with `first`, and with SIGKILL when it hasn't gone after `patienceMs`. */
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
