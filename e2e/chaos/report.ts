import { cpus, totalmem } from 'node:os';
import { doors } from '../departure/table.ts';
import { timeHad } from './metronome.ts';
import { moments } from './moments.ts';
import { pairs } from './plan.ts';
import { failing } from './receivers/receivers.ts';
import type { Outcome, Struck } from './run.ts';
import { doorsOfScene } from './scenes/scene-plan.ts';
import { colleaguesToken } from './scenes/scenes.ts';
import { openFor, type Promised, percentile, type Verdict } from './verdict.ts';

const ms = (value: number): string =>
  value < 9_950 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
const distribution = (values: readonly number[]): string =>
  values.length === 0
    ? '– | – | – | – | 0'
    : [0.5, 0.95, 0.99, 1].map((part) => ms(percentile(values, part))).join(' | ') +
      ` | ${values.length.toLocaleString('en')}`;

/** The page about one run: what was done, what came of it, and how to do it again. */
export function pageOf(outcome: Outcome, verdict: Verdict): string {
  const { struck, measures, seed, audit } = outcome;
  const [cpu] = cpus();
  return `# Under fire

\`npm run chaos\` starts the system as separate processes, two of each service, with a TCP proxy between every pair of processes and a
load balancer in front; lets people work and people leave; and makes one fault after the other. Faults and departures follow from a seed, so
a run can be repeated: \`npm run chaos -- --seed ${seed}\`. It writes this page. \`npm run test:full\` does a minute of it.

${promisesHeld(verdict)}

## The last run

${outcome.startedAt.toISOString().slice(0, 10)}, seed ${seed}, ${Math.round((outcome.to - outcome.from) / 1000)} s, on ${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, with everything on it: eight processes, PostgreSQL, Valkey, and the test.
**${summary(verdict.promises)}**

${verdict.broken
  .slice(0, 20)
  .map((sentence) => `- ${sentence}\n`)
  .join('')}
![Departures and faults](chaos.svg)

${timesOfDoors(verdict)}

${peopleOfRun(outcome, verdict)}

${byFault(outcome)}

${machineTime(outcome)}

Lasting faults take ${measures.lasting.map((one) => one / 1000).join(' to ')} s, Redis is away for ${measures.redisAwayMs / 1000} s, a full queue is ${measures.fullQueue.toLocaleString('en')} jobs for each consumer. A killed process is away until it is ready
again. The moments of \`kill -9\` are exact: the proxies see what passes, keep back that byte or the answer to it, and the process is ended.
${covered(struck)}

${faultsInOrder(outcome)}

${whatElse(outcome)}

${outside(outcome, verdict)}

## The invariants

| holds | looked at | wrong |
|---|---|---|
${audit.checks.map(({ says, looked, flaws }) => `| ${says} | ${looked.toLocaleString('en')} | ${flaws} |`).join('\n')}

An operator runs the same against production: [audit the invariants](../guides/audit-the-invariants.md).
`;
}

/** What is promised, what a door is, and how they are asked. */
function promisesHeld({ promises }: Verdict): string {
  return `## What is promised, and held to

| promised | found | held |
|---|---|---|
${promises.map(({ says, measured, ...one }) => `| ${says} | ${measured} | ${held(one)} |`).join('\n')}

That is what [the last run](#the-last-run) came to.

Doors are: the graph at both gateways and at both directory processes, userinfo and introspection at both authorization servers, SCIM at both
provisioning processes, all with an access token; the graph and SCIM with a personal access token; userinfo with an exchanged token at both
authorization servers; the browser's session; the refresh token; a code that wasn't redeemed, of a quarter of the people tried from the first moment
and of the others when all else is closed, and what came of it; of an eighth signing in by password, as far as a token that is worth something; of a third
a subscription that is open at a gateway. All are opened before the person leaves, are asked again and again until they are closed, and at random for the
rest of the run. Every other door, and what else closes doors than leaving, is [further down](#what-else-closes-doors). A door is open at a moment when a request that is **sent** at that moment gets in, however late the answer comes; so times count from
the acknowledgement to the moment at which the last request that got in was sent.

Without a fault is the time before the first one, in which nobody is hired (a dozen requests and several passwords for each), and what is more than 10 s after the end of one: recovery is part of the fault. A door that should be
closed already when a fault begins has no excuse in it.

Three doors of a person (other ones of each person) are asked from the acknowledgement on, of some who leave as a fault begins five or all; the
others when those are closed. Only the former tell when a door closed, and the 99th percentile is theirs. There are no more of them because each is
asked every few milliseconds: all of everybody's doors at once would keep the machine from the very thing they wait for. For the same reason
the proxies have a thread of their own: what the processes say to each other, some twenty messages for a departure, doesn't wait for the test's requests.`;
}

