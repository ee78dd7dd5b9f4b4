import { describe, expect, test } from '@jest/globals';
import { fileResults } from '../../../scripts/test/jest-results.ts';
import { problemOf } from '../../../scripts/test/jest-run.ts';
import {
  type CheckResult,
  type FileResult,
  filesToRerun,
  maxReruns,
  outcomeOf,
  requiredTests,
} from '../../../scripts/test/results.ts';

const passing = (file: string, passed = 2): FileResult => ({
  file,
  seconds: 1,
  passed,
  failed: 0,
  failures: [],
  skipped: 0,
  skipReasons: [],
});
const failing = (file: string): FileResult => ({
  file,
  seconds: 3,
  passed: 1,
  failed: 1,
  failures: [{ test: 'A test fails.', error: 'expected 1, received 2' }],
  skipped: 0,
  skipReasons: [],
  load: [2, 1, 0.5],
});
const check = (error?: string): CheckResult => ({
  name: 'Types',
  seconds: 1,
  counted: true,
  ...(error === undefined ? {} : { error }),
});
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `e2e/x/${index}.test.ts`);

describe('the outcome of a run', () => {
  test('Each test counts once, and a check that passes counts as one test.', () => {
    const { passed, failed } = outcomeOf([passing('a'), passing('b', 5)], [], [check()]);
    expect([passed, failed]).toEqual([8, 0]);
  });

  test('A file that passes in its rerun is unstable, and its tests count as passed once.', () => {
    const reruns = [{ first: failing('b'), second: passing('b') }];
    const outcome = outcomeOf([passing('a'), failing('b')], reruns, []);
    expect([outcome.passed, outcome.failed]).toEqual([4, 0]);
    expect(outcome.unstable.map(({ file }) => file)).toEqual(['b']);
    expect(outcome.failures).toEqual([]);
  });

  test('A file that fails again counts by its rerun and is not unstable.', () => {
    const outcome = outcomeOf([failing('a')], [{ first: failing('a'), second: failing('a') }], []);
    expect([outcome.passed, outcome.failed, outcome.unstable]).toEqual([1, 1, []]);
    expect(outcome.failures).toEqual(['a: A test fails.: expected 1, received 2']);
  });

  test('A failed file without a rerun counts by its only run.', () => {
    expect(outcomeOf([failing('a')], [], [])).toMatchObject({ passed: 1, failed: 1 });
  });

  test.each([
    [3, 0],
    [4, 1],
    [6, 3],
  ])('Of %i unstable files, %i count as failed.', (count, failed) => {
    const reruns = names(count).map((file) => ({ first: failing(file), second: passing(file) }));
    const outcome = outcomeOf(names(count).map(failing), reruns, []);
    expect([outcome.passed, outcome.failed]).toEqual([2 * count, failed]);
    expect(outcome.failures).toHaveLength(failed === 0 ? 0 : 1);
  });

  test('A failed check or broken invariants make a run red, also if all tests pass.', () => {
    const flaws: CheckResult = {
      name: 'Tests',
      seconds: 1,
      counted: false,
      error: 'An invariant is broken.',
    };
    const outcome = outcomeOf([passing('a')], [], [check('TS2322'), flaws]);
    expect([outcome.passed, outcome.failed]).toEqual([2, 2]);
    expect(outcome.failures).toEqual(['Types: TS2322', 'Tests: An invariant is broken.']);
  });

  test('The failed files are run again, unless there are more than the maximum.', () => {
    expect(filesToRerun([passing('a'), failing('b')]).map(({ file }) => file)).toEqual(['b']);
    expect(filesToRerun(names(maxReruns).map(failing))).toHaveLength(maxReruns);
    expect(filesToRerun(names(maxReruns + 1).map(failing))).toEqual([]);
  });
});

test('Skipped tests of required files fail the run, with the file and the reason; those of other files do not.', () => {
  const skipping = (file: string) => ({ ...passing(file), skipped: 3, skipReasons: ['no redis-server'] });
  const files = [
    skipping('e2e/engines/a.test.ts'),
    skipping('e2e/browser/b.test.ts'),
    passing('e2e/engines/c.test.ts'),
  ];
  expect(outcomeOf(files, [], requiredTests(files, ['e2e/engines/', 'e2e/alerts/']))).toMatchObject({
    passed: 6,
    failed: 1,
    failures: ['Required tests: e2e/engines/a.test.ts: 3 skipped, no redis-server'],
  });
});

describe('the results of Jest', () => {
  const file = (name: string, status: string, statuses: string[], message = '') => ({
    name: `/root/${name}`,
    status,
    message,
    startTime: 1_000,
    endTime: 3_500,
    assertionResults: statuses.map((one, index) => ({
      fullName: `Test ${index}.`,
      status: one,
      failureMessages: one === 'failed' ? ['Error: \u001b[31mexpected\u001b[39m\n    at here'] : [],
    })),
  });

  test('Passed, failed and skipped tests are counted separately.', () => {
    const testResults = [file('e2e/a.test.ts', 'failed', ['passed', 'failed', 'pending', 'todo'])];
    const loads = new Map([['e2e/a.test.ts', [3, 2, 1]]]);
    const skips = new Map([['e2e/a.test.ts', ['no openssl']]]);
    expect(fileResults('/root', { testResults }, loads, skips)).toEqual([
      {
        file: 'e2e/a.test.ts',
        seconds: 2.5,
        passed: 1,
        failed: 1,
        failures: [{ test: 'Test 1.', error: 'Error: expected at here' }],
        skipped: 1,
        skipReasons: ['no openssl'],
        load: [3, 2, 1],
      },
    ]);
  });

  test('A file that fails outside of its tests counts as one failure.', () => {
    const testResults = [
      file('a.test.ts', 'failed', [], 'SyntaxError'),
      file('b.test.ts', 'failed', ['passed'], 'afterAll'),
    ];
    expect(
      fileResults('/root', { testResults }).map(({ passed, failed, failures }) => [passed, failed, failures]),
    ).toEqual([
      [0, 1, [{ test: 'the file', error: 'SyntaxError' }]],
      [1, 1, [{ test: 'the file', error: 'afterAll' }]],
    ]);
  });

  const ended = { code: 0, hung: false, hasResults: true, hasFailures: false, flaws: '' };

  test('A Jest process that ends well, or only with failed tests, has no problem of its own.', () => {
    expect(problemOf(ended)).toBeUndefined();
    expect(problemOf({ ...ended, code: 1, hasFailures: true })).toBeUndefined();
  });

  test.each([
    ['broken invariants beside failed tests', { code: 1, hasFailures: true, flaws: 'broken' }, 'broken'],
    ['an end without results', { code: 1, hasResults: false }, 'without results'],
    ['something that is left open', { code: null, hung: true, hasFailures: true }, 'left something open'],
    ['an exit code that no test explains', { code: 1 }, 'exit code 1'],
  ])('Jest reports a problem for %s.', (_what, differing, text) => {
    expect(problemOf({ ...ended, ...differing })).toContain(text);
  });
});
