import { expect, test } from '@jest/globals';
import { pageOf } from './page.ts';

const startedAt = new Date('2030-01-02T03:04:05Z');
const figures = {
  fault: 'primary killed',
  closedMs: [12, 1_234],
  signsInMs: 2_345,
  heardMs: 67,
  failingMs: 1_111,
  requests: 2_222,
};

test('The page about failovers states day, commit, machine and the figures of each fault.', () => {
  const page = pageOf(7, startedAt, [{ engine: 'Redis', figures: [figures], broken: [] }]);
  expect(page).toMatch(
    /^Last run: 2030-01-02, commit `([0-9a-f]{12}|unknown)`, on \d+ × .+, \d+ GB, shared /m,
  );
  expect(page).toContain('| Redis | primary killed | 2 | 1,234 ms | 2,345 ms | 67 ms | 1,111 ms, of 2,222 |');
  expect(page).toContain('All functions recovered within 10 s.');
});

test('The page about failovers lists the violations of a run.', () => {
  const page = pageOf(7, startedAt, [{ engine: 'Redis', figures: [], broken: ['Redis: no recovery'] }]);
  expect(page).toContain('Failed: Redis: no recovery');
  expect(page).not.toContain('recovered within');
});
