import { healthyBoundMs, percentile, type WatchedDoor } from './verdict.ts';

/** The doors that were watched in one run. */
export interface RunFigures {
  seed: number;
  doors: WatchedDoor[];
}

/** What is to be in hand: the promise holds also on a machine that is half as fast. */
export const inHandMs = healthyBoundMs.p99 / 2;
/** How many of the slowest are told of. */
const slowest = 12;

const ms = (value: number): string => `${Math.round(value)} ms`;
const line = (name: string, values: readonly number[]): string =>
  `${name.padEnd(48)} p50 ${ms(percentile(values, 0.5)).padStart(7)}   p99 ${ms(percentile(values, 0.99)).padStart(7)}   max ${ms(Math.max(0, ...values)).padStart(7)}   ${values.length} doors`;

/**
 * For how long the watched doors were open without a fault: of each run, of each door over all runs, and the slowest with what was going on.
 * `within`: the 99th percentile of each run leaves a factor of two to the promise.
 */
export function watchedDoorFigures(runs: readonly RunFigures[]): { lines: string[]; within: boolean } {
  const all = runs.flatMap(({ seed, doors }) => doors.map((door) => ({ seed, ...door })));
  const lines = runs.map(({ seed, doors }) =>
    line(
      `seed ${seed}`,
      doors.map((door) => door.ms),
    ),
  );
  const byDoor = [...Map.groupBy(all, ({ door }) => door)].map(([door, some]) => ({
    door,
    values: some.map((one) => one.ms),
  }));
  byDoor.sort((a, b) => percentile(b.values, 0.99) - percentile(a.values, 0.99));
  lines.push('', ...byDoor.map(({ door, values }) => line(door, values)), '');
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

const described = ({ seed, door, trigger, at, ...one }: WatchedDoor & { seed: number }): string => {
  const fault =
    one.sinceFault === undefined
      ? 'before the first fault'
      : `${(one.sinceFault / 1000).toFixed(1)} s after a fault`;
  return `${ms(one.ms).padStart(7)}   ${door}, ${trigger}, seed ${seed} at ${(at / 1000).toFixed(1)} s: ${one.together} departures within half a second, ${one.unavailable} requests unavailable, ${fault}`;
};
