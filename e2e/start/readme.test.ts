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
const demo = runningDemo();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-readme-'));
  await symlink(dirname(process.env.OSTIARY_E2E ?? ''), join(folder, '.ostiary'));
  await symlink(join(root, 'docs'), join(folder, 'docs'));
  // The person the tour asks to sign in.
  const person = join(folder, 'person');
  await writeFile(
    person,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'e2e/support/person.ts')}" "$@"\n`,
  );
  await chmod(person, 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Expectation {
  script: string;
  output: string;
}

/** The tour's commands, cut after each `#=>` line, with what that line promises. */
function tour(readme: string): Expectation[] {
  const text = readme.slice(readme.indexOf('<!-- tour -->'), readme.indexOf('<!-- /tour -->'));
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
  const steps: Expectation[] = [];
  let script = '';
  for (const line of commands.split('\n')) {
    if (line.startsWith('#=> ')) {
      steps.push({ script, output: line.slice(4) });
      script = '';
    } else script += `${line}\n`;
  }
  return steps;
}

test('The tour in README.md does what it says when it is pasted unchanged.', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const steps = tour(readme.replaceAll('http://localhost:4000', demo.origin));
  expect(steps.length).toBeGreaterThan(8);
  const marker = '--- step ---';
  const script = steps.map((step) => `${step.script}\necho '${marker}'\n`).join('');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    timeout: 60_000,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      BROWSER: join(folder, 'person'),
      EXAMPLE_USER: JSON.stringify({ userName: 'zoe@example.com', password: 'a long and private sentence' }),
    },
  });
  const outputs = stdout.split(`${marker}\n`);
  for (const [index, step] of steps.entries()) expect(outputs[index]).toContain(step.output);
});

test('The file README.md names the two commands and links only to what exists.', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  expect(readme).toMatch(/```sh\nnpm start\n```/);
  expect(readme).toMatch(/```sh\nnpm test\n```/);
  for (const [, target] of readme.matchAll(/\]\((?!http)([^)#]+)\)/g)) {
    await expect(run('test', ['-e', join(root, target ?? '')])).resolves.toBeDefined();
  }
});
