import { healthyBoundMs, percentile, type WatchedAccessPath } from './evaluation.ts';

/** The watched access paths of one run. */
export interface RunFigures {
  seed: number;
  doors: WatchedAccessPath[];
}

/** Maximum for a margin of a factor of two: the promise also holds on a machine of half the speed. */
export const inHandMs = healthyBoundMs.p99 / 2;
/** Number of the slowest access paths in the report. */
const slowest = 12;

const ms = (value: number): string => `${Math.round(value)} ms`;
const line = (name: string, values: readonly number[]): string =>
  `${name.padEnd(48)} p50 ${ms(percentile(values, 0.5)).padStart(7)}   p99 ${ms(percentile(values, 0.99)).padStart(7)}   max ${ms(Math.max(0, ...values)).padStart(7)}   ${values.length} doors`;

/**
 * Reports for how long the watched access paths were open without a fault: for each run, for each access path over all
 * runs, and for the slowest with the conditions. `within`: each run's 99th percentile is at most half of the promise.
 */
export function watchedAccessPathFigures(runs: readonly RunFigures[]): { lines: string[]; within: boolean } {
  const all = runs.flatMap(({ seed, doors }) => doors.map((door) => ({ seed, ...door })));
  const lines = runs.map(({ seed, doors }) =>
    line(
      `seed ${seed}`,
      doors.map((door) => door.ms),
    ),
  );
  const byAccessPath = [...Map.groupBy(all, ({ door }) => door)].map(([door, some]) => ({
    door,
    values: some.map((one) => one.ms),
  }));
  byAccessPath.sort((a, b) => percentile(b.values, 0.99) - percentile(a.values, 0.99));
  lines.push('', ...byAccessPath.map(({ door, values }) => line(door, values)), '');
  for (const one of all.toSorted((a, b) => b.ms - a.ms).slice(0, slowest)) lines.push(described(one));
  const within = runs.every(
    ({ doors }) =>
      percentile(
        doors.map((door) => door.ms),
        0.99,
      ) <= inHandMs,
  );
  return { lines, within };
}

const described = ({ seed, door, trigger, at, ...one }: WatchedAccessPath & { seed: number }): string => {
  const fault =
    one.sinceFault === undefined
      ? 'before the first fault'
      : `${(one.sinceFault / 1000).toFixed(1)} s after a fault`;
  return `${ms(one.ms).padStart(7)}   ${door}, ${trigger}, seed ${seed} at ${(at / 1000).toFixed(1)} s: ${one.together} departures within half a second, ${one.unavailable} requests unavailable, ${fault}`;
};
