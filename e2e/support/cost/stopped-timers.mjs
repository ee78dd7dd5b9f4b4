/**
 * Preloaded (`NODE_OPTIONS=--import`) into processes that are to do nothing by a timer: from SIGUSR2 on, whatever is to happen half a
 * second to a minute later happens in ten minutes. Shorter timers go on: they pace what is under way, and tell that the database is there.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

const shortest = 500;
const longest = 60_000;
const far = 600_000;
let stopped = false;

const later = (ms) => (stopped && ms > shortest && ms <= longest ? far : ms);

const { setTimeout, setInterval } = globalThis;
const laterTimeout = (work, ms, ...given) => setTimeout(work, later(ms), ...given);
const laterInterval = (work, ms, ...given) =>
  setInterval(
    (...args) => {
      if (later(ms) === ms) work(...args);
    },
    ms,
    ...given,
  );
const { setTimeout: sleep } = promises;
promises.setTimeout = (ms, ...given) => sleep(later(ms), ...given);
laterTimeout[promisify.custom] = promises.setTimeout;
for (const place of [globalThis, timers]) {
  place.setTimeout = laterTimeout;
  place.setInterval = laterInterval;
}
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  stopped = true;
});
