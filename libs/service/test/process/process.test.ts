import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/testing.ts';

const fixture = new URL('../support/slow-server.ts', import.meta.url).pathname;
let child: ChildProcess | undefined;

afterEach(() => {
  if (child?.exitCode === null) child.kill('SIGKILL');
});

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

/** Waits for the origin of a process, on its assigned port. */
async function originOf(output: () => string): Promise<string> {
  const port = () => /listens on (\d+)\n/.exec(output())?.[1];
  await eventually(() => port() !== undefined);
  return `http://127.0.0.1:${port()}`;
}

/** Starts a slow request; returns its answer. */
async function slowly(origin: string, output: () => string): Promise<{ answer: Promise<unknown> }> {
  const answer = fetch(`${origin}/slow`).then((response) => response.json());
  await eventually(() => output().includes('works\n'));
  return { answer };
}

describe('runProcess', () => {
  test('On SIGTERM, /readyz returns 503 immediately, the request in flight finishes, connections close, and exit code is 0.', async () => {
    const { process: server, output, exit } = run({ DRAIN_SECONDS: '2', SHUTDOWN_TIMEOUT_SECONDS: '30' });
    const origin = await originOf(output);
    const { answer } = await slowly(origin, output);
    server.kill('SIGTERM');
    await eventually(async () => (await fetch(`${origin}/readyz`)).status === 503);
    expect(await answer).toEqual({ finished: true });
    expect(await exit).toBe(0);
    expect(output()).toContain('connections closed');
    expect(output()).not.toContain('took too long');
  });

  test('The shutdown timeout begins after the drain, in which requests are served; a drain longer than it exits with 0.', async () => {
    const { process: server, output, exit } = run({ DRAIN_SECONDS: '4', SHUTDOWN_TIMEOUT_SECONDS: '1' });
    const origin = await originOf(output);
    server.kill('SIGTERM');
    await eventually(async () => (await fetch(`${origin}/readyz`)).status === 503);
    // After the shutdown timeout, if it had begun with the signal.
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(await (await fetch(`${origin}/slow`)).json()).toEqual({ finished: true });
    expect(await exit).toBe(0);
    expect(output()).not.toContain('took too long');
  });

  test('A shutdown that exceeds its timeout after the drain exits with 1.', async () => {
    const { process: server, output, exit } = run({ SHUTDOWN_TIMEOUT_SECONDS: '1', SLOW_MS: '20000' });
    const { answer } = await slowly(await originOf(output), output);
    server.kill('SIGTERM');
    await expect(answer).rejects.toThrow();
    expect(await exit).toBe(1);
    expect(output()).toContain('process.shutdown_timeout');
  });

  test('A grace period too short for drain and shutdown is rejected at the start, and so is one of zero.', async () => {
    const grace = { DRAIN_SECONDS: '20', SHUTDOWN_TIMEOUT_SECONDS: '15' };
    const tooShort = run({ ...grace, TERMINATION_GRACE_SECONDS: '35' });
    expect(await tooShort.exit).toBe(1);
    expect(tooShort.output().trim()).toBe(
      'slow: TERMINATION_GRACE_SECONDS (35) must be greater than the sum of DRAIN_SECONDS and SHUTDOWN_TIMEOUT_SECONDS (35); otherwise the process is killed while it stops.',
    );
    const none = run({ SHUTDOWN_TIMEOUT_SECONDS: '0' });
    expect(await none.exit).toBe(1);
    expect(none.output()).toMatch(/^slow: SHUTDOWN_TIMEOUT_SECONDS must be a whole number, at least 1/);
    const enough = run({ ...grace, TERMINATION_GRACE_SECONDS: '36' });
    await originOf(enough.output);
  });

  test('A persistent connection of a request in progress does not delay the exit without a drain time.', async () => {
    const { process: server, output, exit } = run({ SHUTDOWN_TIMEOUT_SECONDS: '30' });
    const { answer } = await slowly(await originOf(output), output);
    server.kill('SIGTERM');
    expect(await answer).toEqual({ finished: true });
    expect(await exit).toBe(0);
  });

  test('A port that is taken gives one clear sentence and exit code 1.', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { output, exit } = run({ PORT: String(port), LOG_LEVEL: 'silent' });
    expect(await exit).toBe(1);
    expect(output()).toContain(`slow: port ${port} is taken; choose another with PORT.`);
    taken.close();
  });

  test('A wrong environment gives one sentence per variable and exit code 1.', async () => {
    const { output, exit } = run({ PORT: 'abc', LOG_LEVEL: 'loud' });
    expect(await exit).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(/^slow: (LOG_LEVEL|PORT) /),
      expect.stringMatching(/^slow: (LOG_LEVEL|PORT) /),
    ]);
  });
});
