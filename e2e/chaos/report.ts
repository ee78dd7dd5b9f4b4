import { doors } from '../departure/table.ts';
import { machineHere } from '../support/run-conditions.ts';
import { type ChaosResult, openFor, type Promised, percentile } from './evaluation.ts';
import { timeHad } from './metronome.ts';
import { moments } from './moments.ts';
import { pairs } from './plan.ts';
import { failing } from './receivers/receivers.ts';
import type { Outcome, Struck } from './run.ts';
import { accessPathsOfScene } from './scenes/scene-plan.ts';
import { colleaguesToken } from './scenes/scenes.ts';

const ms = (value: number): string =>
  value < 9_950 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
const distribution = (values: readonly number[]): string =>
  values.length === 0
    ? '– | – | – | – | 0'
    : [0.5, 0.95, 0.99, 1].map((part) => ms(percentile(values, part))).join(' | ') +
      ` | ${values.length.toLocaleString('en')}`;

/** Returns the page about one run. */
export function pageOf(outcome: Outcome, result: ChaosResult): string {
  const { struck, measures, seed, audit } = outcome;
  return `# Chaos test

\`npm run chaos\` measures offboarding under faults and writes this page. It starts the system as separate processes, two of each service, with a TCP proxy between every pair of processes and a load balancer
in front, sends requests, offboards users, and causes one fault after the other. Faults and offboardings depend on a seed: \`npm run chaos -- --seed ${seed}\` repeats the run. \`npm run test:full\` includes a run of one
minute.

${promisesHeld(result)}

## Last run

${outcome.startedAt.toISOString().slice(0, 10)}, seed ${seed}, ${Math.round((outcome.to - outcome.from) / 1000)} s, on ${machineHere()}, shared by eight processes, PostgreSQL, Valkey and the test.
**${summary(result.promises)}**

${result.broken
  .slice(0, 20)
  .map((sentence) => `- ${sentence}\n`)
  .join('')}
![Offboardings and faults](chaos.svg)

${timesOfAccessPaths(result)}

${usersOfRun(outcome, result)}

${byFault(outcome)}

${machineTime(outcome)}

Lasting faults take ${measures.lasting.map((one) => one / 1000).join('–')} s. Redis is unavailable for ${measures.redisAwayMs / 1000} s. A full queue has ${measures.fullQueue.toLocaleString('en')} jobs for each consumer. The moments of \`kill -9\` are exact: a proxy
withholds the message or its answer, and the process is killed.
${covered(struck)}

${faultsInOrder(outcome)}

${whatElse(outcome)}

${outside(outcome, result)}

## Invariants

After the run [the audit](../guides/audit-the-invariants.md) checked ${audit.checks.length} invariants on ${audit.checks.reduce((sum, { looked }) => sum + looked, 0).toLocaleString('en')} rows: ${audit.checks.reduce((sum, { flaws }) => sum + flaws, 0)} violations.
`;
}

/** Returns the promises with their results, and the definitions of the measurements. */
function promisesHeld({ promises }: ChaosResult): string {
  return `## Promises

| promise | result of the [last run](#last-run) | kept |
|---|---|---|
${promises.map(({ says, measured, ...one }) => `| ${says} | ${measured} | ${held(one)} |`).join('\n')}

| term | definition |
|---|---|
| access path | GraphQL at both gateways and both directory processes, userinfo and introspection at both authorization servers, SCIM at both provisioning processes, each with an access token; GraphQL and SCIM with a personal access token; userinfo with an exchanged token and with the token of an agent at both authorization servers; browser session; refresh token; unredeemed authorization code; for an eighth of the users the password, for a third an open subscription. [Others](#other-triggers) are tested below |
| open | a request **sent** at that moment succeeds, however late its answer; times run from the acknowledgement of the offboarding to the last successful request |
| no fault | before the first fault, without new users, and more than 10 s after the end of a fault. A fault does not excuse an access path that should be closed when it begins |
| watched | tried continuously from the acknowledgement: three access paths of each user, five or all for some users offboarded at the beginning of a fault. The 99th percentile covers these. The others are tried when the watched ones are closed, because trying all would load the machine. All are tried again at random until the end |

The proxies run in a separate thread, so that the test's requests do not delay messages between processes.`;
}

