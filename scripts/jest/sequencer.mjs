/**
 * Long test files begin first, so that no single one is left for the end. How long one takes is known from the run before it; a fresh clone
 * goes by its needs and by how much test code it imports (Jest itself: by the size of the one file, which says little of a file that runs
 * scenarios out of others).
 *
 * Files that take a system to themselves (e2e/support/own-system.ts) are one after the other, those next to each other that want the same:
 * so each finds the one that the file before has given back, and none idles for long. What is given to the other workers meanwhile is
 * reckoned by how long it takes.
 */
import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';
import { needsOf, sizeOf } from './needs.mjs';

/** What a file with a system of its own waits for until that stands. */
const startMs = 20_000;
const bytesPerMs = 10;
/** Between two files that take a system: one that takes longer than expected still has given it back. */
const betweenTakersMs = 4_000;

/** What a file says that it wants; undefined when it takes no system that others have had or will have. */
function wantedBy({ path }) {
  const text = readFileSync(path, 'utf8');
  const wanted = /\bownSystem\((?<wanted>[^;]*)\);/.exec(text)?.groups.wanted.replace(/\s+/g, ' ');
  return wanted === undefined || /\bfresh: true\b/.test(wanted) ? undefined : wanted;
}

/** Who wants more comes before who wants a part of it. */
const byWanted = (a, b) =>
  (a.wanted === b.wanted ? a.test.path < b.test.path : a.wanted > b.wanted) ? -1 : 1;

export default class LongestFirst extends Sequencer {
  #workers;

  constructor(options) {
    super(options);
    this.#workers = options.globalConfig.maxWorkers;
  }

  time(test) {
    const known = super.time(test);
    if (known !== undefined) return known;
    return (needsOf(test.path).has('home') ? startMs : 0) + sizeOf(test.path) / bytesPerMs;
  }

  sort(tests) {
    const all = super.sort(tests).map((test) => ({ test, wanted: wantedBy(test), time: this.time(test) }));
    const takers = all.filter(({ wanted }) => wanted !== undefined).sort(byWanted);
    const others = all.filter(({ wanted }) => wanted === undefined);
    const order = [];
    /** When each worker is free, and when the next file takes the system. */
    const free = Array.from({ length: this.#workers }, () => 0);
    let taken = 0;
    while (order.length < all.length) {
      const now = Math.min(...free);
      const isTakersTurn = takers.length > 0 && (now >= taken || others.length === 0);
      const next = isTakersTurn ? takers.shift() : nextOf(others, taken - now);
      const end = now + next.time;
      free[free.indexOf(now)] = end;
      if (next.wanted !== undefined) taken = end + betweenTakersMs;
      order.push(next.test);
    }
    return order;
  }
}

/** The longest that there is; just before a system is taken, one after which the worker is free for that. */
function nextOf(others, untilTakenMs) {
  const isShort = ({ time }) => time <= untilTakenMs;
  const at = 0 < untilTakenMs && untilTakenMs <= betweenTakersMs ? others.findIndex(isShort) : 0;
  return others.splice(Math.max(0, at), 1)[0];
}