/** How long doors were open. */
function timesOfDoors({ watched, refused, open }: Verdict): string {
  return `| | p50 | p95 | p99 | max | doors |
|---|---|---|---|---|---|
| watched, open after the departure, no fault | ${distribution(watched.healthy)} |
| watched, open after the departure, during a fault or within 10 s of one | ${distribution(watched.during)} |
| watched, until the first refusal had arrived, no fault | ${distribution(refused.healthy)} |
| watched, until the first refusal had arrived, during a fault or within 10 s of one | ${distribution(refused.during)} |
| all, open after the departure, no fault | ${distribution(open.healthy)} |
| all, open after the departure, during a fault or within 10 s of one | ${distribution(open.during)} |

Watched are those that are asked from the acknowledgement on.`;
}

/** Who left, and what those had who stayed. */
function peopleOfRun(outcome: Outcome, verdict: Verdict): string {
  const { left } = outcome;
  const watchedDoors = left.reduce((sum, { closings }) => sum + closings.length, 0);
  const looks = left.reduce((sum, one) => sum + one.attempts - 1, 0);
  return `${left.length.toLocaleString('en')} departures of ${outcome.departuresOf.length.toLocaleString('en')} people, ${watchedDoors.toLocaleString('en')} doors, ${outcome.triedAgain.toLocaleString('en')} of them tried once more at the end; ${looks.toLocaleString('en')} changes had to be sent
again because a fault kept the answer. ${outcome.returns.length} people came back in between and left again. ${outcome.livingTries.toLocaleString('en')} requests of people who stayed; they had
${outcome.outages.length} outages, the longest of ${ms(Math.max(0, ...verdict.outages))}.`;
}

/** What each kind of fault did. */
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
  return `| fault | times | departures in it | a door open for at most | all well after at most |
|---|---|---|---|---|
${rows.join('\n')}`;
}

/** Every fault, as it came. */
function faultsInOrder({ struck, from: start }: Outcome): string {
  return `<details><summary>All faults, in their order</summary>

| at | fault | lasted | all well after |
|---|---|---|---|
${struck.map((fault) => `| ${((fault.from - start) / 1000).toFixed(1)} s | ${fault.what}${nobodyCame(fault) ? ' (nobody came by)' : ''} | ${ms(fault.to - fault.from)} | ${ms(fault.recoveredAt - fault.to)} |`).join('\n')}

</details>`;
}

