/** Determines the Jest processes of a run. */
import type { Options } from './options.ts';
import { chaosMinute, tierOf } from './tiers.ts';

export interface Pass {
  readonly title: string;
  /** Folder of the pass inside that of the run; passes with the same folder share a prepared system. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Paths of the test files from the root; default: all that the arguments select. */
  readonly files?: readonly string[];
  /** Whether nothing runs in parallel, because the pass measures times. */
  readonly alone?: boolean;
}

export interface Plan {
  /** Tiers that run completely; empty when a part of the tests is selected. */
  readonly tiers: readonly string[];
  readonly passes: readonly Pass[];
}

/** More workers than two cores, because tests wait more than they compute; end-to-end tests wait most. */
const workers = '--maxWorkers=3';
const workersOfRest = '--maxWorkers=4';

/**
 * @param tests paths of all test files from the root
 * @param affected the test files that changes affect, when only those run
 */
export function planOf(options: Options, tests: readonly string[], affected?: readonly string[]): Plan {
  if (affected !== undefined) {
    const args = [workers, ...options.jest];
    const pass = { title: 'Affected tests', folder: 'tests', args, files: affected };
    return { tiers: [], passes: affected.length === 0 ? [] : [pass] };
  }
  if (options.jest.length > 0) {
    // The options that select projects accept every following argument, so they are last.
    const selected = [workers, ...options.jest, '--ignoreProjects', 'chaos'];
    const chaos = ['--maxWorkers=1', ...options.jest, '--selectProjects', 'chaos'];
    return {
      tiers: [],
      passes: [
        { title: 'Tests', folder: 'tests', args: selected },
        { title: 'Chaos minute', folder: 'tests', args: chaos, alone: true },
      ],
    };
  }
  const first = tests.filter((file) => tierOf(file) === 'first');
  const rest = tests.filter((file) => tierOf(file) === 'rest' && !chaosMinute.test(file));
  const alone = tests.filter((file) => chaosMinute.test(file));
  const passes: Pass[] = [{ title: 'First tier', folder: 'first', args: [workers], files: first }];
  if (!options.full) return { tiers: ['first'], passes };
  if (rest.length > 0)
    passes.push({ title: 'Second tier', folder: 'rest', args: [workersOfRest], files: rest });
  if (alone.length > 0) {
    const args = ['--maxWorkers=1'];
    passes.push({ title: 'Chaos minute', folder: 'rest', args, files: alone, alone: true });
  }
  return { tiers: ['first', 'rest'], passes };
}
