import { expect, test } from '@jest/globals';
import type { WatchedAccessPath } from './evaluation.ts';
import { inHandMs, watchedAccessPathFigures } from './watched-doors.ts';

const door = (name: string, ms: number, changes: Partial<WatchedAccessPath> = {}): WatchedAccessPath => ({
  door: name,
  trigger: 'SCIM PATCH',
  ms,
  at: 61_000,
  together: 3,
  unavailable: 0,
  sinceFault: undefined,
  ...changes,
});
const many = (name: string, ms: number): WatchedAccessPath[] =>
  Array.from({ length: 150 }, () => door(name, ms));

test('The figures of several runs name each run, each access path, and the slowest with conditions.', () => {
  const { lines, within } = watchedAccessPathFigures([
    { seed: 1, doors: [...many('graph', 10), ...many('userinfo', 30)] },
    {
      seed: 2,
      doors: [...many('graph', 12), ...many('userinfo', 20), door('graph', 90, { sinceFault: 12_000 })],
    },
  ]);
  const names = lines.map((text) => /^(?:seed \d|graph|userinfo)\b/.exec(text)?.[0]).filter(Boolean);
  expect(names).toEqual(['seed 1', 'seed 2', 'userinfo', 'graph']);
  expect(lines[0]).toMatch(/p50 +10 ms +p99 +30 ms +max +30 ms +300 doors/);
  const [slowest] = lines.slice(lines.lastIndexOf('') + 1);
  expect(slowest).toBe(
    '  90 ms   graph, SCIM PATCH, seed 2 at 61.0 s: 3 departures within half a second, 0 requests unavailable, 12.0 s after a fault',
  );
  expect(within).toBe(true);
});

test('One run with a margin of less than a factor of two fails the comparison.', () => {
  const good = { seed: 1, doors: many('graph', 10) };
  const bad = { seed: 2, doors: many('graph', inHandMs + 1) };
  expect(watchedAccessPathFigures([good, bad]).within).toBe(false);
  expect(watchedAccessPathFigures([good, good]).within).toBe(true);
});
