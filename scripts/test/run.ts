import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { affectedTests, changedFiles, readTree } from '../affected.ts';
import { runChecks } from './checks.ts';
import { machine, runJest } from './jest-run.ts';
import { type Options, parseOptions, testNameArguments } from './options.ts';
import { type Plan, planOf } from './plan.ts';
import { Processes } from './processes.ts';
import { repeat } from './repeat.ts';
import { reportJson, summaryText, sumText } from './report.ts';
import {
  type CheckResult,
  type FileResult,
  filesToRerun,
  hasFailed,
  maxReruns,
  outcomeOf,
  type Rerun,
  requiredTests,
} from './results.ts';

export interface RunOptions {
  readonly root: string;
  readonly args: readonly string[];
  /** Whether types, lint, unused code and layers run in parallel with the tests. */
  readonly checks: boolean;
}

interface Run {
  readonly root: string;
  readonly folder: string;
  readonly processes: Processes;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the tests, prints the report and writes `.ostiary/test-report.json`. @returns the exit code */
export async function runAndReport({ root, args, checks }: RunOptions): Promise<number> {
  const options = parseOptions(args);
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-test-'));
  const processes = new Processes();
  processes.stopOnSignals();
  const run = { root, folder, processes };
  try {
    const code = options.repeat === undefined ? await test(run, options, checks) : await repeat(run, options);
    return processes.stopping ? 130 : code;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
}

async function test(run: Run, options: Options, withChecks: boolean): Promise<number> {
  const begun = performance.now();
  const plan = planFor(run.root, options);
  const checked = withChecks ? runChecks({ ...run, print }) : Promise.resolve([]);
  const { files, problems } = await runPasses(run, plan, checked);
  const required = (process.env.OSTIARY_REQUIRED_TESTS ?? '').split(' ').filter(Boolean);
  const reruns = await rerunFailed(run, files, testNameArguments(options.jest));
  const outcome = outcomeOf(
    files,
    reruns.map(({ rerun }) => rerun),
    [
      ...(await checked),
      ...problems,
      ...reruns.flatMap((one) => one.problems),
      ...requiredTests(files, required),
    ],
  );
  if (run.processes.stopping) return 130;
  if (outcome.failed > 0) keepLogs(run, plan);
  const seconds = (performance.now() - begun) / 1000;
  writeReport(run.root, reportJson(outcome, machine, { tiers: plan.tiers, seconds }));
  print(summaryText(outcome, machine));
  print(`\n${sumText(outcome)}`);
  return outcome.failed === 0 ? 0 : 1;
}

function planFor(root: string, options: Options): Plan {
  const tree = readTree(root);
  if (options.changed === undefined) return planOf(options, tree.tests);
  const changed = changedFiles(root, options.changed === '' ? undefined : options.changed);
  print(`${changed.length} files have changed`);
  const affected = affectedTests(tree, changed);
  if (affected === 'everything') return planOf(options, tree.tests);
  print(`${affected.length} test files are affected`);
  return planOf(options, tree.tests, affected);
}

async function runPasses(
  run: Run,
  plan: Plan,
  checked: Promise<unknown>,
): Promise<{ files: FileResult[]; problems: CheckResult[] }> {
  const files: FileResult[] = [];
  const problems: CheckResult[] = [];
  for (const { title, folder, args, files: chosen, alone } of plan.passes) {
    if (alone) await checked;
    if (run.processes.stopping) break;
    print(`\n${title}`);
    const done = await runJest({
      ...run,
      folder: join(run.folder, folder),
      title,
      args,
      ...(chosen && { files: chosen }),
    });
    files.push(...done.files);
    problems.push(...done.problems);
  }
  return { files, problems };
}

/** Runs each failed file again, alone, on a fresh system, after everything else. */
async function rerunFailed(
  run: Run,
  files: readonly FileResult[],
  names: readonly string[],
): Promise<{ rerun: Rerun; problems: readonly CheckResult[] }[]> {
  const failed = filesToRerun(files);
  if (failed.length < files.filter(hasFailed).length)
    print(`\nMore than ${maxReruns} files failed; none of them is run again.`);
  const reruns: { rerun: Rerun; problems: readonly CheckResult[] }[] = [];
  for (const [index, first] of failed.entries()) {
    if (run.processes.stopping) break;
    const title = `Rerun of ${first.file}`;
    print(`\n${title} (${index + 1} of ${failed.length})`);
    const folder = join(run.folder, `rerun-${index + 1}`);
    const args = ['--maxWorkers=1', '--runTestsByPath', first.file, ...names];
    const { files: again, problems } = await runJest({ ...run, folder, title, args });
    const second = again.find(({ file }) => file === first.file) ?? first;
    reruns.push({ rerun: { first, second }, problems });
  }
  return reruns;
}

/** Copies the logs of the tested systems before the folder of the run is deleted. */
function keepLogs({ root, folder }: Run, plan: Plan): void {
  const folders = [...new Set(plan.passes.map((pass) => pass.folder))];
  const kept = join(root, '.ostiary', 'test-logs');
  rmSync(kept, { recursive: true, force: true });
  for (const name of folders) {
    const logs = join(folder, name, 'system', 'logs');
    if (!existsSync(logs)) continue;
    cpSync(logs, join(kept, name), { recursive: true });
  }
  if (existsSync(kept)) print(`\nLogs of the tested system: ${kept}`);
}

function writeReport(root: string, report: object): void {
  mkdirSync(join(root, '.ostiary'), { recursive: true });
  writeFileSync(join(root, '.ostiary', 'test-report.json'), `${JSON.stringify(report, null, 2)}\n`);
}
