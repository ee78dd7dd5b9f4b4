import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readTree } from '../../../scripts/affected.ts';
import { parseOptions, testNameArguments } from '../../../scripts/test/options.ts';
import { planOf } from '../../../scripts/test/plan.ts';
import { chaosMinute, slow, surfaces, tierOf } from '../../../scripts/test/tiers.ts';

const root = resolve(import.meta.dirname, '../../..');
const { tests } = readTree(root);

describe('the tiers', () => {
  test('Every pattern of the tiers matches a file and has a reason.', () => {
    for (const { files, reason } of [...surfaces, ...slow]) {
      expect([String(files), tests.some((file) => files.test(file))]).toEqual([String(files), true]);
      expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('Each package has half of its tests or more in the first tier, and each surface has one end-to-end test there.', () => {
    const packages = Map.groupBy(
      tests.filter((file) => !file.startsWith('e2e/')),
      (file) =>
        file
          .split('/')
          .slice(0, file.startsWith('gateway/') ? 1 : 2)
          .join('/'),
    );
    expect(packages.size).toBeGreaterThan(8);
    for (const [name, files] of packages) {
      const first = files.filter((file) => tierOf(file) === 'first');
      expect([name, first.length >= files.length / 2]).toEqual([name, true]);
    }
    const chosen = tests.filter((file) => file.startsWith('e2e/') && tierOf(file) === 'first');
    expect(chosen).toHaveLength(surfaces.length);
  });

  test.each([
    'e2e/authorization/matrix.test.ts',
    'e2e/departure/departure-doors.test.ts',
    'e2e/perimeter/both-ways.test.ts',
    'e2e/system/redis-attacker.test.ts',
    'e2e/system/shared-signals.test.ts',
    'e2e/chaos/chaos.test.ts',
    'e2e/browser/pages.test.ts',
    'e2e/repository/docs.test.ts',
  ])('The test %s is in the second tier.', (file) => {
    expect([existsSync(join(root, file)), tierOf(file)]).toEqual([true, 'rest']);
  });
});

describe('the plan of a run', () => {
  const plan = (...args: string[]) => planOf(parseOptions(args), tests);

  test('The first tier runs alone without an option.', () => {
    const { tiers, passes } = plan();
    expect(tiers).toEqual(['first']);
    expect(passes.flatMap(({ files = [] }) => files)).toEqual(
      tests.filter((file) => tierOf(file) === 'first'),
    );
  });

  test('A full run has each test file once: the first tier, the rest, and the chaos minute alone.', () => {
    const { tiers, passes } = plan('--full');
    expect(tiers).toEqual(['first', 'rest']);
    expect(passes.flatMap(({ files = [] }) => files).sort()).toEqual([...tests].sort());
    expect(
      passes.map(({ alone = false, files = [] }) => [alone, files.some((file) => chaosMinute.test(file))]),
    ).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });

  test('Arguments of Jest select files of both tiers and are no names of projects.', () => {
    const { tiers, passes } = plan('services/auth/test/tenancy/keys');
    expect(tiers).toEqual([]);
    expect(passes.map(({ args }) => args.slice(1))).toEqual([
      ['services/auth/test/tenancy/keys', '--ignoreProjects', 'chaos'],
      ['services/auth/test/tenancy/keys', '--selectProjects', 'chaos'],
    ]);
  });

  test('Affected files run in every tier.', () => {
    const affected = ['e2e/browser/pages.test.ts', 'services/auth/test/a.test.ts'];
    const { passes } = planOf(parseOptions(['--changed']), tests, affected);
    expect(passes.flatMap(({ files = [] }) => files)).toEqual(affected);
    expect(planOf(parseOptions(['--changed']), tests, []).passes).toEqual([]);
  });
});

describe('the options of a run', () => {
  test('Options of the runner are separated from arguments of Jest.', () => {
    expect(parseOptions([])).toEqual({ full: false, load: false, jest: [] });
    expect(parseOptions(['--full', 'a', '-t', 'b'])).toEqual({
      full: true,
      load: false,
      jest: ['a', '-t', 'b'],
    });
    expect(parseOptions(['--changed=HEAD~3'])).toMatchObject({ changed: 'HEAD~3' });
    expect(parseOptions(['--changed'])).toMatchObject({ changed: '' });
    for (const args of [
      ['--repeat', '20', '--load', 'a'],
      ['--load', '--repeat=20', 'a'],
    ])
      expect(parseOptions(args)).toEqual({ full: false, load: true, repeat: 20, jest: ['a'] });
  });

  test.each([
    [['--repeat', 'a'], 'positive number'],
    [['--repeat', '0', 'a'], 'positive number'],
    [['--repeat', '5'], 'requires a test file'],
    [['--load', 'a'], 'requires --repeat'],
    [['--repeat=2', '--changed', 'a'], 'cannot be combined'],
  ])('The options %j are rejected.', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });

  test('A rerun keeps the selection by the name of a test.', () => {
    expect(testNameArguments(['a.test.ts', '-t', 'name', '--verbose'])).toEqual(['-t', 'name']);
    expect(testNameArguments(['--testNamePattern=name'])).toEqual(['--testNamePattern=name']);
    expect(testNameArguments(['a.test.ts'])).toEqual([]);
  });
});
