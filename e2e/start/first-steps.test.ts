import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Browser } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { walk } from '../support/sign-in.ts';
import { codeBlocksOf, type Step, stepsOf } from './code-blocks.ts';
import { adapted, functionsIn, installationFolder, pasted, shell } from './pasting.ts';

const person = fileURLToPath(new URL('../support/person.ts', import.meta.url));
const demo = runningDemo();
/** Tenant with the name `acme` in the pages. */
const tenant = unique('first').slice(0, 60);
const administrator = { userName: 'ada@acme.example', password: 'a long and private sentence' };

const stepsOfPage = (page: string): Step[] =>
  stepsOf(
    codeBlocksOf(`start/${page}.md`).map((block) => ({ ...block, text: adapted(block.text, demo, tenant) })),
  );
const [secret, command, , , afterStart, create, read] = stepsOfPage('first-tenant') as [
  Step,
  Step,
  Step,
  Step,
  Step,
  Step,
  Step,
];
const functions = functionsIn(`${command.script}${read.script}`);

let folder: string;
const environment = (): Record<string, string> => ({
  HOME: folder,
  OSTIARY_E2E: process.env.OSTIARY_E2E ?? '',
  BROWSER: join(folder, 'person'),
  EXAMPLE_USER: JSON.stringify(administrator),
});
const run = (script: string) => shell(folder, functions + script, environment());

beforeAll(async () => {
  folder = await installationFolder(['node_modules', 'docs']);
  // The user whom the example app asks to sign in.
  await writeFile(join(folder, 'person'), `#!/bin/sh\nexec "${process.execPath}" "${person}" "$@"\n`);
  await chmod(join(folder, 'person'), 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('The commands of docs/start/first-tenant.md create a tenant on an installation from a checkout.', async () => {
  expect(await pasted([secret, create, read], run)).toBe(1);
  const home = { OSTIARY_HOME: dirname(process.env.OSTIARY_E2E ?? '') };
  expect(await shell(folder, `${afterStart.script}ostiary tenant list --text ${tenant}`, home)).toContain(
    tenant,
  );
});

test('The commands of docs/start/first-administrator.md lead from the invitation to a command as the administrator.', async () => {
  const [invitation, address, login, check] = stepsOfPage('first-administrator') as [Step, Step, Step, Step];
  expect(await pasted([invitation, address], run)).toBe(2);

  const browser = new Browser(demo.origin);
  const link = (await run(`field ${tenant}.json admin.invitation`)).trim();
  const account = await browser.submit(await browser.open(link), { password: administrator.password });
  expect(account.url.pathname).toBe(`/t/${tenant}/account`);

  const child = spawn('bash', ['-euo', 'pipefail', '-c', functions + login.script], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...environment() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const open = await eventually(
    () => /open (http\S+user_code=\S+)/.exec(said)?.[1] ?? '',
    (found) => found !== '',
  );
  await walk(browser, new URL(open), administrator);
  expect(await exit).toEqual([0, null]);
  expect(await pasted([check], run)).toBe(2);
});

test('The commands of docs/start/first-app.md register an app to which the administrator signs in.', async () => {
  expect(await pasted(stepsOfPage('first-app'), run)).toBe(3);
});

test('The commands of docs/start/first-identity-source.md provision and offboard a user.', async () => {
  expect(await pasted(stepsOfPage('first-identity-source'), run)).toBe(4);
});
