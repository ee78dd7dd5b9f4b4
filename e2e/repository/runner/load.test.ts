import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';

const load = pathToFileURL(join(resolve(import.meta.dirname, '../../..'), 'scripts/test/load.ts')).href;

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('Busy processes end with the process that started them, even when it is killed.', async () => {
  const program = `
    import { startLoad } from '${load}';
    process.stdout.write(JSON.stringify(startLoad(2).map(({ pid }) => pid)));
    setInterval(() => undefined, 1_000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
  const pids = JSON.parse(chunk.toString()) as number[];
  expect(pids.map(exists)).toEqual([true, true]);
  parent.kill('SIGKILL');
  await once(parent, 'close');
  const running = () => Promise.resolve(pids.filter(exists));
  expect(await eventually(running, (left) => left.length === 0)).toEqual([]);
});
