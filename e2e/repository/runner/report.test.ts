import { describe, expect, test } from '@jest/globals';
import { repetitionText } from '../../../scripts/test/repeat.ts';
import {
  areaOf,
  reportJson,
  slowestOf,
  summaryByArea,
  summaryText,
  sumText,
} from '../../../scripts/test/report.ts';
import { type FileResult, outcomeOf } from '../../../scripts/test/results.ts';

const result = (file: string, seconds: number, failed = 0, skipped = 0): FileResult => ({
  file,
  seconds,
  passed: 2,
  failed,
  failures: Array.from({ length: failed }, (_, index) => ({
    test: `Test ${index}.`,
    error: `error ${index}`,
  })),
  skipped,
  skipReasons: skipped > 1 ? ['redis-server is missing'] : [],
  ...(failed > 0 ? { load: [4.25, 2, 1] } : {}),
});
const machine = { cpus: 2 };
const unstable = 'services/auth/test/tenancy/keys/unstable.test.ts';
const broken = 'e2e/scim/broken.test.ts';
const outcome = outcomeOf(
  [result('e2e/oauth/a.test.ts', 9), result(unstable, 5, 1), result(broken, 1, 1)],
  [
    { first: result(unstable, 5, 1), second: result(unstable, 2) },
    { first: result(broken, 1, 1), second: result(broken, 1, 1) },
  ],
  [{ name: 'Types', seconds: 3, counted: true }],
);

test.each([
  ['libs/scim/src/filter.test.ts', 'libs/scim'],
  ['services/auth/test/tenancy/keys/a.test.ts', 'services/auth'],
  ['gateway/test/a.test.ts', 'gateway'],
  ['e2e/graph/clients/a.test.ts', 'e2e/graph'],
])('The area of %s is %s.', (file, area) => {
  expect(areaOf(file)).toBe(area);
});

test('The summary adds up files, tests and seconds by area.', () => {
  const files = [
    result('libs/scim/a.test.ts', 1),
    result('libs/scim/b.test.ts', 2.5, 1),
    result('gateway/c.test.ts', 1),
  ];
  expect(summaryByArea(files)).toEqual([
    { area: 'gateway', files: 1, passed: 2, failed: 0, seconds: 1 },
    { area: 'libs/scim', files: 2, passed: 4, failed: 1, seconds: 3.5 },
  ]);
});

test('The five slowest files are reported, the slowest first.', () => {
  const files = [3, 1, 6, 2, 5, 4].map((seconds) => result(`libs/scim/${seconds}.test.ts`, seconds));
  expect(slowestOf(files).map(({ seconds }) => seconds)).toEqual([6, 5, 4, 3, 2]);
});

describe('the text of a report', () => {
  const text = summaryText(outcome, machine);

  test('An unstable file is listed with test, first error, duration and load.', () => {
    const section = text.slice(text.indexOf('\nUnstable'), text.indexOf('\nFailed:'));
    expect(section).toContain(`${unstable} (5.0 s, load 4.3 2.0 1.0 on 2 CPUs)`);
    expect(section).toContain('    Test 0.\n    error 0');
    expect(section).not.toContain(broken);
  });

  test('The first error of each failed test stands at the end, after a line that begins with "Failed:".', () => {
    expect(text).toMatch(/\nFailed:\n {2}e2e\/scim\/broken\.test\.ts: Test 0\.: error 0$/);
  });

  test('The last section stays on one screen however many tests fail.', () => {
    const many = outcomeOf([result('e2e/scim/many.test.ts', 1, 40)], [], []);
    const section = summaryText(many, machine).split('\nFailed:\n')[1] ?? '';
    expect(section.split('\n')).toHaveLength(11);
    expect(section).toMatch(/… and 30 more$/);
  });

  test('Skipped tests are listed by file with their number and the recorded reason, before unstable files.', () => {
    const files = [result('e2e/engines/a.test.ts', 1, 0, 3), result('gateway/b.test.ts', 1, 0, 1)];
    const withSkips = outcomeOf(
      [...files, result(unstable, 5, 1)],
      [{ first: result(unstable, 5, 1), second: result(unstable, 2) }],
      [],
    );
    const section = summaryText(withSkips, machine)
      .split('\n\n')
      .find((part) => part.includes('Skipped'));
    expect(section?.trim()).toBe(
      'Skipped (4 tests):\n     3 of e2e/engines/a.test.ts: redis-server is missing\n     1 of gateway/b.test.ts: no reason recorded',
    );
    expect(sumText(withSkips)).toBe('6 passed, 0 failed');
    expect(reportJson(withSkips, machine, { tiers: [], seconds: 1 })).toMatchObject({
      skipped: [
        { file: 'e2e/engines/a.test.ts', tests: 3, reasons: ['redis-server is missing'] },
        { file: 'gateway/b.test.ts', tests: 1, reasons: [] },
      ],
    });
  });

  test('A green run has no section for skipped, unstable or failed tests.', () => {
    const green = summaryText(outcomeOf([result('gateway/a.test.ts', 1)], [], []), machine);
    expect(green).not.toMatch(/Skipped|Unstable|Failed:/);
    expect(green).toContain('By area:');
    expect(green).toContain('Slowest files:');
  });
});

test('The report in JSON states tiers, counts, areas, unstable files and failures.', () => {
  expect(reportJson(outcome, machine, { tiers: ['first'], seconds: 12.34 })).toMatchObject({
    tiers: ['first'],
    passed: 7,
    failed: 1,
    seconds: 12.3,
    cpus: 2,
    areas: [{ area: 'e2e/oauth' }, { area: 'e2e/scim' }, { area: 'services/auth' }],
    checks: [{ name: 'Types', seconds: 3 }],
    slowest: [{ file: 'e2e/oauth/a.test.ts', seconds: 9 }, { file: unstable }, { file: broken }],
    unstable: [
      { file: unstable, test: 'Test 0.', firstError: 'error 0', seconds: 5, load: [4.3, 2, 1], cpus: 2 },
    ],
    failures: [{ file: broken, failures: [{ test: 'Test 0.', error: 'error 0' }] }],
  });
});

test('Repeated runs end with each distinct failure and the failure rate.', () => {
  const green = { files: [result('gateway/a.test.ts', 1)], problems: [] };
  const red = { files: [result('gateway/a.test.ts', 1, 1)], problems: [] };
  expect(repetitionText([green, red, red, green])).toBe(
    '\nFailed:\n  2 × gateway/a.test.ts: Test 0.\n      error 0\n\n2 of 4 failed',
  );
  expect(repetitionText([green])).toBe('\n0 of 1 failed');
});
