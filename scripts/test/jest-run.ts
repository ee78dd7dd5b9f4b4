import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { environment } from './environment.ts';
import { fileResults, type JestResults } from './jest-results.ts';
import { testNameArguments } from './options.ts';
import type { Processes } from './processes.ts';
import type { CheckResult, FileResult } from './results.ts';

export interface JestOptions {
  readonly root: string;
  /** Folder of the systems that the tests share; created when it does not exist. */
  readonly folder: string;
  readonly title: string;
  readonly args: readonly string[];
  /** Paths of the test files from the root, unless the arguments select them. */
  readonly files?: readonly string[];
  readonly processes: Processes;
  /** Collects Jest's output instead of printing it. */
  readonly quiet?: boolean;
}

export interface JestRun {
  readonly files: readonly FileResult[];
  /** Failures that belong to no test file: broken invariants of the shared system, a crash of Jest. */
  readonly problems: readonly CheckResult[];
  readonly output: string;
}

const here = resolve(import.meta.dirname, '..', '..');
const jestProgram = join(here, 'node_modules', 'jest', 'bin', 'jest.js');
const progress = join(here, 'scripts', 'jest', 'progress.mjs');
/** Jest prints every path that it is given as an argument; a filter prints none. */
const chosenFiles = join(here, 'scripts', 'jest', 'chosen-files.cjs');

export const machine = { cpus: cpus().length };

let runs = 0;

/** Runs one Jest process and reads its results. */
export async function runJest(o: JestOptions): Promise<JestRun> {
  await mkdir(o.folder, { recursive: true });
  runs += 1;
  const results = join(o.folder, `results-${runs}.json`);
  const loads = join(o.folder, `loads-${runs}.jsonl`);
  const skips = join(o.folder, `skips-${runs}.jsonl`);
  const flaws = join(o.folder, `flaws-${runs}.txt`);
  const chosen = join(o.folder, `files-${runs}.json`);
  if (o.files) writeFileSync(chosen, JSON.stringify(o.files.map((file) => resolve(o.root, file))));
  const begun = performance.now();
  const { code, output, hung } = await o.processes.run(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      jestProgram,
      // A worker keeps all objects that the test code of its files references. With some gigabytes of these, a garbage
      // collection takes seconds, in which the tested code misses its deadlines.
      '--workerIdleMemoryLimit=1GB',
      '--passWithNoTests',
      '--reporters=default',
      `--reporters=${progress}`,
      '--json',
      `--outputFile=${results}`,
      ...(o.files ? [`--filter=${chosenFiles}`] : []),
      ...o.args,
    ],
    {
      cwd: o.root,
      env: {
        ...environment(o.root, o.folder),
        OSTIARY_TEST_LOADS: loads,
        OSTIARY_TEST_SKIPS: skips,
        OSTIARY_TEST_FLAWS: flaws,
        ...(o.files && { OSTIARY_TEST_FILES: chosen }),
      },
      quiet: o.quiet ?? false,
      finished: results,
    },
  );
  const files = existsSync(results) ? filesOf(o, { results, loads, skips }) : [];
  const error = problemOf({
    code,
    hung,
    hasResults: existsSync(results),
    hasFailures: files.some(({ failed }) => failed > 0),
    flaws: existsSync(flaws) ? readFileSync(flaws, 'utf8').trim() : '',
  });
  const seconds = (performance.now() - begun) / 1000;
  const isProblem = error !== undefined && !o.processes.stopping;
  return {
    files,
    output,
    problems: isProblem ? [{ name: o.title, seconds, counted: false, error }] : [],
  };
}

/** Reads the results of the files. @param paths files that Jest and its tests wrote */
function filesOf(
  { root, args }: JestOptions,
  paths: { results: string; loads: string; skips: string },
): FileResult[] {
  const results = JSON.parse(readFileSync(paths.results, 'utf8')) as JestResults;
  const files = fileResults(root, results, loadsIn(paths.loads, root), skipsIn(paths.skips, root));
  // Jest reports a test with another name than the selected one as skipped.
  return testNameArguments(args).length === 0 ? files : files.map((file) => ({ ...file, skipped: 0 }));
}

/** Returns the problem outside of the test files. */
export function problemOf(o: {
  code: number | null;
  hung: boolean;
  hasResults: boolean;
  hasFailures: boolean;
  flaws: string;
}): string | undefined {
  if (o.flaws !== '') return o.flaws;
  if (!o.hasResults) return `Jest ended without results (exit code ${o.code}).`;
  if (o.hung) return 'Jest did not exit because a test left something open.';
  if (o.code !== 0 && !o.hasFailures) return `Jest ended with exit code ${o.code}, but no test failed.`;
  return undefined;
}

/** Reads the load of the machine at each failure, as progress.mjs wrote it. */
function loadsIn(path: string, root: string): Map<string, readonly number[]> {
  return new Map(
    linesIn<{ file: string; load: number[] }>(path).map(({ file, load }) => [relative(root, file), load]),
  );
}

/** Reads the reasons of skipped tests, as recordSkip of @ostiary/service/testing wrote them. */
function skipsIn(path: string, root: string): Map<string, readonly string[]> {
  const byFile = Map.groupBy(linesIn<{ file: string; reason: string }>(path), ({ file }) =>
    relative(root, file),
  );
  return new Map([...byFile].map(([file, skips]) => [file, [...new Set(skips.map(({ reason }) => reason))]]));
}

function linesIn<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}