/** Returns the times for which access paths were open. */
function timesOfAccessPaths({ watched, refused, open }: ChaosResult): string {
  return `| access paths | p50 | p95 | p99 | max | number |
|---|---|---|---|---|---|
| watched, open, no fault | ${distribution(watched.healthy)} |
| watched, open, fault | ${distribution(watched.during)} |
| watched, until the first rejection, no fault | ${distribution(refused.healthy)} |
| watched, until the first rejection, fault | ${distribution(refused.during)} |
| all, open, no fault | ${distribution(open.healthy)} |
| all, open, fault | ${distribution(open.during)} |

*Fault* includes the 10 s after its end.`;
}

/** Returns the counts of the run. */
function usersOfRun(outcome: Outcome, result: ChaosResult): string {
  const { left } = outcome;
  const watchedAccessPaths = left.reduce((sum, { closings }) => sum + closings.length, 0);
  const looks = left.reduce((sum, one) => sum + one.attempts - 1, 0);
  return `| count | value |
|---|---:|
| offboardings | ${left.length.toLocaleString('en')} |
| users offboarded | ${outcome.departuresOf.length.toLocaleString('en')} |
| users reactivated and offboarded again | ${outcome.returns.length} |
| access paths | ${watchedAccessPaths.toLocaleString('en')} |
| access paths tried again at the end | ${outcome.triedAgain.toLocaleString('en')} |
| changes repeated because a fault lost the answer | ${looks.toLocaleString('en')} |
| requests of active users | ${outcome.livingTries.toLocaleString('en')} |
| outages of active users | ${outcome.outages.length} |
| longest outage | ${ms(Math.max(0, ...result.outages))} |`;
}

/** Returns the effect of each kind of fault. */
function byFault({ struck, left }: Outcome): string {
  const kinds = Map.groupBy(struck, ({ fault }) => fault.kind);
  const during = (from: number, to: number) =>
    left.filter(({ acknowledgedAt }) => acknowledgedAt >= from && acknowledgedAt <= to);
  const rows = [...kinds].map(([kind, all]) => {
    const people = all.flatMap(({ from, recoveredAt }) => during(from, recoveredAt));
    const longest = Math.max(
      0,
      ...people.flatMap((one) => one.closings.map((closing) => openFor(one, closing))),
    );
    const recovery = Math.max(0, ...all.map(({ to, recoveredAt }) => recoveredAt - to));
    return `| ${kind} | ${all.length} | ${people.length} | ${ms(longest)} | ${ms(recovery)} |`;
  });
  return `| fault | count | offboardings during it | longest open access path | longest recovery |
|---|---|---|---|---|
${rows.join('\n')}`;
}

/** Returns every fault in order. */
function faultsInOrder({ struck, from: start }: Outcome): string {
  return `<details><summary>All faults in order</summary>

| time | fault | duration | recovery |
|---|---|---|---|
${struck.map((fault) => `| ${((fault.from - start) / 1000).toFixed(1)} s | ${fault.what}${nobodyCame(fault) ? ' (moment not reached)' : ''} | ${ms(fault.to - fault.from)} | ${ms(fault.recoveredAt - fault.to)} |`).join('\n')}

</details>`;
}

const shortOf = (receiver: string): string => receiver.replace(/^the /, '');

/** Returns the deliveries to receivers, clients and streams. */
function outside(outcome: Outcome, result: ChaosResult): string {
  return `## Deliveries

Receivers: two webhooks, one of which fails ${Math.round(100 * failing)} % of its requests (503, no answer, or a cut connection); a webhook of the other tenant, which must receive events of its own users only; a client with
logout tokens; Shared Signals by push and by poll. Times run from the acknowledgement of the offboarding to the last message about it.

| receiver | p50 | p95 | p99 | max | offboardings |
|---|---|---|---|---|---|
${result.notified
  .flatMap(({ name, healthy, during }) => [
    `| ${shortOf(name)}, no fault | ${distribution(healthy)} |`,
    `| ${shortOf(name)}, fault | ${distribution(during)} |`,
  ])
  .join('\n')}

| receiver | messages | requests | failed | repeated after acceptance |
|---|---:|---:|---:|---:|
${outcome.notified
  .map(
    ({ name, messages, requests, failed, repeated }) =>
      `| ${shortOf(name)} | ${messages.toLocaleString('en')} | ${requests.toLocaleString('en')} | ${failed.toLocaleString('en')} | ${repeated.toLocaleString('en')} |`,
  )
  .join('\n')}

The first retry is after one to two seconds (\`DELIVERY_RETRY_FIRST_SECONDS\`, \`DELIVERY_RETRY_MAX_SECONDS\`; default 5 s).`;
}

