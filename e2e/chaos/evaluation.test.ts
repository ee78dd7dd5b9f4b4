import { expect, test } from '@jest/globals';
import type { Left } from './departures.ts';
import { evaluate } from './evaluation.ts';
import type { Outage } from './living.ts';
import { measures } from './plan.ts';
import type { Outcome, Struck } from './run.ts';

const fault = (from: number, to: number, recoveredAt = to + 500): Struck => ({
  fault: { kind: 'flush' },
  what: 'Redis flushed',
  from,
  to,
  recoveredAt,
  amiss: undefined,
});

const outage = (from: number, to: number | undefined): Outage => ({
  person: 'stays-1',
  door: 'graph',
  from,
  to,
  said: new Set(['no answer']),
});

/** Returns a departure whose access paths were open for the given milliseconds and are closed. */
const leaver = (acknowledgedAt: number, openMs: readonly number[], watched = openMs.length): Left => ({
  person: { tenant: 'demo', id: `left-at-${acknowledgedAt}` },
  trigger: 'SCIM PATCH',
  acknowledgedAt,
  attempts: 1,
  watched,
  closings: openMs.map((ms) => ({
    door: 'graph',
    openAt: acknowledgedAt + ms,
    closedAt: acknowledgedAt + ms + 20,
    unavailable: 0,
    said: '401',
    mixedUp: undefined,
  })),
});

const eachSecond = (openMs: readonly number[]) =>
  Array.from({ length: 50 }, (_, second) => leaver(second * 1000, openMs));

const found = (ok: boolean, ...checks: Outcome['audit']['checks']): Outcome['audit'] => ({
  ok,
  at: '2026-11-20T00:00:00Z',
  tookMs: 1,
  checks,
});

/** A minute without a fault, then three faults of five seconds, four apart, without a violation. */
const clean: Outcome = {
  seed: 1,
  measures: measures.full,
  stalenessMs: 10_000,
  startedAt: new Date(0),
  from: 0,
  to: 120_000,
  struck: [fault(60_000, 65_000), fault(69_500, 74_500), fault(79_000, 84_000)],
  stalls: [],
  left: eachSecond([0, 20, 40, 60, 80]),
  played: [],
  departuresOf: [],
  reopened: [],
  returns: [],
  outages: [outage(61_000, 65_300)],
  mixedUp: [],
  livingTries: 1_000,
  triedAgain: 250,
  wrongEffects: [],
  notified: [],
  refusals: [],
  errors: [],
  audit: found(true),
};

const broken = (changes: Partial<Outcome>) => evaluate({ ...clean, ...changes }).broken;

test('A run in which every promise held is reported without violations.', () => {
  const { broken, promises } = evaluate(clean);
  expect(broken).toEqual([]);
  expect(promises.filter(({ evaluated }) => !evaluated).map(({ says }) => says)).toEqual([
    // There are no active users in it.
    expect.stringContaining('During a fault'),
    expect.stringContaining('Other changes'),
    expect.stringContaining('exactly one effect'),
    expect.stringContaining('Repeated deliveries'),
    expect.stringContaining('Receivers get'),
    expect.stringContaining('within 5 s'),
  ]);
});

test('One access path in fifty that closes too late without a fault is a violation.', () => {
  const left = eachSecond([0, 20, 40, 60, 80]);
  for (let late = 0; late < 5; late += 1) left[late] = leaver(late * 1000, [0, 20, 40, 60, 230]);
  expect(broken({ left })).toEqual([expect.stringContaining('more than 230 ms, allowed are 100')]);
  const promise = evaluate({ ...clean, left }).promises.find(({ says }) => says.includes('99 of 100'));
  expect(promise).toMatchObject({ measured: expect.stringContaining('230 ms, of 250'), evaluated: true });
  // Few access paths give no percentile, and unwatched ones no closing time.
  expect(broken({ left: left.slice(0, 39) })).toEqual([]);
  const unwatched = left.map((one) => ({ ...one, watched: 4 }));
  expect(broken({ left: unwatched })).toEqual([]);
});

test('An access path open for over a second, or over the staleness bound during a fault, is a violation.', () => {
  const open = (acknowledgedAt: number, ms: number) =>
    broken({ left: [...clean.left, leaver(acknowledgedAt, [ms])] });
  expect(open(30_500, 999)).toEqual([]);
  expect(open(30_500, 1_001)).toEqual([expect.stringContaining('was open for 1001 ms, allowed are 1000')]);
  expect(open(62_000, 9_999)).toEqual([]);
  expect(open(62_000, 10_001)).toEqual([expect.stringContaining('allowed are 10000')]);
  // The fault came long after the access path should have closed.
  expect(open(55_000, 5_500)).toEqual([expect.stringContaining('was open for 5500 ms, allowed are 1000')]);
  expect(open(59_500, 5_500)).toEqual([]);
});

