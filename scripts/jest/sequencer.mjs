/**
 * Starts long test files first, so that none is left for the end. Durations are known from the previous run; a fresh
 * clone estimates them from the needs of a file and the size of its test code (Jest: the size of the file alone).
 *
 * Files that lease a system (e2e/support/own-system.ts) run one after the other, grouped by settings, so that each
 * reuses the system of the previous file and none idles for long. The durations determine the files of the other
 * workers.
 */
import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';
import { needsOf, sizeOf } from './needs.mjs';

/** Milliseconds until a leased system has started. */
const startMs = 20_000;
const bytesPerMs = 10;
/** Milliseconds between two files that lease a system, for files that take longer than expected. */
const betweenTakersMs = 4_000;

/** Returns the settings that a file requests; undefined when it leases no shared system. */
function wantedBy({ path }) {
  const text = readFileSync(path, 'utf8');
  const wanted = /\bownSystem\((?<wanted>[^;]*)\);/.exec(text)?.groups.wanted.replace(/\s+/g, ' ');
  return wanted === undefined || /\bfresh: true\b/.test(wanted) ? undefined : wanted;
}

/** Puts files with more settings before files with a part of them. */
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
    /** Time at which each worker is free, and at which the next file may lease the system. */
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

/** Returns the longest file; shortly before a lease, one that ends before it. */
function nextOf(others, untilTakenMs) {
  const isShort = ({ time }) => time <= untilTakenMs;
  const at = 0 < untilTakenMs && untilTakenMs <= betweenTakersMs ? others.findIndex(isShort) : 0;
  return others.splice(Math.max(0, at), 1)[0];
}
