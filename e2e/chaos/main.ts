/**
 * `npm run chaos`: runs the system with faults for ten minutes and writes the report. `--seed 7` repeats a run,
 * `--minute` is the short run of the tests, `--seconds 120` sets the length, `--only "flush,hang"` selects kinds of
 * faults, `--healthy` has none. Only a complete run, or `--write`, writes docs/reference/chaos.md. `--engines ha` runs
 * on engines that fail over (`--only sentinels,cluster,postgres`). `--seeds 1,2,3` compares several runs, `--figures
 * <file>` writes the compared values. The exit code is 1 when a promise is broken.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { audit } from '../invariants/audit.ts';
import { chartOf } from './chart.ts';
import { runEngines } from './engines/run.ts';
import { evaluate } from './evaluation.ts';
import { measures } from './plan.ts';
import { pageOf } from './report.ts';
import { run } from './run.ts';
import { runSeeds } from './seeds.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    figures: { type: 'string' },
    minute: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    only: { type: 'string' },
    healthy: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    engines: { type: 'string' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
if (values.seeds !== undefined) {
  const { seconds = '240', only } = values;
  const options = ['--seconds', seconds, ...(only === undefined ? [] : ['--only', only])];
  process.exit((await runSeeds(values.seeds.split(',').map(Number), options, say)) ? 0 : 1);
}
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
if (values.engines !== undefined) {
  if (values.engines !== 'ha') throw new Error('--engines knows only "ha"');
  const only = values.only?.split(',');
  const { page, broken } = await runEngines({ seed, only, say });
  const path = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'high-availability.md');
  if (broken.length === 0 && only === undefined) await writeFile(path, page);
  say(page);
  for (const sentence of broken) say(`BROKEN ${sentence}`);
  process.exit(broken.length === 0 ? 0 : 1);
}
const chosen = values.minute ? measures.minute : measures.full;
const minMs = values.seconds === undefined ? undefined : Number(values.seconds) * 1000;
const isWhole =
  values.write || !(values.minute || values.healthy || minMs !== undefined || values.only !== undefined);

const outcome = await run({
  seed,
  measures: {
    ...chosen,
    ...(minMs !== undefined && {
      minMs,
      minRounds: 0,
      minOffboardings: 0,
      scenes: { ...chosen.scenes, least: 0 },
    }),
    ...(values.healthy && { healthyMs: minMs ?? chosen.healthyMs }),
  },
  log: say,
  audit: (databaseUrl) => audit(databaseUrl, { waitingSeconds: 15 }),
  only: values.healthy ? [] : values.only?.split(','),
});
const result = evaluate(outcome);
const page = pageOf(outcome, result);
if (values.figures !== undefined)
  await writeFile(values.figures, JSON.stringify({ seed, doors: result.watchedAccessPaths }));
if (isWhole) {
  const docs = join(import.meta.dirname, '..', '..', 'docs', 'reference');
  await writeFile(join(docs, 'chaos.md'), page);
  await writeFile(join(docs, 'chaos.svg'), chartOf(outcome));
  say('docs/reference/chaos.md and docs/reference/chaos.svg are written');
} else say(page);
for (const sentence of result.broken) say(`BROKEN ${sentence}`);
if (outcome.errors.length > 0)
  say(`${outcome.errors.length} errors were logged, e.g. ${outcome.errors[0]?.slice(0, 600)}`);
say(
  `seed ${seed}: ${outcome.left.length} departures, ${outcome.struck.length} faults, ${result.broken.length === 0 ? 'everything held' : `${result.broken.length} promises broken`}`,
);
process.exit(result.broken.length === 0 ? 0 : 1);
