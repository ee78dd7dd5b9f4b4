import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';

const fixture = new URL('./fixtures/slow-server.ts', import.meta.url).pathname;
let child: ChildProcess | undefined;

afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

function run(env: Record<string, string>): {
  process: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
} {
  const started = spawn(process.execPath, [fixture], { env: { PATH: process.env.PATH, ...env } });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr])
    stream?.on('data', (chunk) => (output += String(chunk)));
  const exit = once(started, 'exit').then(([code]) => code as number | null);
  return { process: started, output: () => output, exit };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('the condition did not come true');
}

const up = (origin: string) => () =>
  fetch(`${origin}/readyz`).then(
    (response) => response.status === 200,
    () => false,
  );

describe('runProcess', () => {
  test('SIGTERM: /readyz turns 503 at once, the request in flight finishes, then connections close, exit code 0', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const {
      process: server,
      output,
      exit,
    } = run({
      PORT: String(port),
      DRAIN_SECONDS: '1',
      SHUTDOWN_TIMEOUT_SECONDS: '4',
    });
    await until(up(origin));
    const inFlight = fetch(`${origin}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.kill('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503);
    expect(await (await inFlight).json()).toEqual({ finished: true });
    expect(await exit).toBe(0);
    expect(output()).toContain('connections closed');
    expect(output()).not.toContain('took too long');
  });

  test('a request under way without a drain time: its kept-alive connection does not hold up the end', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const { process: server, exit } = run({ PORT: String(port), SHUTDOWN_TIMEOUT_SECONDS: '4' });
    await until(up(origin));
    const inFlight = fetch(`${origin}/slow`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.kill('SIGTERM');
    expect(await (await inFlight).json()).toEqual({ finished: true });
    expect(await exit).toBe(0);
  });

  test('a taken port is one clear sentence and exit code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { output, exit } = run({ PORT: String(port), LOG_LEVEL: 'silent' });
    expect(await exit).toBe(1);
    expect(output()).toContain(`slow: port ${port} is taken; choose another with PORT.`);
    taken.close();
  });

  test('a wrong environment is one sentence per variable and exit code 1', async () => {
    const { output, exit } = run({ PORT: 'abc', LOG_LEVEL: 'loud' });
    expect(await exit).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(/^slow: (LOG_LEVEL|PORT) /),
      expect.stringMatching(/^slow: (LOG_LEVEL|PORT) /),
    ]);
  });
});
