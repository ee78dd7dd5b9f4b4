/**
 * `npm test`: all Jest tests, against real servers and over a running system, with types, lint, unused code and layers beside them, and at
 * last the minute of faults with nothing beside it. `npm test -- --changed` runs the tests that the changes since `main` affect
 * (`--changed=<commit>`: since that; see affected.ts). Other arguments are Jest's. Expects a built tree (bootstrap.mjs sees to that),
 * uses free ports and a temporary folder only. The last line is the sum; the exit code is 0 when nothing failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { affectedTests, changedFiles, readTree } from './affected.ts';

/** More than two cores, as tests wait more than they compute. */
const workers = '--maxWorkers=3';

interface Count {
  passed: number;
  failed: number;
}

const root = resolve(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'ostiary-test-'));
const running = new Set<ChildProcess>();
let stopping = false;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(name));
if (process.send !== undefined) process.on('disconnect', () => stop('SIGTERM'));

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const total: Count = { passed: 0, failed: 0 };
/** What failed, for the end: thousands of lines stand between a failure and the sum. */
const failures: string[] = [];
const add = (count: Count): void => {
  total.passed += count.passed;
  total.failed += count.failed;
};

const flags = process.argv.slice(2);
const changes = flags.find((flag) => /^--changed(=|$)/.test(flag));
const given = flags.filter((flag) => flag !== changes);
const affected = changes === undefined ? 'everything' : affectedSince(changes.split('=')[1]);

const checked = runChecks();
await runTests();
await checked;

if (total.failed > 0) await keepLogs();
await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
if (stopping) process.exit(130);
if (failures.length > 0) print(`\nFailed:\n${failures.map((one) => `  ${one}`).join('\n')}`);
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
process.disconnect?.();

/** One after the other, beside the tests: most of those wait most of the time. */
async function runChecks(): Promise<void> {
  for (const [name, program, ...args] of checks()) add(await check(name, program, args));
}

async function runTests(): Promise<void> {
  if (affected === 'everything') {
    add(await jest('Tests', [workers, '--ignoreProjects', 'chaos']));
    // What it measures is the processes alone.
    await checked;
    add(await jest('Departures under fire', ['--maxWorkers=1', '--selectProjects', 'chaos']));
  } else {
    print(`${affected.length} test files are affected`);
    if (affected.length > 0) add(await jest('Affected tests', [workers, '--runTestsByPath', ...affected]));
  }
}

function affectedSince(base?: string): 'everything' | readonly string[] {
  const files = changedFiles(root, base);
  print(`${files.length} files have changed`);
  return affectedTests(readTree(root), files);
}

/** Everything that isn't a Jest test; each counts as one. */
function checks(): [name: string, program: string, ...args: string[]][] {
  const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object })
    .scripts;
  return [
    ['Types', 'turbo', 'run', 'typecheck', '--output-logs=errors-only', '--no-update-notifier'],
    ['Types of the scripts', 'tsc', '-p', 'scripts/tsconfig.json'],
    ['Lint and format', 'biome', 'check', '.'],
    ['Unused code and dependencies', 'knip'],
    ...('lint:layers' in scripts
      ? [['Layers', 'npm', 'run', '--silent', 'lint:layers'] as [string, string, ...string[]]]
      : []),
  ];
}

async function check(name: string, program: string, args: readonly string[]): Promise<Count> {
  if (stopping) return { passed: 0, failed: 0 };
  const begun = performance.now();
  const { code, output } = await run(program, args, { quiet: true, polite: true });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  print(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (code !== 0) {
    print(output);
    failures.push(name);
  }
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  /** Suites that could not even be run: none of their tests is counted elsewhere. */
  numRuntimeErrorTestSuites: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** Each test that failed with the beginning of why, and each file that couldn't be run. */
function failuresIn({ testResults }: JestResults): string[] {
  const beginning = (message: string) =>
    stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, 400);
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}: ${beginning(message)}`];
      return failed.map(
        ({ fullName, failureMessages }) =>
          `${file}: ${fullName}: ${beginning((failureMessages ?? []).join('\n'))}`,
      );
    });
}

async function jest(title: string, selection: readonly string[]): Promise<Count> {
  if (stopping) return { passed: 0, failed: 0 };
  print(`\n${title}`);
  const results = join(folder, `${title}.json`);
  const { code } = await run(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      // A worker keeps what the test code of every file it has run still refers to. With some gigabytes of that, collecting garbage takes
      // seconds, in which what is tested neither answers nor keeps its deadlines.
      '--workerIdleMemoryLimit=1GB',
      '--passWithNoTests',
      '--reporters=default',
      `--reporters=${join(root, 'scripts', 'jest', 'progress.mjs')}`,
      '--json',
      `--outputFile=${results}`,
      ...selection,
      ...given,
    ],
    { quiet: false, finished: results },
  );
  if (!existsSync(results)) {
    failures.push(`${title}: Jest ended without results`);
    return { passed: 0, failed: stopping ? 0 : 1 };
  }
  const found = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
  failures.push(...failuresIn(found));
  const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
  return { passed: found.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** The surroundings of a check or test: nothing of a system that runs or is configured here may leak in. */
function environment(): NodeJS.ProcessEnv {
  const leaking =
    /^(DATABASE_URL|REDIS_URL|PORT|HOST|PUBLIC_ORIGIN|OSTIARY_HOME|OSTIARY_BEGUN|NODE_ENV|NODE_CHANNEL_.*|NODE_OPTIONS)$/;
  const kept = Object.entries(process.env).filter(([name]) => !leaking.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    OSTIARY_TEST_FOLDER: folder,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    ...found('CHROMIUM_PATH', ['chromium', 'chromium-browser', 'google-chrome']),
    ...found('NGINX_PATH', ['nginx']),
    ...found('REDIS_SERVER_PATH', ['redis-server']),
  };
}

/** A program that some tests are skipped without, if this machine has one, by any of its names. */
function found(variable: string, names: readonly string[]): NodeJS.ProcessEnv {
  // Servers are in folders that aren't on everybody's PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path =
    process.env[variable] ??
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  return path === undefined ? {} : { [variable]: path };
}

function run(
  program: string,
  args: readonly string[],
  o: { quiet: boolean; polite?: boolean; finished?: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((settled) => {
    const child = spawn(program, args, {
      cwd: root,
      env: environment(),
      stdio: o.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    running.add(child);
    // Tests have deadlines; a check has none.
    if (o.polite && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-200_000);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // Jest stays alive while a test has left something open; its results are in by then.
    let patience = 30;
    const watch = setInterval(() => {
      if (o.finished === undefined || !existsSync(o.finished) || patience-- > 0) return;
      print('A test left something open, so Jest had to be ended.');
      child.kill('SIGKILL');
    }, 1_000);
    const settle = (code: number | null) => {
      clearInterval(watch);
      running.delete(child);
      settled({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(1);
    });
    child.once('close', settle);
  });
}

function stop(name: NodeJS.Signals): void {
  stopping = true;
  for (const child of running) child.kill(name);
}

/** The processes' logs tell why an end-to-end test failed; they would go with the temporary folder. */
async function keepLogs(): Promise<void> {
  const logs = join(folder, 'system', 'logs');
  if (!existsSync(logs)) return;
  const kept = join(root, '.ostiary', 'test-logs');
  await rm(kept, { recursive: true, force: true });
  await cp(logs, kept, { recursive: true });
  print(`\nThe logs of the tested system are in ${kept}`);
}
