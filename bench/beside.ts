import { type LoadResult, medianRun } from './measure.ts';
import type { BenchContext, Row } from './scenario.ts';

const total = (run: LoadResult): number => run.cpuMicros + run.storeMicros;

const figuresOf = (run: LoadResult): Row['figures'] => ({ ...run });

/** Returns the results of both servers, and the ratio of the peer to Ostiary. */
export function rowsBeside<R extends LoadResult>(
  what: string,
  names: readonly [string, string],
  runs: readonly [R[], R[]],
  peer = 'oidc-provider',
): Row[] {
  const [own, other] = [medianRun(runs[0]), medianRun(runs[1])];
  return [
    { name: `${what}, ${names[0]}`, figures: figuresOf(own) },
    { name: `${what}, ${names[1]}`, figures: figuresOf(other) },
    {
      name: `${what} per CPU second, ratio to ${peer}`,
      figures: {
        'with databases': (total(other) / total(own)).toFixed(2),
        'servers only': (other.cpuMicros / own.cpuMicros).toFixed(2),
      },
    },
  ];
}

/** Rounds alternate, so that drift affects both. */
export async function beside<T, R extends LoadResult>(
  { seconds, rounds, log }: BenchContext,
  what: string,
  contenders: readonly [T, T],
  measure: (contender: T, seconds: number) => Promise<R>,
): Promise<[R[], R[]]> {
  const runs: [R[], R[]] = [[], []];
  for (const contender of contenders) await measure(contender, 2);
  for (let round = 0; round < rounds; round += 1) {
    runs[0].push(await measure(contenders[0], seconds));
    runs[1].push(await measure(contenders[1], seconds));
    const [own, other] = runs.map((list) => list.at(-1));
    log(`${what}, round ${round + 1}: ${JSON.stringify(own)}, peer ${JSON.stringify(other)}`);
  }
  return runs;
}
