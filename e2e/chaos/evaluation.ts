import { patienceMs } from './asking.ts';
import type { Closing, Left } from './departures.ts';
import { timeHad } from './metronome.ts';
import { type Outcome, recoveryBoundMs } from './run.ts';

/** Milliseconds within which a working receiver is notified of a departure without a fault. */
export const notificationBoundMs = 5_000;

/** Milliseconds within which an access path closes without a fault. */
export const healthyBoundMs = { p99: 100, max: 1_000 };

/** Minimum number of watched access paths for a 99th percentile; fewer would measure one or two users. */
export const minForP99 = 200;

/** One promise and its result. */
export interface Promised {
  says: string;
  /** The measurement, in words. */
  measured: string;
  /** The violations, a sentence each. */
  broken: string[];
  /** Whether there is enough data; otherwise the promise is neither held nor broken. */
  evaluated: boolean;
}

/** An access path that was watched from the acknowledgement on without a fault, and possible causes of a delay. */
export interface WatchedAccessPath {
  door: string;
  trigger: string;
  /** Milliseconds for which it was open. */
  ms: number;
  /** Time of the acknowledgement in milliseconds since the start of the run. */
  at: number;
  /** Departures acknowledged within the same second, including this one. */
  together: number;
  /** Requests without an answer or with a temporary error. */
  unavailable: number;
  /** Milliseconds since the recovery from the last fault; undefined before the first. */
  sinceFault: number | undefined;
}

export interface ChaosResult {
  promises: Promised[];
  /** All violations. */
  broken: string[];
  /** For every access path of every departure, milliseconds from the acknowledgement to the last accepted request. */
  open: { healthy: number[]; during: number[] };
  /** The same, for the watched access paths only. */
  watched: { healthy: number[]; during: number[] };
  /** Each watched access path without a fault. */
  watchedAccessPaths: WatchedAccessPath[];
  /** Milliseconds from the acknowledgement to the first rejection, for the watched access paths. */
  refused: { healthy: number[]; during: number[] };
  /** Milliseconds for which an active user was denied access. */
  outages: number[];
  /** For each receiver, milliseconds from the acknowledgement to the last message about a departure. */
  notified: { name: string; healthy: number[]; during: number[] }[];
}

/** Milliseconds for which the backlog of a stall keeps the machine busy. */
const stallAftermathMs = 1_000;

interface Window {
  from: number;
  to: number;
}

const stallsOf = ({ stalls }: Outcome): Window[] =>
  stalls.map(({ from, to }) => ({ from, to: to + stallAftermathMs }));

/** Returns the periods of faults and their recovery, and of machine stalls. */
const windowsOf = (outcome: Outcome): Window[] => [
  ...outcome.struck.map(({ from, to }) => ({ from, to: to + recoveryBoundMs })),
  ...stallsOf(outcome),
];

const overlaps = (windows: readonly Window[], from: number, to: number): boolean =>
  windows.some((window) => window.from <= to && from <= window.to);

/**
 * Returns the milliseconds for which an access path was certainly open: until the send time of the last accepted
 * request.
 */
export const openFor = ({ acknowledgedAt }: Left, { openAt }: Closing): number =>
  openAt === undefined ? 0 : Math.max(0, openAt - acknowledgedAt);

/** Compares the outcome with the promises. */
export function evaluate(outcome: Outcome): ChaosResult {
  const result: ChaosResult = {
    promises: [],
    broken: [],
    open: { healthy: [], during: [] },
    watched: { healthy: [], during: [] },
    watchedAccessPaths: [],
    refused: { healthy: [], during: [] },
    outages: outcome.outages.map(({ from, to = outcome.to }) => to - from),
    notified: [],
  };
  result.promises.push(
    ...checkAccessPaths(outcome, result),
    ...checkLiving(outcome),
    checkScenes(outcome),
    ...checkEffects(outcome),
    checkAgain(outcome),
    ...checkNotified(outcome, result),
    checkAudit(outcome),
  );
  result.broken = result.promises.flatMap(({ broken }) => broken);
  return result;
}

