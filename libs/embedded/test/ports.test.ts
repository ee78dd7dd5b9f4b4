import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { freePort, portIsFree } from '../src/installation/ports.ts';

test('A reserved port is given to no other caller, in this or another process, although it has no listener yet.', async () => {
  const chance = jest.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.5);
  const [port, another] = [await freePort(), await freePort()];
  chance.mockRestore();
  expect(another).not.toBe(port);
  expect(await portIsFree(port)).toBe(true);

  const source = `
    import { freePort } from ${JSON.stringify(new URL('../src/installation/ports.ts', import.meta.url).href)};
    const { random } = Math;
    Math.random = () => { Math.random = random; return 0.5; };
    process.stdout.write(String(await freePort()));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '--eval',
    source,
  ]);
  expect(stdout).toMatch(/^\d+$/);
  expect(Number(stdout)).not.toBe(port);
});