/** What receivers, apps and streams were told. */
function outside(outcome: Outcome, verdict: Verdict): string {
  return `## What the outside heard

Two webhook receivers, one of which fails ${Math.round(100 * failing)} % of its requests (503, no answer, or a cut connection); one of the other tenant, which is to
hear of its own people and of nobody else; the app, by logout tokens; and Shared Signals, pushed and polled.

| | p50 | p95 | p99 | max | departures |
|---|---|---|---|---|---|
${verdict.notified
  .flatMap(({ name, healthy, during }) => [
    `| ${name} had been told all, no fault | ${distribution(healthy)} |`,
    `| ${name} had been told all, during a fault or within 10 s of one | ${distribution(during)} |`,
  ])
  .join('\n')}

${outcome.notified
  .map(
    ({ name, messages, requests, failed, repeated }) =>
      `${name[0]?.toUpperCase()}${name.slice(1)} took ${messages.toLocaleString('en')} messages in ${requests.toLocaleString('en')} requests, of which it failed ${failed.toLocaleString('en')}; ${repeated.toLocaleString('en')} came again after it had taken them.`,
  )
  .join('\n')}
Times count from the acknowledgement of the departure until the last message about it was there. Who fails is tried again after a second or two
(\`DELIVERY_RETRY_FIRST_SECONDS\`, \`DELIVERY_RETRY_MAX_SECONDS\`; in production after 5 s at first).`;
}

/** The scenes: what was done in them, and what came of each door. */
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
  const byDoor = [...doors.map(({ name }) => name), colleaguesToken].map(
    (door) => `| ${door} | ${count(closed, door)} | ${count(stayed, door)} |`,
  );
  return `## What else closes doors

Beside the people who leave one by one, every now and then a scene of [the table of departures](departure.md) is played under the same faults, by the
hands of that table's own tests: people, apps and an identity source of its own, ${doorsOfScene.all} doors opened, up to ${doorsOfScene.closing} that its trigger is to close and others
that it isn't, and a colleague's. Those that are to close are held to the same promises. The others must still be open afterwards: nobody may be kept
out there but by a fault. What can be undone is undone; then what only waited for that must be open again, and all else stay closed. What a fault may take
(a connection; what somebody has begun and not finished, which Redis keeps) says nothing when there was one. Each trigger and each door comes before any comes again.

| what | trigger | times | doors closed | one open for at most | doors that stayed open |
|---|---|---|---|---|---|
${byTrigger.toSorted().join('\n')}

<details><summary>Each door</summary>

| door | closed | stayed open |
|---|---|---|
${byDoor.join('\n')}

</details>`;
}

const held = ({ judged, broken }: Pick<Promised, 'judged' | 'broken'>): string => {
  if (!judged) return 'not judged';
  return broken.length === 0 ? 'yes' : `**no**, ${broken.length} times`;
};

function summary(promises: readonly Promised[]): string {
  const broken = promises.filter((one) => one.broken.length > 0).length;
  const unjudged = promises.filter(({ judged }) => !judged).length;
  if (broken > 0) return `${broken} of ${promises.length} promises were broken.`;
  return unjudged === 0
    ? 'Everything held.'
    : `Everything held that could be judged; ${unjudged} of ${promises.length} promises could not.`;
}

/** Whether a process was to be killed at a moment and was killed at another, because the moment didn't come. */
const nobodyCame = ({ fault, caught }: Struck): boolean => fault.kind === 'kill' && caught === undefined;

/** How much of what could be hit was hit. */
function covered(struck: readonly Struck[]): string {
  const cut = new Set<string>();
  const reached = new Set<string>();
  for (const { fault, caught } of struck) {
    if (fault.kind === 'partition') cut.add(`${fault.one} ${fault.other}`);
    if (fault.kind === 'partitions') for (const { one, other } of fault.pairs) cut.add(`${one} ${other}`);
    if (fault.kind === 'kill' && caught !== undefined) reached.add(fault.moment);
  }
  return `Of ${pairs.length} pairs of those who talk to each other, ${cut.size} were cut; of ${Object.keys(moments).length} moments of a departure, processes were killed in ${reached.size}.`;
}

/** What the machine itself did to the figures. */
function machineTime({ stalls, from, to }: Outcome): string {
  const lost = to - from - timeHad(stalls, from, to);
  return `Beside it all the least of requests was made to a process that has nothing to do; for ${ms(lost)} in all (${((100 * lost) / (to - from)).toFixed(1)} %) it took more than 60 ms,
because the machine was busy. Bounds count the rest of the time.`;
}
