/**
 * Runs the previous release and this one side by side and writes the page about it: `npm run upgrade-test`.
 * All 24 orders, forward and back. `--covering`: the dozen with all steps. `--orders 3`: fewer. `--minutes 15`: those
 * that begin in that time. `--seed 7`: reproducible order. `--from v0.2.0`: another previous release.
 * Without `--orders` it writes docs/reference/upgrade.md. Exit code 1 if a guarantee was violated. If the history is
 * missing, it prints SKIPPED with exit code 0, or 1 with `--required`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { allOrders, coveringOrders, shuffled } from './orders.ts';
import { NoPreviousRelease, previousRelease } from './releases/previous.ts';
import { pageOf } from './report.ts';
import { broken, run } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string' },
    orders: { type: 'string' },
    minutes: { type: 'string' },
    covering: { type: 'boolean', default: false },
    required: { type: 'boolean', default: false },
  },
});
const begun = performance.now();
const say = (line: string) =>
  process.stdout.write(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`);

const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const chosen = shuffled(values.covering ? coveringOrders() : allOrders, seed);
const root = resolve(import.meta.dirname, '..', '..');

const previous = await previousRelease(say, values.from).catch((error: unknown) => {
  if (!(error instanceof NoPreviousRelease)) throw error;
  say(`SKIPPED: ${error.message}`);
  process.exit(values.required ? 1 : 0);
});
const orders = chosen.slice(0, values.orders === undefined ? undefined : Number(values.orders));
const maxMs = values.minutes === undefined ? undefined : Number(values.minutes) * 60_000;
const outcome = await run({
  previous,
  root,
  orders,
  seed,
  prepared: {},
  log: say,
  ...(maxMs !== undefined && { maxMs }),
});
const path = join(root, 'docs', 'reference', 'upgrade.md');
const page = pageOf(outcome, await readFile(path, 'utf8'));
if (values.orders === undefined) await writeFile(path, page);
else process.stdout.write(page);
const sentences = broken(outcome);
for (const sentence of sentences) say(`BROKEN ${sentence}`);
say(`seed ${seed}: ${sentences.length === 0 ? 'everything held' : `${sentences.length} promises broken`}`);
process.exit(sentences.length === 0 ? 0 : 1);
