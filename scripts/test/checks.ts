/** Static checks of a run. Each counts as one test. */
import { environment } from './environment.ts';
import { beginningOf } from './jest-results.ts';
import type { Processes } from './processes.ts';
import type { CheckResult } from './results.ts';

type Check = readonly [name: string, program: string, ...args: string[]];

const checks: readonly Check[] = [
  ['Types', 'turbo', 'run', 'typecheck', '--output-logs=errors-only', '--no-update-notifier'],
  ['Types of the scripts', 'tsc', '-p', 'scripts/tsconfig.json'],
  ['Lint and format', 'biome', 'check', '.'],
  ['Unused code and dependencies', 'knip'],
  ['Layers', 'npm', 'run', '--silent', 'lint:layers'],
  ['Prose', 'npm', 'run', '--silent', 'lint:prose'],
];

/** Runs the checks one after the other, in parallel with the tests. */
export async function runChecks(o: {
  root: string;
  folder: string;
  processes: Processes;
  print(line: string): void;
}): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [name, program, ...args] of checks) {
    if (o.processes.stopping) break;
    const begun = performance.now();
    const env = environment(o.root, o.folder);
    const { code, output } = await o.processes.run(program, args, {
      cwd: o.root,
      env,
      quiet: true,
      polite: true,
    });
    const seconds = (performance.now() - begun) / 1000;
    o.print(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
    if (code !== 0) o.print(output);
    results.push({ name, seconds, counted: true, ...(code === 0 ? {} : { error: beginningOf(output) }) });
  }
  return results;
}