/** Returns the triggers of the offboarding table and the effect on each access path. */
function whatElse({ played }: Outcome): string {
  const byTrigger = [...Map.groupBy(played, ({ column, trigger }) => `${column} | ${trigger}`)].map(
    ([what, all]) => {
      const closed = all.flatMap((one) => one.closings.map((closing) => openFor(one, closing)));
      const stayed = all.reduce((sum, one) => sum + one.stayed.length, 0);
      return `| ${what} | ${all.length} | ${closed.length} | ${ms(Math.max(0, ...closed))} | ${stayed} |`;
    },
  );
  const count = (some: readonly string[], door: string) => some.filter((one) => one === door).length;
  const closed = played.flatMap(({ closings }) => closings.map(({ door }) => door));
  const stayed = played.flatMap((one) => one.stayed);
  const byAccessPath = [...doors.map(({ name }) => name), colleaguesToken].map(
    (door) => `| ${door} | ${count(closed, door)} | ${count(stayed, door)} |`,
  );
  return `## Other triggers

At intervals the run executes a trigger of [the offboarding table](departure.md) with separate users, clients and connectors, under the same faults: ${accessPathsOfScene.all} access paths, up to ${accessPathsOfScene.closing} of which must close within the promises. The
others, and those of a colleague, must stay open except during a fault. Then the change is undone if possible: paths that *wait* must open again, all others stay closed. Results that a fault can cause (a lost connection, an
unfinished operation stored in Redis) are not counted during one.

| column | trigger | count | access paths closed | longest open | access paths kept |
|---|---|---|---|---|---|
${byTrigger.toSorted().join('\n')}

<details><summary>Each access path</summary>

| access path | closed | kept |
|---|---|---|
${byAccessPath.join('\n')}

</details>`;
}

const held = ({ evaluated, broken }: Pick<Promised, 'evaluated' | 'broken'>): string => {
  if (!evaluated) return 'not measured';
  return broken.length === 0 ? 'yes' : `**no**, ${broken.length} violations`;
};

function summary(promises: readonly Promised[]): string {
  const broken = promises.filter((one) => one.broken.length > 0).length;
  const notYetChecked = promises.filter(({ evaluated }) => !evaluated).length;
  if (broken > 0) return `${broken} of ${promises.length} promises were not kept.`;
  return notYetChecked === 0
    ? 'All promises were kept.'
    : `All measured promises were kept; ${notYetChecked} of ${promises.length} could not be measured.`;
}

/** Reports whether a kill missed its moment because no process reached it. */
const nobodyCame = ({ fault, caught }: Struck): boolean => fault.kind === 'kill' && caught === undefined;

/** Returns the part of the pairs and moments that faults reached. */
function covered(struck: readonly Struck[]): string {
  const cut = new Set<string>();
  const reached = new Set<string>();
  for (const { fault, caught } of struck) {
    if (fault.kind === 'partition') cut.add(`${fault.one} ${fault.other}`);
    if (fault.kind === 'partitions') for (const { one, other } of fault.pairs) cut.add(`${one} ${other}`);
    if (fault.kind === 'kill' && caught !== undefined) reached.add(fault.moment);
  }
  return `Coverage: ${cut.size} of ${pairs.length} connections were cut; processes were killed at ${reached.size} of ${Object.keys(moments).length} moments of an offboarding.`;
}

/** Returns the effect of the machine on the measurements. */
function machineTime({ stalls, from, to }: Outcome): string {
  const lost = to - from - timeHad(stalls, from, to);
  return `A control request to an idle process took more than 60 ms for ${ms(lost)} in total (${((100 * lost) / (to - from)).toFixed(1)} %), because the machine was busy. Bounds exclude this time.`;
}
