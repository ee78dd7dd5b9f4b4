import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../../..');
const runner = pathToFileURL(join(root, 'scripts/test/run.ts')).href;

/** Test file that passes from its n-th run on. */
export const passesFrom = (run: number): string => `
  const { appendFileSync, readFileSync } = require('node:fs');
  test('The file passes from run ${run} on.', () => {
    appendFileSync(__filename + '.runs', 'x');
    const runs = readFileSync(__filename + '.runs', 'utf8').length;
    if (runs < ${run}) throw new Error('failed in run ' + runs);
  });
  test('Another test passes.', () => {});
`;
export const neverPasses = passesFrom(Number.MAX_SAFE_INTEGER);

export interface FixtureRun {
  code: number | null;
  output: string;
  lastLine: string;
  report: Record<string, unknown>;
}

/** Runs the test runner with real Jest processes on a repository of the given test files. No server is started. */
export async function runFixture(
  files: Record<string, string>,
  o: { args?: readonly string[]; config?: object; env?: Record<string, string> } = {},
): Promise<FixtureRun> {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-runner-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const config = { testMatch: ['**/*.test.ts'], transform: {}, ...o.config };
  write('package.json', JSON.stringify({ name: 'fixture', jest: config }));
  for (const [path, text] of Object.entries(files)) write(path, text);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  try {
    const options = JSON.stringify({ root: folder, args: o.args ?? [], checks: false });
    const program = `import { runAndReport } from '${runner}'; process.exitCode = await runAndReport(${options});`;
    const { code, output } = await ended(program, o.env);
    const report = join(folder, '.ostiary/test-report.json');
    return {
      code,
      output,
      lastLine: output.trim().split('\n').at(-1) ?? '',
      report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {},
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ended(
  program: string,
  more: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const leaking = /^(NODE_OPTIONS|OSTIARY_TEST_(FLAWS|LOADS|SKIPS)|OSTIARY_REQUIRED_TESTS)$/;
  const inherited = Object.entries(process.env).filter(([name]) => !leaking.test(name));
  const env = { ...Object.fromEntries(inherited), ...more };
  return new Promise((settled, failed) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once('error', failed);
    child.once('close', (code) => settled({ code, output }));
  });
}
