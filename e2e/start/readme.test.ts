import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
runningDemo();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-readme-'));
  await symlink(join(root, 'docs'), join(folder, 'docs'));
  // The user whom the tour asks to sign in.
  const person = join(folder, 'person');
  await writeFile(
    person,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'e2e/support/person.ts')}" "$@"\n`,
  );
  await chmod(person, 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Step {
  script: string;
  /** Lines that the output must contain, in this order. */
  output: string[];
}

/** Returns the commands of the tour, cut after each group of `#=>` lines. */
function tour(readme: string): Step[] {
  const text = readme.slice(readme.indexOf('<!-- tour -->'), readme.indexOf('<!-- /tour -->'));
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
  const steps: Step[] = [];
  let step: Step = { script: '', output: [] };
  for (const line of commands.split('\n')) {
    if (line.startsWith('#=> ')) step.output.push(line.slice(4));
    else {
      if (step.output.length > 0) {
        steps.push(step);
        step = { script: '', output: [] };
      }
      step.script += `${line}\n`;
    }
  }
  return [...steps, step];
}

/** Runs the commands of the tour with the demo file in the folder of OSTIARY_HOME. */
const pasted = (script: string, home: string) =>
  run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    timeout: 300_000,
    env: {
      ...process.env,
      OSTIARY_HOME: home,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      BROWSER: join(folder, 'person'),
      EXAMPLE_USER: JSON.stringify({ userName: 'zoe@example.com', password: 'a long and private sentence' }),
    },
  });

test('The tour in README.md has the output that it shows when it is pasted unchanged.', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const steps = tour(readme);
  expect(steps.flatMap(({ output }) => output).length).toBeGreaterThan(5);
  const marker = '--- step ---';
  const script = steps.map((step) => `${step.script}\necho '${marker}'\n`).join('');
  const { stdout } = await pasted(script, dirname(process.env.OSTIARY_E2E ?? ''));
  const outputs = stdout.split(`${marker}\n`);
  for (const [index, { output }] of steps.entries()) {
    let rest = outputs[index] ?? '';
    for (const line of output) {
      expect(rest).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
  }
});

test('The tour in README.md prints one sentence when no system is running.', async () => {
  const [start = { script: '' }] = tour(await readFile(join(root, 'README.md'), 'utf8'));
  const [source = ''] = start.script.trim().split('\n');
  const failure = await pasted(`${source} || exit 3`, join(folder, 'nowhere')).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^No Ostiary is running from \S+: run npm start, or [^.]+\.\n$/),
  });
});

test('The file README.md has at most 150 lines, names the two commands, and links only to files that exist.', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  expect(readme.split('\n').length).toBeLessThanOrEqual(151);
  expect(readme).toMatch(/```sh\nnpm start\n```/);
  expect(readme).toMatch(/```sh\nnpm test\n```/);
  for (const [, target] of readme.matchAll(/\]\((?!http)([^)#]+)\)/g)) {
    await expect(run('test', ['-e', join(root, target ?? '')])).resolves.toBeDefined();
  }
});
