/**
 * `npm run chaos -- --seeds 1,2,3 --seconds 240`: runs one seed after the other and reports for how long access paths
 * were open without a fault. The exit code is 1 when a run broke a promise or had a margin of less than a factor of
 * two.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inHandMs, type RunFigures, watchedAccessPathFigures } from './watched-doors.ts';

/** @returns whether all promises held */
export async function runSeeds(
  seeds: readonly number[],
  options: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-chaos-'));
  const runs: RunFigures[] = [];
  let held = true;
  try {
    for (const seed of seeds) {
      const figures = join(folder, `${seed}.json`);
      const program = [join(import.meta.dirname, 'main.ts'), '--seed', String(seed), '--figures', figures];
      const child = spawn(process.execPath, [...program, ...options], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      held &&= code === 0;
      const written = await readFile(figures, 'utf8').catch(() => undefined);
      if (written === undefined) say(`seed ${seed}: the run did not come to its end`);
      else runs.push(JSON.parse(written) as RunFigures);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { lines, within } = watchedAccessPathFigures(runs);
  for (const text of ['', 'Watched doors, open after the departure, without a fault:', ...lines]) say(text);
  say(`99 of 100 within ${inHandMs} ms in each run: ${within ? 'yes' : 'no'}`);
  return held && within;
}
