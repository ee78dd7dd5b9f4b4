import { expect, test } from '@jest/globals';
import { type Streams, Terminal } from '../../cli/src/output/terminal.ts';

/** Returns the output of a terminal on which two steps and a result are written. */
function written(isTTY: boolean, env: Record<string, string> = {}): { stdout: string; stderr: string } {
  const said = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write: (text: string) => {
      said[name] += text;
      return true;
    },
  });
  const streams = { stdin: { isTTY }, stdout: stream('stdout'), stderr: stream('stderr') };
  const terminal = new Terminal(streams as unknown as Streams, { json: false, yes: true, env });
  terminal.progress('1000 found \u001b[2J');
  terminal.progressLine('users  add');
  terminal.result({}, () => ['done']);
  return said;
}

test('Steps of a long operation are written to stderr of a terminal, escaped, and results to stdout.', () => {
  const { stdout, stderr } = written(true, { NO_COLOR: '1' });
  expect(stdout).toBe('done\n');
  expect(stderr).toMatch(/^1000 found .+\nusers {2}add\n$/);
  expect(stderr).not.toContain('\u001b');
});

test('Steps are dimmed on a terminal with colours, and plain with NO_COLOR or TERM=dumb.', () => {
  expect(written(true).stderr.startsWith('\u001b[2m1000 found ')).toBe(true);
  expect(written(true, { TERM: 'dumb' }).stderr).toMatch(/^1000 found /);
});

test('Without a terminal no steps are written, so that logs and pipes have the result only.', () => {
  expect(written(false)).toEqual({ stdout: 'done\n', stderr: '' });
});
