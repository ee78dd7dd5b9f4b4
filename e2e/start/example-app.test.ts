import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const app = fileURLToPath(new URL('../../docs/examples/app.mjs', import.meta.url));

test('The example app reads users, creates one and receives the event.', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [app], {
    cwd: join(dirname(app), '../..'),
    env: { PATH: process.env.PATH, OSTIARY_HOME: dirname(process.env.OSTIARY_E2E ?? '') },
    timeout: 30_000,
  });
  const [users, created, received] = stdout.trim().split('\n');
  expect(users).toMatch(/^\d+ users, /);
  expect(created).toMatch(/^created [0-9a-f-]{36}$/);
  expect(received).toMatch(/^received CREATED newcomer-\d+$/);
});
