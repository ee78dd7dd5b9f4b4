import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { codeBlocksOf, stepsOf } from './code-blocks.ts';
import { pasted } from './pasting.ts';

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

const blocks = codeBlocksOf('../README.md');
const tour = stepsOf(
  blocks.slice(blocks.findIndex(({ text }) => text.startsWith('. docs/examples/tour.sh'))),
);

/** Runs the commands of the tour with the demo file in the folder of OSTIARY_HOME. */
const shell = (script: string, home: string) =>
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
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const lines = await pasted(tour, async (script) => (await shell(script, home)).stdout);
  expect(lines).toBeGreaterThan(5);
});

test('The tour in README.md prints one sentence when no system is running.', async () => {
  const [source = ''] = tour[0]?.script.split('\n') ?? [];
  const failure = await shell(`${source} || exit 3`, join(folder, 'nowhere')).catch(
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