function checkAccessPaths(
  outcome: Outcome,
  { open, watched, refused, watchedAccessPaths }: ChaosResult,
): Promised[] {
  const windows = windowsOf(outcome);
  const tooLong = { healthy: [] as string[], during: [] as string[] };
  const notForGood: string[] = [];
  const mixedUp: string[] = [...outcome.mixedUp];
  for (const one of [...outcome.left, ...outcome.played]) {
    for (const [index, closing] of one.closings.entries()) {
      const { acknowledgedAt } = one;
      const ms = openFor(one, closing);
      // A fault after the access path should have closed is no excuse.
      const inQuestion = Math.max(100, Math.min(ms, healthyBoundMs.max));
      const when = overlaps(windows, acknowledgedAt, acknowledgedAt + inQuestion) ? 'during' : 'healthy';
      const bound = when === 'healthy' ? healthyBoundMs.max : outcome.stalenessMs;
      open[when].push(ms);
      if (index < one.watched) {
        watched[when].push(ms);
        if (when === 'healthy') watchedAccessPaths.push(watchedAccessPath(outcome, one, closing));
        if (closing.closedAt !== undefined && closing.unavailable === 0)
          refused[when].push(closing.closedAt - acknowledgedAt);
      }
      const who = `${one.person.id}, ${one.trigger} ${at(outcome, acknowledgedAt)}: ${closing.door}`;
      if (timeHad(outcome.stalls, acknowledgedAt, acknowledgedAt + ms) > bound)
        tooLong[when].push(`${who} was open for ${Math.round(ms)} ms, allowed are ${bound}`);
      if (closing.closedAt === undefined) notForGood.push(`${who} was never refused: ${closing.said}`);
      if (closing.mixedUp !== undefined) mixedUp.push(`${who} took the person for ${closing.mixedUp}`);
    }
  }
  for (const { door, person, afterMs } of outcome.reopened) {
    notForGood.push(`${person}: ${door} opened again ${afterMs} ms after the departure`);
  }
  return accessPathPromises(outcome, { open, watched }, { tooLong, notForGood, mixedUp });
}

function watchedAccessPath(outcome: Outcome, left: Left, closing: Closing): WatchedAccessPath {
  const { acknowledgedAt, trigger } = left;
  const recovered = outcome.struck.map((fault) => fault.recoveredAt).filter((at) => at <= acknowledgedAt);
  return {
    door: closing.door,
    trigger,
    ms: openFor(left, closing),
    at: acknowledgedAt - outcome.from,
    together: outcome.left.filter((other) => Math.abs(other.acknowledgedAt - acknowledgedAt) <= 500).length,
    unavailable: closing.unavailable,
    sinceFault: recovered.length === 0 ? undefined : acknowledgedAt - Math.max(...recovered),
  };
}

/** Evaluates the promises about access paths. */
function accessPathPromises(
  outcome: Outcome,
  { open, watched }: Pick<ChaosResult, 'open' | 'watched'>,
  found: { tooLong: { healthy: string[]; during: string[] }; notForGood: string[]; mixedUp: string[] },
): Promised[] {
  const { tooLong, notForGood, mixedUp } = found;
  const p99 = percentile(watched.healthy, 0.99);
  const enough = watched.healthy.length >= minForP99;
  const doors = open.healthy.length + open.during.length;
  return [
    {
      says: `Without a fault every access path is closed within ${healthyBoundMs.max / 1000} s after the change was acknowledged.`,
      measured: `maximum ${Math.round(longest(open.healthy))} ms, of ${open.healthy.length.toLocaleString('en')} access paths`,
      broken: tooLong.healthy,
      evaluated: open.healthy.length > 0,
    },
    {
      says: `Without a fault 99 of 100 watched access paths are closed within ${healthyBoundMs.p99} ms.`,
      measured: `${Math.round(p99)} ms, of ${watched.healthy.length.toLocaleString('en')} access paths${enough ? '' : `; at least ${minForP99} are required`}`,
      broken:
        enough && p99 > healthyBoundMs.p99
          ? [
              `without a fault 1 of 100 doors was open for more than ${Math.round(p99)} ms, allowed are ${healthyBoundMs.p99}`,
            ]
          : [],
      evaluated: enough,
    },
    {
      says: `During a fault no access path is open for longer than \`REVOCATION_MAX_STALENESS_SECONDS\` (${outcome.stalenessMs / 1000} s).`,
      measured: `maximum ${Math.round(longest(open.during))} ms, of ${open.during.length.toLocaleString('en')} access paths`,
      broken: tooLong.during,
      evaluated: open.during.length > 0,
    },
    {
      says: 'Every access path closes and none opens again.',
      measured: `${notForGood.length} violations in ${doors.toLocaleString('en')}; ${outcome.triedAgain.toLocaleString('en')} tried again at the end`,
      broken: notForGood,
      evaluated: doors > 0,
    },
    {
      says: 'No request is attributed to another user.',
      measured: `${mixedUp.length} violations`,
      broken: mixedUp,
      evaluated: true,
    },
  ];
}

