/**
 * Jest's order of test files, but those that take a system to themselves (e2e/support/own-system.ts) are spread over the run, and those
 * that want the same are one after the other: so each finds the one that the file before has given back.
 */
import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** What a file says that it wants; undefined when it takes no system. */
const wantedBy = (path) => /\bownSystem\((?<wanted>[^;]*)\);/.exec(readFileSync(path, 'utf8'))?.groups.wanted;

export default class SystemsSpread extends Sequencer {
  sort(tests) {
    const inOrder = super.sort(tests);
    const wanted = new Map(inOrder.map((test) => [test, wantedBy(test.path)]));
    const takers = inOrder
      .filter((test) => wanted.get(test) !== undefined)
      .toSorted((a, b) => key(wanted, a).localeCompare(key(wanted, b)));
    const others = inOrder.filter((test) => wanted.get(test) === undefined);
    const every = Math.max(1, Math.floor(others.length / (takers.length + 1)));
    return [
      ...takers.flatMap((taker, index) => [taker, ...others.slice(index * every, (index + 1) * every)]),
      ...others.slice(takers.length * every),
    ];
  }
}

const key = (wanted, test) => `${wanted.get(test)} ${test.path}`;
