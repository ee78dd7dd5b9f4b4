/** Reads the results that Jest writes with `--json --outputFile`. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Failure, FileResult } from './results.ts';

export interface JestResults {
  readonly testResults: readonly JestFile[];
}

interface JestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[] | null;
  }[];
}

const errorLength = 400;

/** Returns the beginning of an error in one line. */
export const beginningOf = (message: string): string =>
  stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, errorLength);

export function fileResults(
  root: string,
  { testResults }: JestResults,
  loads: ReadonlyMap<string, readonly number[]> = new Map(),
  skips: ReadonlyMap<string, readonly string[]> = new Map(),
): FileResult[] {
  return testResults.map((result) => {
    const file = relative(root, result.name);
    const failures = failuresOf(result);
    const load = loads.get(file);
    return {
      file,
      seconds: Math.max(0, result.endTime - result.startTime) / 1000,
      passed: result.assertionResults.filter(({ status }) => status === 'passed').length,
      failed: failures.length,
      failures,
      skipped: result.assertionResults.filter(({ status }) => status === 'pending').length,
      skipReasons: skips.get(file) ?? [],
      ...(load === undefined ? {} : { load }),
    };
  });
}

/** Returns each failed test; one failure of the file when it failed outside of its tests. */
function failuresOf({ status, message, assertionResults }: JestFile): Failure[] {
  if (status !== 'failed') return [];
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return [{ test: 'the file', error: beginningOf(message) }];
  return failed.map(({ fullName, failureMessages }) => ({
    test: fullName,
    error: beginningOf((failureMessages ?? []).join('\n')),
  }));
}
