/**
 * Preloaded (`NODE_OPTIONS=--import`) to stop periodic work: after SIGUSR2, timers of half a second to a minute fire
 * after ten minutes. Shorter timers are unchanged: they pace current work and check the database.
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