test('A stall of the machine is not counted as a violation.', () => {
  const stalls = [{ from: 30_400, to: 33_000 }];
  const left = [...clean.left, leaver(30_500, [2_600])];
  expect(broken({ left, stalls })).toEqual([]);
  expect(broken({ outages: [outage(30_300, 33_800)], stalls })).toEqual([]);
  expect(broken({ outages: [outage(30_300, 34_200)], stalls })).toHaveLength(1);
});

test('A closed access path that no change was to close is a violation.', () => {
  const played = (...outages: Outage[]) => [
    { ...leaver(30_000, []), column: 'signed out', stayed: ['password'], outages },
  ];
  expect(broken({ played: played() })).toEqual([]);
  expect(broken({ played: played(outage(61_000, 65_300)) })).toEqual([]);
  expect(broken({ played: played(outage(30_000, 30_400)) })).toEqual([
    expect.stringContaining("stays-1: graph didn't stay open at 30.0 s for 400 ms"),
  ]);
  expect(broken({ played: played(outage(61_000, undefined)) })).toEqual([
    expect.stringContaining('to the end'),
  ]);
});

test('An access path of a scene that is open for too long is a violation like any other.', () => {
  const one = { ...leaver(30_000, [1_001], 0), column: 'signed out', stayed: [], outages: [] };
  expect(broken({ played: [one] })).toEqual([
    expect.stringContaining('was open for 1001 ms, allowed are 1000'),
  ]);
});

test('An outage that never ends is a violation, even with faults.', () => {
  expect(broken({ outages: [outage(61_000, undefined)] })).toEqual([expect.stringContaining('to the end')]);
  expect(broken({ outages: [outage(119_999, undefined)], struck: [fault(110_000, 119_000)] })).toHaveLength(
    1,
  );
});

test('An outage that outlasts its fault is a violation, even if other faults follow.', () => {
  expect(broken({ outages: [outage(61_000, 74_900)] })).toEqual([]);
  expect(broken({ outages: [outage(61_000, 75_100)] })).toEqual([
    expect.stringContaining("stays-1 didn't get in at graph at 61.0 s for 14100 ms"),
  ]);
  expect(broken({ outages: [outage(60_500, 100_500)] })).toHaveLength(1);
});

test('An outage before any fault is a violation, except for a request in flight when the fault began.', () => {
  expect(broken({ outages: [outage(20_000, 20_100)] })).toHaveLength(1);
  expect(broken({ outages: [outage(55_900, 61_000)] })).toHaveLength(1);
  expect(broken({ outages: [outage(56_100, 61_000)] })).toEqual([]);
});

test('A fault without a recovery of the whole system in time is a violation.', () => {
  expect(broken({ struck: [fault(60_000, 65_000, 75_100)] })).toEqual([
    expect.stringContaining('recovered after 10100 ms'),
  ]);
  expect(broken({ struck: [{ ...fault(60_000, 65_000), amiss: 'auth is silent' }] })).toEqual([
    expect.stringContaining('no recovery, auth is silent'),
  ]);
});

test('Any unclosed path, mixed-up user, double effect, wrong notification or audit finding is a violation.', () => {
  const [first, ...others] = clean.left;
  if (!first) throw new Error('nobody left');
  const closings = first.closings.map((one) => ({ ...one, closedAt: undefined }));
  expect(broken({ left: [{ ...first, closings }, ...others] })).toHaveLength(5);
  expect(broken({ reopened: [{ door: 'graph', person: 'a', afterMs: 9 }] })).toHaveLength(1);
  expect(broken({ mixedUp: ['graph took a for b'] })).toHaveLength(1);
  expect(broken({ wrongEffects: ['a: 1 departures, epoch 2'] })).toHaveLength(1);
  const notified = {
    name: 'it',
    messages: 3,
    requests: 3,
    failed: 0,
    repeated: 0,
    departures: [],
    wrong: ['lost'],
  };
  expect(broken({ notified: [notified] })).toEqual(['it: lost']);
  const late = { ...notified, wrong: [], departures: [{ acknowledgedAt: 1_000, notifiedAt: 6_100 }] };
  expect(broken({ notified: [late] })).toEqual([expect.stringContaining('told after 5100 ms')]);
  const check = { name: 'x', says: 'x is so.', looked: 1, flaws: 1, examples: [] };
  expect(broken({ audit: found(false, check) })).toHaveLength(1);
  expect(broken({ audit: found(false) })).toHaveLength(1);
});

test('A redelivery that is not recognised, refused or impossible to query, and any other refusal, is a violation.', () => {
  const redelivered = (recognised: number, refused: number) => ({
    struck: [{ ...fault(60_000, 65_000), again: [{ consumer: 'auth', atLeast: 50, recognised, refused }] }],
    outages: [],
  });
  expect(broken(redelivered(50, 0))).toEqual([]);
  expect(broken(redelivered(49, 0))).toEqual([expect.stringContaining('recognised 49 events')]);
  expect(broken(redelivered(50, 1))).toEqual([expect.stringContaining('refused 1 jobs')]);
  expect(broken(redelivered(Number.NaN, Number.NaN))).toHaveLength(1);
  expect(broken({ refusals: ['auth.log: a value in Redis …'] })).toHaveLength(1);
});
