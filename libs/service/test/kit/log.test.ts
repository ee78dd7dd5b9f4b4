import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { AccessLog } from '../../src/kit/access-log.ts';
import { createLog } from '../../src/kit/log.ts';
import { LogDestination } from '../../src/kit/log-destination.ts';

function linesOf(work: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  work(createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }));
  return lines;
}

const line = { requestId: 'request-0042', method: 'GET', path: '/t/demo/jwks', status: 200, ms: 1.2 };

test('The line of a request equals the line that the log itself would write, at the requested level.', () => {
  const lines = linesOf((log) => {
    log.info(line, 'request');
    new AccessLog(log).write('info', line);
    expect([new AccessLog(log).isEnabled('info'), new AccessLog(log).isEnabled('trace')]).toEqual([
      true,
      false,
    ]);
  });
  expect(lines.map(({ time: _, ...rest }) => rest)).toEqual([
    { level: 'info', name: 'test', pid: process.pid, ...line, msg: 'request' },
    { level: 'info', name: 'test', pid: process.pid, ...line, msg: 'request' },
  ]);
  expect(Object.keys(lines[1] ?? {})).toEqual(Object.keys(lines[0] ?? {}));
  expect(Math.abs(Date.parse(String(lines[1]?.time)) - Date.now())).toBeLessThan(10_000);
});

test('The line of a request stays one line, with any path.', () => {
  const path = '/t/demo/"\n{},\u2028\u0000\\x';
  const [written] = linesOf((log) => new AccessLog(log).write('info', { ...line, path }));
  expect(written?.path).toBe(path);
});

test('A log omits the password that Redis rejected.', () => {
  // As ioredis reports it.
  const command = { name: 'auth', args: ['ostiary_auth', 'a-password-of-redis'] };
  const refused = Object.assign(new Error('WRONGPASS invalid username-password pair'), { command });
  const lines = linesOf((log) => log.error({ err: refused }, 'could not start'));
  expect(lines[0]?.err).toMatchObject({ message: expect.stringContaining('WRONGPASS') });
  expect(JSON.stringify(lines)).not.toContain('a-password-of-redis');
});

test('A log omits secrets.', () => {
  const secrets = { password: 'p', token: 't', secret: 's', code: 'c', authorization: 'a', cookie: 'k' };
  const [whole] = linesOf((log) => log.info({ nested: secrets, ...secrets }, 'request'));
  expect(JSON.stringify(whole)).not.toMatch(/"[ptsak]"/);
});

const holding = new URL('../support/holding-log.ts', import.meta.url).pathname;

/** Runs a process that logs a hundred requests and ends in this way; returns its lines, and the number of writes. */
function outputOf(end: string): Promise<{ written: string[]; pieces: number }> {
  const child = spawn(process.execPath, [holding, end], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pieces: string[] = [];
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(String(piece));
    if (end === 'kill' && pieces.join('').includes('"/99"')) child.kill('SIGKILL');
  });
  return once(child, 'close').then(() => ({
    written: [...pieces.join('').matchAll(/"path":"(\/\d+)"/g)].map(([, what]) => what ?? ''),
    pieces: pieces.length,
  }));
}

const hundred = Array.from({ length: 100 }, (_, index) => `/${index}`);

test.each(['nothing', 'exit', 'throw', 'stop'])(
  'Lines of requests are written together and none is lost when the process ends by: %s.',
  async (end) => {
    const { written, pieces } = await outputOf(end);
    // The last write may overtake one that is in progress when the process ends.
    expect(new Set(written)).toEqual(new Set(hundred));
    expect(written).toHaveLength(hundred.length);
    expect(pieces).toBeLessThan(10);
  },
);

test('Any other line is written after the requests before it, immediately.', () => {
  const written: string[] = [];
  const destination = new LogDestination({
    write: (text: string) => written.push(text) > 0,
    flush: () => undefined,
    flushSync: () => undefined,
  });
  for (const request of hundred) destination.hold(request);
  expect(written).toEqual([]);
  destination.write('other');
  expect(written.join('')).toBe([...hundred, 'other'].join(''));
});

test('Lines of requests are buffered for a moment only, and are written before a later kill of the process.', async () => {
  const { written } = await outputOf('kill');
  expect(written).toEqual(hundred);
});
