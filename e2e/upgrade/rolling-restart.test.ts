import { expect, test } from '@jest/globals';
import { rollingRestartIn, withRollingRestart } from './rolling-restart.ts';

const page = '# Upgrade test\n\n## Last run\n\nEverything passed.\n';
const restart = {
  startedAt: new Date('2030-01-03T03:04:05Z'),
  seconds: 90,
  processes: 8,
  counts: { token: 10_000, 'sign-in': 150 },
  failed: 0,
};

test('The section about the rolling restart states requests, sign-ins, failures, day, commit and machine.', () => {
  const section = rollingRestartIn(withRollingRestart(page, restart));
  expect(section).toMatch(/^2030-01-03, commit `([0-9a-f]{12}|unknown)`, on \d+ × .+, \d+ GB, shared by /m);
  expect(section).toContain('| requests | 10,150 |\n| of these, sign-ins over the pages | 150 |');
  expect(section).toContain('| requests that failed | 0 |');
});

test('A new measurement replaces the section about the rolling restart, and the rest of the page stays.', () => {
  const twice = withRollingRestart(withRollingRestart(page, restart), { ...restart, seconds: 91 });
  expect(twice.startsWith(`${page}\n## Rolling restart\n`)).toBe(true);
  expect(twice.match(/^## Rolling restart$/gm)).toHaveLength(1);
  expect([twice.includes('| seconds | 90 |'), twice.includes('| seconds | 91 |')]).toEqual([false, true]);
  expect(rollingRestartIn(page)).toBe('');
});
