/** Conditions of a measurement, as the pages about runs state them. */
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** Returns the processors and the memory of this machine. */
export const machineHere = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`;

/** Returns the commit of the tree, abbreviated; without a git repository the word `unknown`. */
export function commitHere(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** Returns the day, commit and machine of a run. */
export const conditionsOf = (startedAt: Date): string =>
  `${startedAt.toISOString().slice(0, 10)}, commit \`${commitHere()}\`, on ${machineHere()}`;
