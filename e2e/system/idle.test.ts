import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type IdleCost, IdleMeter } from '../support/idle-cost.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';

jest.setTimeout(180_000);

const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;
/** Seconds that are measured at once, and how often: what is done once a minute falls into one of them at most. */
const windowSeconds = 6;
const windows = 4;

let own: OwnSystem;
let costs: IdleCost[];

beforeAll(async () => {
  own = await ownSystem();
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

/**
 * A second. What is looked for regularly comes to 9 or 10 transactions; a timer with a statement adds one of them and two wake-ups each time.
 */
const maximum = {
  transactions: 10.6,
  commands: 35,
  mainWakes: { auth: 24, directory: 14, provisioning: 17, gateway: 15 },
} as const;
