/** Results of the test files of a run, and their sum. Pure: reads and starts nothing. */

export interface Failure {
  /** Full title of the test; the text `the file` when the file itself failed. */
  readonly test: string;
  /** First lines of the error. */
  readonly error: string;
}

export interface FileResult {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly seconds: number;
  readonly passed: number;
  /** Failed tests; 1 when the file failed outside of its tests. */
  readonly failed: number;
  readonly failures: readonly Failure[];
  /** Tests that were not run. */
  readonly skipped: number;
  /** Reasons that the file recorded for its skipped tests. */
  readonly skipReasons: readonly string[];
  /** Load averages of the machine over 1, 5 and 15 minutes when the file failed. */
  readonly load?: readonly number[];
}

/** A result that is not of a test file: a static check, the end of the shared system, Jest itself. */
export interface CheckResult {
  readonly name: string;
  readonly seconds: number;
  /** Absent when the check passed. */
  readonly error?: string;
  /** Whether the check counts as a test when it passes. */
  readonly counted: boolean;
}

export interface Rerun {
  readonly first: FileResult;
  readonly second: FileResult;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** One result per file: that of the rerun when the file was run again. */
  readonly files: readonly FileResult[];
  readonly checks: readonly CheckResult[];
  /** First results of the files that passed when they were run again. */
  readonly unstable: readonly FileResult[];
  /** Lines of the section `Failed:`. */
  readonly failures: readonly string[];
}

/** Maximum number of unstable files in a green run. */
export const maxUnstable = 3;
/** Maximum number of files that are run again. With more failures the run is red in any case. */
export const maxReruns = 12;

export const hasFailed = ({ failed }: FileResult): boolean => failed > 0;

/**
 * Returns one failed check per file with skipped tests whose path begins with one of these. A release requires them, so
 * that a missing program does not hide tests.
 */
export function requiredTests(files: readonly FileResult[], beginnings: readonly string[]): CheckResult[] {
  return files
    .filter(({ file, skipped }) => skipped > 0 && beginnings.some((beginning) => file.startsWith(beginning)))
    .map(({ file, skipped, skipReasons }) => ({
      name: 'Required tests',
      seconds: 0,
      counted: false,
      error: `${file}: ${skipped} skipped, ${reasonOf(skipReasons)}`,
    }));
}

export const reasonOf = (reasons: readonly string[]): string => reasons.join('; ') || 'no reason recorded';

/** Returns the files to run again: none when there are more than the maximum. */
export function filesToRerun(files: readonly FileResult[]): readonly FileResult[] {
  const failed = files.filter(hasFailed);
  return failed.length > maxReruns ? [] : failed;
}

/** Returns the sum: each test counts once, by the last run of its file. */
export function outcomeOf(
  files: readonly FileResult[],
  reruns: readonly Rerun[],
  checks: readonly CheckResult[],
): Outcome {
  const second = new Map(reruns.map((rerun) => [rerun.first.file, rerun.second]));
  const final = files.map((result) => second.get(result.file) ?? result);
  const unstable = reruns.filter((rerun) => !hasFailed(rerun.second)).map(({ first }) => first);
  const tooMany = Math.max(0, unstable.length - maxUnstable);
  const failedChecks = checks.filter(({ error }) => error !== undefined);
  const passedChecks = checks.filter(({ error, counted }) => error === undefined && counted);
  return {
    passed: sum(final, ({ passed }) => passed) + passedChecks.length,
    failed: sum(final, ({ failed }) => failed) + failedChecks.length + tooMany,
    files: final,
    checks,
    unstable,
    failures: [
      ...failedChecks.map(({ name, error }) => `${name}: ${error}`),
      ...final.flatMap(({ file, failures }) =>
        failures.map(({ test, error }) => `${file}: ${test}: ${error}`),
      ),
      ...(tooMany > 0 ? [`${unstable.length} files are unstable; at most ${maxUnstable} may be.`] : []),
    ],
  };
}

export function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
