import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../src/installation/ports.ts';
import { ServiceProcess } from '../src/service-process.ts';
import { fixtureTree } from './fixture/installation.ts';

let tree: Awaited<ReturnType<typeof fixtureTree>>;
let service: ServiceProcess;

beforeEach(async () => {
  tree = await fixtureTree();
  await mkdir(tree.home);
  await make(join(tree.root, 'services', 'auth'));
});

async function make(cwd: string): Promise<void> {
  const port = await freePort();
  service = new ServiceProcess({
    name: 'auth',
    program: { main: join(cwd, 'dist', 'main.js'), cwd },
    url: `http://127.0.0.1:${port}`,
    env: { PORT: String(port), HOST: '127.0.0.1', PATH: process.env.PATH ?? '' },
    logFile: join(tree.home, 'auth.log'),
    log: () => undefined,
    onWarning: () => undefined,
  });
}

afterEach(async () => {
  await service.retire();
  await tree.remove();
});

describe('stopping a process', () => {
  test('A process that is stopped while it is being started never becomes ready.', async () => {
    const starting = service.start();
    await service.stop();
    await expect(starting).rejects.toThrow('auth was stopped before it became ready');
    await sleep(200);
    expect(service.pid).toBeUndefined();
    expect(service.state).toBe('stopped');
  });

  test('A process that is stopped while it waits for its restart stays down.', async () => {
    await service.start();
    await service.kill('SIGKILL');
    expect(service.state).toBe('waiting');
    await service.stop();
    await sleep(500);
    expect(service.state).toBe('stopped');
  });

  test('A process that is stopped can be started again, until it is retired.', async () => {
    await service.start();
    await service.stop();
    await service.start();
    expect(service.state).toBe('running');
    await service.retire();
    await expect(service.start()).rejects.toThrow('belongs to a system that was stopped');
  });
});

test('A signal that is handled does not count as a crash.', async () => {
  await service.start();
  const before = service.pid;
  await service.kill('SIGSTOP');
  await service.kill('SIGCONT');
  await service.ready();
  expect(service.pid).toBe(before);
});

test('A start of a process that cannot be spawned fails with the reason.', async () => {
  await make(join(tree.root, 'nowhere'));
  await expect(service.start()).rejects.toThrow(/auth ended \(spawn .* ENOENT\)/);
  expect(service.state).toBe('stopped');
});
