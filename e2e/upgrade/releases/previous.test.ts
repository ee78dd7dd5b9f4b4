import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { releaseBefore, type Tagged } from './previous.ts';

const tags: Tagged[] = [
  { tag: 'v0.2.0', commit: 'a' },
  { tag: 'v0.10.0', commit: 'c' },
  { tag: 'v0.9.1', commit: 'b' },
  { tag: 'v0.11.0-rc.1', commit: 'd' },
  { tag: 'nightly', commit: 'e' },
];

test.each([
  ['the release itself comes after the one before', '0.2.0', 'a', undefined],
  ['what comes after a release, under its version still, upgrades from it', '0.2.0', 'z', 'v0.2.0'],
  ['versions are compared as numbers', '0.11.0', 'z', 'v0.10.0'],
  ['a release of an older line comes after the one before in it', '0.9.2', 'z', 'v0.9.1'],
  ['the tag of this very commit is no release before it', '0.10.0', 'c', 'v0.9.1'],
])('The release to upgrade from: %s.', (_what, own, head, expected) => {
  expect(releaseBefore(tags, own, head)?.tag).toBe(expected);
  expect(releaseBefore(tags.toReversed(), own, head)?.tag).toBe(expected);
});

test('Without history the upgrade test is skipped, and fails if it is required.', () => {
  const upgradeTest = (...flags: string[]) => {
    const program = join(import.meta.dirname, '..', 'main.ts');
    const { status, stdout } = spawnSync(process.execPath, [program, '--orders', '1', ...flags], {
      env: { ...process.env, GIT_DIR: '/nonexistent' },
      encoding: 'utf8',
    });
    return [status, stdout];
  };
  const skipped = expect.stringContaining('SKIPPED: there is no history here');
  expect(upgradeTest()).toEqual([0, skipped]);
  expect(upgradeTest('--required')).toEqual([1, skipped]);
});

test('Without a tagged release there is none to upgrade from.', () => {
  expect(releaseBefore([], '0.2.0', 'z')).toBeUndefined();
});