function checkLiving(outcome: Outcome): Promised[] {
  const { struck, outages, stalls } = outcome;
  const shutOut = outages
    .filter(({ from, to }) => to === undefined || !isExcused(outcome, { from, to }))
    .map(({ person, door, from, to, said }) => {
      const howLong = to === undefined ? 'to the end' : `for ${Math.round(to - from)} ms`;
      return `${person} didn't get in at ${door} ${at(outcome, from)} ${howLong}, which no fault explains: ${[...said].join(', ')}`;
    });
  const late = struck.flatMap(({ what, from, to, recoveredAt, amiss }) => {
    const recoveryMs = timeHad(stalls, to, recoveredAt);
    if (amiss !== undefined) return [`${what} ${at(outcome, from)}: no recovery, ${amiss}`];
    return recoveryMs > recoveryBoundMs
      ? [`${what} ${at(outcome, from)}: recovered after ${Math.round(recoveryMs)} ms`]
      : [];
  });
  const lengths = outages.map(({ from, to = outcome.to }) => to - from);
  return [
    {
      says: `Active users are rejected only during a fault and the ${recoveryBoundMs / 1000} s after it.`,
      measured: `${outages.length} outages in ${outcome.livingTries.toLocaleString('en')} requests, the longest ${seconds(longest(lengths))}; ${shutOut.length} without a fault`,
      broken: shutOut,
      evaluated: outcome.livingTries > 0,
    },
    {
      says: `The system recovers within ${recoveryBoundMs / 1000} s after each fault, without an operator.`,
      measured: `maximum ${seconds(longest(struck.map(({ to, recoveredAt }) => recoveredAt - to)))}, ${struck.length} faults`,
      broken: late,
      evaluated: struck.length > 0,
    },
  ];
}

/** Evaluates the access paths that a trigger must leave open, or close only until it is undone. */
function checkScenes(outcome: Outcome): Promised {
  const { played } = outcome;
  const broken = played
    .flatMap(({ outages }) => outages)
    .filter(({ from, to }) => to === undefined || !isExcused(outcome, { from, to }))
    .map(({ person, door, from, to, said }) => {
      const howLong = to === undefined ? 'to the end' : `for ${Math.round(to - from)} ms`;
      return `${person}: ${door} didn't stay open ${at(outcome, from)} ${howLong}: ${[...said].join(', ')}`;
    });
  const stayed = played.reduce((sum, one) => sum + one.stayed.length, 0);
  return {
    says: 'Other changes (app disabled, password changed, …) close the access paths of [the table](departure.md) and no others.',
    measured: `${broken.length} violations in ${(broken.length + stayed).toLocaleString('en')}, at ${played.length} triggers`,
    broken,
    evaluated: stayed > 0,
  };
}

/**
 * Reports whether one fault or machine stall explains the whole outage. Faults do not add up: between two faults the
 * access path must be open.
 */
function isExcused(outcome: Outcome, { from, to }: Window): boolean {
  const { struck, stalls } = outcome;
  return (
    struck.some(
      (fault) =>
        // A request sent before the fault may have been in flight.
        fault.from <= from + patienceMs &&
        (to <= fault.recoveredAt || timeHad(stalls, fault.to, to) <= recoveryBoundMs),
    ) || liesWithin(stallsOf(outcome), { from, to })
  );
}

/** Reports whether a period lies within stalls, where adjacent stalls count as one. */
function liesWithin(stalls: readonly Window[], { from, to }: Window): boolean {
  let reached = from;
  for (const stall of stalls.toSorted((a, b) => a.from - b.from)) {
    if (stall.from <= reached + (reached === from ? patienceMs : 0) && stall.to > reached) reached = stall.to;
  }
  return reached > from && to <= reached;
}

