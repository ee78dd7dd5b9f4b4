/** `npm test -- --repeat 20 --load <file>`: measures how often a test file fails. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runJest } from './jest-run.ts';
import { startLoad, stopLoad } from './load.ts';
import type { Options } from './options.ts';
import type { Processes } from './processes.ts';
import type { CheckResult, FileResult } from './results.ts';

const busyProcesses = 2;

interface Repetition {
  readonly files: readonly FileResult[];
  readonly problems: readonly CheckResult[];
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the files the given number of times, each on a fresh system. @returns the exit code */
export async function repeat(
  run: { root: string; folder: string; processes: Processes },
  { repeat: times = 1, load, jest }: Options,
): Promise<number> {
  const busy = load ? startLoad(busyProcesses) : [];
  const repetitions: Repetition[] = [];
  try {
    while (repetitions.length < times && !run.processes.stopping) {
      const number = repetitions.length + 1;
      const begun = performance.now();
      const folder = join(run.folder, `run-${number}`);
      const args = ['--maxWorkers=1', ...jest];
      const done = await runJest({ ...run, folder, title: `Run ${number}`, args, quiet: true });
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
      if (run.processes.stopping) break;
      if (done.files.length === 0 && done.problems.length === 0)
        throw new Error(`No test file matches ${jest.join(' ')}.`);
      repetitions.push(done);
      const seconds = (performance.now() - begun) / 1000;
      print(
        `${String(number).padStart(5)} of ${times}  ${isRed(done) ? 'FAILED' : 'passed'}  ${seconds.toFixed(1)} s`,
      );
    }
  } finally {
    stopLoad(busy);
  }
  print(repetitionText(repetitions));
  return repetitions.some(isRed) ? 1 : 0;
}

const isRed = ({ files, problems }: Repetition): boolean =>
  problems.length > 0 || files.some(({ failed }) => failed > 0);

/** Returns the distinct failures with the number of runs that had them, and the failure rate as the last line. */
export function repetitionText(repetitions: readonly Repetition[]): string {
  const counts = new Map<string, { runs: number; firstError: string }>();
  for (const { files, problems } of repetitions) {
    const failures = [
      ...files.flatMap(({ file, failures }) =>
        failures.map(({ test, error }) => ({ name: `${file}: ${test}`, error })),
      ),
      ...problems.map(({ error = '' }) => ({ name: 'Outside of the tests', error })),
    ];
    for (const { name, error } of failures) {
      const known = counts.get(name);
      counts.set(name, { runs: (known?.runs ?? 0) + 1, firstError: known?.firstError ?? error });
    }
  }
  const rows = [...counts]
    .sort(([, a], [, b]) => b.runs - a.runs)
    .map(([name, { runs, firstError }]) => `  ${runs} × ${name}\n      ${firstError}`);
  const failed = repetitions.filter(isRed).length;
  return [
    ...(rows.length > 0 ? ['', 'Failed:', ...rows] : []),
    '',
    `${failed} of ${repetitions.length} failed`,
  ].join('\n');
}
