import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type IdleCost, IdleMeter } from '../support/cost/idle-cost.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;
/** Length and number of the measurements. A job that runs once a minute falls into at most one of them. */
const windowSeconds = 6;
const windows = 4;

let own: OwnSystem;
let costs: IdleCost[];

beforeAll(async () => {
  // A fresh system has no caches from other tests.
  own = await ownSystem({ fresh: true });
  const meter = await IdleMeter.of(own.system, services);
  costs = [];
  try {
    for (let window = 0; window < windows; window += 1) costs.push(await meter.measure(windowSeconds));
  } finally {
    await meter.close();
  }
});

afterAll(() => own?.stop());

/** Returns the minimum of the measurements, which does not depend on the load of the machine. */
const least = (figure: (cost: IdleCost) => number): number => Math.min(...costs.map(figure));

test('An idle system executes so few statements that one more per second would exceed the limit.', () => {
  expect(least(({ transactions }) => transactions)).toBeLessThan(maximum.transactions);
});

test('An idle system sends few commands to Valkey.', () => {
  expect(least(({ commands }) => commands)).toBeLessThan(maximum.commands);
});

test.each(services)('The main thread of %s seldom wakes while the system is idle.', (name) => {
  expect(least(({ processes }) => processes[name]?.mainWakes ?? Number.NaN)).toBeLessThan(
    maximum.mainWakes[name],
  );
});

test('The memory of the four services shortly after the start is within its limit.', () => {
  expect(
    least(({ processes }) =>
      services.reduce((total, name) => total + (processes[name]?.rssMb ?? Number.NaN), 0),
    ),
  ).toBeLessThan(maximum.rssMb);
});

/**
 * Maximum per second. Periodic jobs need about 7 transactions; a timer with a statement adds one transaction and two
 * wake-ups each time.
 */
const maximum = {
  transactions: 9.5,
  commands: 35,
  mainWakes: { auth: 18, directory: 9.5, provisioning: 11, gateway: 8.5 },
  /**
   * Maximum, not per second. Measured: 525, of which 216 are the Node.js binary, which all four share and which counts
   * for each.
   */
  rssMb: 580,
} as const;