function checkEffects({ wrongEffects, departuresOf }: Outcome): Promised[] {
  return [
    {
      says: 'Each offboarding has exactly one effect.',
      measured: `${wrongEffects.length} violations, ${departuresOf.length.toLocaleString('en')} users`,
      broken: wrongEffects.map((effect) => `not exactly one effect: ${effect}`),
      evaluated: departuresOf.length > 0,
    },
  ];
}

/**
 * Requires that repeated deliveries were recognised: a consumer discards a rejected job unread, so it proves nothing.
 */
function checkAgain(outcome: Outcome): Promised {
  const { struck, refusals } = outcome;
  const again = struck.flatMap(({ what, from, again = [] }) => again.map((one) => ({ what, from, ...one })));
  const broken = again
    .filter(({ recognised, atLeast, refused }) => !(recognised >= atLeast && refused === 0))
    .map(
      ({ what, from, consumer, recognised, atLeast, refused }) =>
        `${what} ${at(outcome, from)}: ${consumer} recognised ${recognised} events delivered again, at least ${atLeast} were, and refused ${refused} jobs`,
    );
  const recognised = again.reduce((sum, one) => sum + one.recognised, 0);
  return {
    says: 'Repeated deliveries are recognized, and no job that the system enqueued is rejected.',
    measured: `${recognised.toLocaleString('en')} events recognized; ${refusals.length} rejections`,
    broken: [...broken, ...refusals.map((line) => `refused: ${line}`)],
    evaluated: again.length > 0,
  };
}

function checkNotified(outcome: Outcome, result: ChaosResult): Promised[] {
  const windows = windowsOf(outcome);
  const wrong: string[] = [];
  const late: string[] = [];
  for (const { name, departures, wrong: its } of outcome.notified) {
    wrong.push(...its.map((one) => `${name}: ${one}`));
    const figures = { name, healthy: [] as number[], during: [] as number[] };
    for (const { acknowledgedAt, notifiedAt } of departures) {
      if (notifiedAt === undefined) continue;
      const took = Math.max(0, notifiedAt - acknowledgedAt);
      const healthy = !overlaps(windows, acknowledgedAt, notifiedAt);
      figures[healthy ? 'healthy' : 'during'].push(took);
      if (healthy && name === outcome.notified[0]?.name && took > notificationBoundMs)
        late.push(
          `${name}: was told after ${Math.round(took)} ms of a departure ${at(outcome, acknowledgedAt)}`,
        );
    }
    result.notified.push(figures);
  }
  const steady = result.notified[0]?.healthy ?? [];
  const messages = outcome.notified.reduce((sum, one) => sum + one.messages, 0);
  return [
    {
      says: 'Receivers get each offboarding, reactivation and revocation: complete, signed, as one message, in order for each user, and of their tenant only.',
      measured: `${wrong.length} violations in ${messages.toLocaleString('en')} messages`,
      broken: wrong,
      evaluated: messages > 0,
    },
    {
      says: `Without a fault the healthy receiver gets all messages within ${notificationBoundMs / 1000} s.`,
      measured: `maximum ${Math.round(longest(steady))} ms, ${steady.length.toLocaleString('en')} offboardings`,
      broken: late,
      evaluated: steady.length > 0,
    },
  ];
}

function checkAudit({ audit }: Outcome): Promised {
  const flaws = audit.checks.filter((check) => check.flaws > 0);
  const broken = flaws.map(
    (check) =>
      `audit: ${check.flaws} times not so: ${check.says} ${JSON.stringify(check.examples.slice(0, 3))}`,
  );
  if (!audit.ok && flaws.length === 0) broken.push('the audit could not be made');
  return {
    says: '`npm run audit:invariants` finds no violation afterwards; no event is lost.',
    measured: `${flaws.length} of ${audit.checks.length} invariants violated`,
    broken,
    evaluated: true,
  };
}

const at = (outcome: Outcome, time: number): string => `at ${seconds(time - outcome.from)}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const longest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0);

/** Returns the given percentile; 0 without values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0;
}
