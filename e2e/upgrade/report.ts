import { commitHere, machineHere } from '../support/run-conditions.ts';
import { allOrders, stepsOf } from './orders.ts';
import { rollingRestartIn } from './rolling-restart.ts';
import { broken, type Outcome } from './run.ts';

const number = (value: number): string => value.toLocaleString('en');

/** Returns the page about one run. @param former page whose section about the rolling restart is kept */
export function pageOf(outcome: Outcome, former = ''): string {
  const { previous, seed, startedAt, seconds, passes, counts, leaving, invariants } = outcome;
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sentences = broken(outcome);
  const orders = new Set(passes.map(({ order }) => String(order))).size;
  const steps = new Set(passes.flatMap(({ order }) => stepsOf(order))).size;
  return `# Upgrade test

\`npm run upgrade-test\` tests the [upgrade](../guides/upgrade.md) from the previous release under load and writes this page. It builds the previous release from the repository's history, starts two
processes of each service on one PostgreSQL and one Valkey, applies the migrations of this release, and replaces the processes one at a time, forth and back, in different orders, while users are offboarded.

## Last run

${startedAt.toISOString().slice(0, 10)}, from ${previous.version} (\`${previous.commit.slice(0, 12)}\`) to \`${commitHere()}\`, seed ${seed}, ${number(seconds)} s, on ${machineHere()}, shared by processes, databases and test.
**${sentences.length === 0 ? 'Everything passed.' : `${sentences.length} checks failed.`}**

${sentences.map((sentence) => `- ${sentence}\n`).join('')}
| figure | value |
|---|---:|
| orders forth and back, of ${allOrders.length} | ${orders} |
| steps (a service replaced after a set of others), of ${new Set(allOrders.flatMap(stepsOf)).size} | ${steps} |
| processes replaced | ${number(passes.length * 8)} |
| requests | ${number(requests)} |
| requests that failed | ${number(outcome.failures.reduce((sum, { count }) => sum + count, 0))} |
| users offboarded | ${number(leaving.departures)} |
| access paths, each tried until rejected and again at the end | ${number(leaving.doors)} |
| maximum time until an access path was closed | ${leaving.maxOpenMs} ms |
| offboardings without exactly one effect | ${leaving.wrongEffects.length} |
| invariants checked | ${invariants.checks} |
| rows checked | ${number(invariants.looked)} |
| invariants violated | ${invariants.broken.length} |

| request | count |
|---|---:|
${Object.entries(counts)
  .map(([kind, count]) => `| ${kind} | ${number(count)} |`)
  .join('\n')}

| direction | order | seconds | requests | offboardings |
|---|---|---:|---:|---:|
${passes
  .map(
    (pass) =>
      `| ${pass.direction} | ${pass.order.join(', ')} | ${pass.seconds} | ${number(pass.requests)} | ${pass.departures} |`,
  )
  .join('\n')}
${rollingRestartIn(former)}`;
}
