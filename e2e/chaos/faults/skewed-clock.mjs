/**
 * Preloaded (`NODE_OPTIONS=--import`) into processes with a wrong clock: offsets the time of day by the milliseconds in
 * the file that CHAOS_CLOCK names. Timers and `performance.now` are monotonic and stay unchanged.
 */
import { readFileSync, watchFile } from 'node:fs';

const file = process.env.CHAOS_CLOCK;
const RealDate = Date;
let offset = 0;

const read = () => {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
};

class SkewedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offset;
  }
}

if (file !== undefined) {
  read();
  watchFile(file, { interval: 200, persistent: false }, read);
  globalThis.Date = SkewedDate;
}
