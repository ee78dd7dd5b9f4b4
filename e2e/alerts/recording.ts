import type { Snapshot } from './exposition.ts';

/** What processes said before a fault, during it, and when it was gone. Nothing in it is made up; only time is (`seriesOf`). */
export interface Recording {
  before: Snapshot;
  during: Snapshot;
  /** From the one to the other, in seconds. */
  seconds: number;
  after: Snapshot;
  /** What was said one after the other at its beginning, a sample each, where it is the change that matters. */
  moments?: readonly Snapshot[];
}

/** Seconds between two samples, as the documentation has it. */
export const scrapeSeconds = 15;
/** Of each part, in samples: before the fault, during it, and after it. */
const lengths = { before: 40, during: 320, after: 300 };

/** When the first sample shows the fault, and the last one does, in seconds. */
export const faultSeconds = {
  from: lengths.before * scrapeSeconds,
  until: (lengths.before + lengths.during - 1) * scrapeSeconds,
};
export const endSeconds = (lengths.before + lengths.during + lengths.after - 1) * scrapeSeconds;

interface Series {
  series: string;
  values: string;
}

/** Whether what was counted goes on as it was seen, or was all there was to be. */
export type Course = 'lasting' | 'once';

/** The recording, stretched: what was said stays so, and what was counted goes on at the rate at which it was, or doesn't. */
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

/** A counter goes on from where it is in the stretched time, unless its process is another one. */
function afterwards(
  has: { value: number; isCounter: boolean } | undefined,
  will: { value: number } | undefined,
  rate: number,
): number | undefined {
  if (will === undefined || !has?.isCounter || will.value < has.value) return will?.value;
  return will.value + rate * (lengths.during - 1);
}

/** In promtool's notation. What ends is marked as stale, as Prometheus does at the first scrape without it. */
function part(value: number | undefined, length: number, step = 0, continues = false): string {
  if (value !== undefined) return `${plain(value)}+${plain(step)}x${length - 1}`;
  return continues ? `stale _x${length - 1}` : `_x${length}`;
}

/** Without an exponent, and a sign only where promtool reads one. */
const plain = (value: number): string => value.toFixed(9).replace(/\.?0+$/, '');
