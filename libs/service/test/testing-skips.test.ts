import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { recordSkip } from '../src/testing.ts';

test('recordSkip adds the running test file and the reason to the record of the run.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-skips-'));
  process.env.OSTIARY_TEST_SKIPS = join(folder, 'skips.jsonl');
  try {
    recordSkip('no engine');
    recordSkip('no browser');
    const lines = readFileSync(process.env.OSTIARY_TEST_SKIPS, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['no engine', 'no browser'].map((reason) => ({
        file: expect.stringMatching(/libs\/service\/test\/testing-skips\.test\.ts$/),
        reason,
      })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
