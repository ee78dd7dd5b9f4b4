/**
 * Long test files begin first, so that no single one is left for the end. How long one takes is known from the run before it; a fresh clone
 * goes by its needs and by how much test code it imports (Jest itself: by the size of the one file, which says little of a file that runs
 * scenarios out of others).
 */
import Sequencer from '@jest/test-sequencer';
import { needsOf, sizeOf } from './needs.mjs';

/** What a file with a system of its own waits for until that stands. */
const startMs = 20_000;
const bytesPerMs = 10;

export default class LongestFirst extends Sequencer {
  time(test) {
    const known = super.time(test);
    if (known !== undefined) return known;
    return (needsOf(test.path).has('home') ? startMs : 0) + sizeOf(test.path) / bytesPerMs;
  }
}
