/**
 * Long test files begin first, so that no single one is left for the end. How long one takes is known from the run before it; a fresh clone
 * goes by its needs and by how much test code it imports (Jest itself: by the size of the one file, which says little of a file that runs
 * scenarios out of others).
 *
 * Files that take a system to themselves (e2e/support/own-system.ts) are spread over the run, and those that want the same are one after
 * the other: so each finds the one that the file before has given back.
 */
import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';
import { needsOf, sizeOf } from './needs.mjs';

/** What a file with a system of its own waits for until that stands. */
const startMs = 20_000;
const bytesPerMs = 10;
/** By when the last system is taken: the end of a run is for short files. */
const lastTaken = 0.8;

/** What a file says that it wants; undefined when it takes no system. */
const wantedBy = ({ path }) =>
  /\bownSystem\((?<wanted>[^;]*)\);/.exec(readFileSync(path, 'utf8'))?.groups.wanted.replace(/\s+/g, ' ');

/** Who wants more comes before who wants a part of it. */
const byWanted = (a, b) =>
  (a.wanted === b.wanted ? a.test.path < b.test.path : a.wanted > b.wanted) ? -1 : 1;

export default class LongestFirst extends Sequencer {
  time(test) {
    const known = super.time(test);
    if (known !== undefined) return known;
    return (needsOf(test.path).has('home') ? startMs : 0) + sizeOf(test.path) / bytesPerMs;
  }

  sort(tests) {
    const all = super.sort(tests).map((test) => ({ test, wanted: wantedBy(test), time: this.time(test) }));
    const takers = all.filter(({ wanted }) => wanted !== undefined).sort(byWanted);
    const others = all.filter(({ wanted }) => wanted === undefined);
    const whole = others.reduce((sum, { time }) => sum + time, 0);
    const apart = (whole * lastTaken) / Math.max(1, takers.length);
    const order = [];
    let begun = 0;
    let next = 0;
    for (const other of others) {
      for (; takers.length > 0 && begun >= next; next += apart) order.push(takers.shift());
      order.push(other);
      begun += other.time;
    }
    return [...order, ...takers].map(({ test }) => test);
  }
}
