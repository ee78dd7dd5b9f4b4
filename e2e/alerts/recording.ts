import type { Snapshot } from './exposition.ts';

/** Metrics before, during and after a fault. The values are real; only the time is stretched (`seriesOf`). */
export interface Recording {
  before: Snapshot;
  during: Snapshot;
  /** Seconds from `before` to `during`. */
  seconds: number;
  after: Snapshot;
  /** Successive samples at the beginning of the fault, for rules that depend on a change. */
  moments?: readonly Snapshot[];
}

/** Documented scrape interval in seconds. */
export const scrapeSeconds = 15;
/** Length of each part in samples. */
const lengths = { before: 40, during: 320, after: 300 };

/** Time of the first and last sample that shows the fault, in seconds. */
export const faultSeconds = {
  from: lengths.before * scrapeSeconds,
  until: (lengths.before + lengths.during - 1) * scrapeSeconds,
};
export const endSeconds = (lengths.before + lengths.during + lengths.after - 1) * scrapeSeconds;

interface Series {
  series: string;
  values: string;
}

/**
 * `lasting`: counters continue to grow at the recorded rate during the fault. `once`: they stay at the recorded value.
 */
export type Course = 'lasting' | 'once';

/** Stretches the recording to input series of promtool: gauges keep their value, counters grow as `course` states. */
export function seriesOf(
  { before, during, seconds, after, moments = [] }: Recording,
  expression: string,
  course: Course,
): Series[] {
  const named = new Set(expression.match(/[a-zA-Z_]\w*/g));
  const keys = new Set(
    [...before, ...during, ...after].filter(([, { name }]) => named.has(name)).map(([key]) => key),
  );
  return [...keys].map((key) => {
    const [had, has, will] = [before.get(key), during.get(key), after.get(key)];
    const rate =
      has?.isCounter && course === 'lasting'
        ? (Math.max(0, has.value - (had?.value ?? 0)) * scrapeSeconds) / seconds
        : 0;
    return {
      series: key,
      values: [
        part(had?.value, lengths.before),
        ...moments.map((moment) => part(moment.get(key)?.value, 1)),
        part(has?.value, lengths.during - moments.length, rate, had !== undefined),
        part(afterwards(has, will, rate), lengths.after, 0, has !== undefined),
      ].join(' '),
    };
  });
}

/** Returns the value after the fault. A counter continues from its stretched value unless its process has restarted. */
function afterwards(
  has: { value: number; isCounter: boolean } | undefined,
  will: { value: number } | undefined,
  rate: number,
): number | undefined {
  if (will === undefined || !has?.isCounter || will.value < has.value) return will?.value;
  return will.value + rate * (lengths.during - 1);
}

/**
 * Formats a part in promtool's notation. A series that ends is marked as stale, as Prometheus does at the next scrape.
 */
function part(value: number | undefined, length: number, step = 0, continues = false): string {
  if (value !== undefined) return `${plain(value)}+${plain(step)}x${length - 1}`;
  return continues ? `stale _x${length - 1}` : `_x${length}`;
}

/** Formats a number without an exponent, which promtool does not accept. */
const plain = (value: number): string => value.toFixed(9).replace(/\.?0+$/, '');
