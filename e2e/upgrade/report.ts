import { cpus, totalmem } from 'node:os';
import { allOrders, stepsOf } from './orders.ts';
import { broken, type Outcome } from './run.ts';

const number = (value: number): string => value.toLocaleString('en');

/** The page about one run. */
export function pageOf(outcome: Outcome): string {
  const { previous, seed, startedAt, seconds, passes, counts, leaving, invariants } = outcome;
  const [cpu] = cpus();
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sentences = broken(outcome);
  const orders = new Set(passes.map(({ order }) => String(order))).size;
  const steps = new Set(passes.flatMap(({ order }) => stepsOf(order))).size;
  return `# The tested upgrade

\`npm run upgrade-test\` builds the previous release from the repository's history and starts eight processes of it, two of each service, on one
PostgreSQL and one Valkey; applies this release's migrations; and replaces the processes one at a time, service after service, by this
release's and back, in different orders, while there is load and people leave. It writes this page. What is promised is in
[Upgrade](../guides/upgrade.md).

## The last run

${startedAt.toISOString().slice(0, 10)}, from ${previous.version} (\`${previous.commit.slice(0, 12)}\`), seed ${seed}, ${number(seconds)} s, on ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, with everything on it.
**${sentences.length === 0 ? 'Everything held.' : `${sentences.length} promises were broken.`}**

${sentences.map((sentence) => `- ${sentence}\n`).join('')}
| | |
|---|---:|
| orders forth and back, of ${allOrders.length} | ${orders} |
| steps (a service replaced after a set of others), of ${new Set(allOrders.flatMap(stepsOf)).size} | ${steps} |
| processes replaced | ${number(passes.length * 8)} |
| requests | ${number(requests)} |
| requests that failed | ${number(outcome.failures.reduce((sum, { count }) => sum + count, 0))} |
| people who left | ${number(leaving.departures)} |
| their doors, each tried until it was refused, and once more at the end | ${number(leaving.doors)} |
| longest time a door was open after the acknowledgement | ${leaving.longestOpenMs} ms |
| departures without exactly one effect | ${leaving.wrongEffects.length} |
| invariants, and what they looked at | ${invariants.checks}, ${number(invariants.looked)} |
| invariants that are broken | ${invariants.broken.length} |

| requests | |
|---|---:|
${Object.entries(counts)
  .map(([kind, count]) => `| ${kind} | ${number(count)} |`)
  .join('\n')}

| | order | s | requests | departures |
|---|---|---:|---:|---:|
${passes
  .map(
    (pass) =>
      `| ${pass.direction} | ${pass.order.join(', ')} | ${pass.seconds} | ${number(pass.requests)} | ${pass.departures} |`,
  )
  .join('\n')}
`;
}
