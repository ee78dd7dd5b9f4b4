import { expect, test } from '@jest/globals';
import { createLog, plainLog } from '../../src/kit/log.ts';

function linesOf(work: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  work(createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }));
  return lines;
}

test('A log of texts and numbers writes the same lines as the log it comes from, at the same level.', () => {
  const line = { requestId: 'request-0042', method: 'GET', path: '/t/demo/jwks', status: 200, ms: 1.2 };
  const lines = linesOf((log) => {
    log.info(line, 'request');
    plainLog(log).info(line, 'request');
    plainLog(log).debug(line, 'request');
  });
  expect(lines.map(({ time: _, ...rest }) => rest)).toEqual([
    { level: 'info', name: 'test', pid: process.pid, ...line, msg: 'request' },
    { level: 'info', name: 'test', pid: process.pid, ...line, msg: 'request' },
  ]);
});

test('A log of texts and numbers keeps secrets to itself, too.', () => {
  const secrets = { password: 'p', token: 't', secret: 's', code: 'c', authorization: 'a', cookie: 'k' };
  const lines = linesOf((log) => {
    plainLog(log).info(secrets, 'request');
    log.info({ nested: secrets, ...secrets }, 'request');
  });
  const [plain, whole] = lines.map((line) => JSON.stringify(line));
  for (const value of Object.values(secrets)) expect(plain).not.toContain(`"${value}"`);
  expect(whole).not.toMatch(/"[ptsak]"/);
});
