import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type IdleCost, IdleMeter } from '../support/cost/idle-cost.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;
/** Seconds that are measured at once, and how often: what is done once a minute falls into one of them at most. */
const windowSeconds = 6;
const windows = 4;

let own: OwnSystem;
let costs: IdleCost[];

beforeAll(async () => {
  // What others have asked of a process before is in its memory.
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

/** The quietest of the windows: a figure that a busy machine doesn't raise. */
const least = (figure: (cost: IdleCost) => number): number => Math.min(...costs.map(figure));

test('While nobody asks for anything, so few statements are sent that a look more each second would be noticed.', () => {
  expect(least(({ transactions }) => transactions)).toBeLessThan(maximum.transactions);
});

test('While nobody asks for anything, Valkey is given few commands.', () => {
  expect(least(({ commands }) => commands)).toBeLessThan(maximum.commands);
});

test.each(services)('While nobody asks for anything, the main thread of %s seldom wakes.', (name) => {
  expect(least(({ processes }) => processes[name]?.mainWakes ?? Number.NaN)).toBeLessThan(
    maximum.mainWakes[name],
  );
});

test('The memory of the four services, soon after they started, is not more than it was.', () => {
  expect(
    least(({ processes }) =>
      services.reduce((total, name) => total + (processes[name]?.rssMb ?? Number.NaN), 0),
    ),
  ).toBeLessThan(maximum.rssMb);
});

/**
 * A second. What is looked for regularly comes to about 7 transactions; a timer with a statement adds one of them and two wake-ups each time.
 */
const maximum = {
  transactions: 9.5,
  commands: 35,
  mainWakes: { auth: 18, directory: 9.5, provisioning: 11, gateway: 8.5 },
  /** Not a second: 525 where it was measured, of which 216 are the program of Node.js, which all four share and each is counted with. */
  rssMb: 580,
} as const;
