/** Texts and JSON of a run's report. Pure: writes nothing. */
import { type FileResult, hasFailed, type Outcome, reasonOf, sum } from './results.ts';

export interface Machine {
  readonly cpus: number;
}

export interface AreaSummary {
  readonly area: string;
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

export interface UnstableEntry {
  readonly file: string;
  readonly test: string;
  readonly firstError: string;
  readonly seconds: number;
  readonly load: readonly number[];
  readonly cpus: number;
}

const shownSlowest = 5;
/** The section ends a run and fits on a screen. */
const shownFailures = 10;

/** Returns the package of a test file, and the folder of an end-to-end test. */
export function areaOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'libs' || top === 'services' || top === 'e2e' ? `${top}/${second}` : top;
}

export function summaryByArea(files: readonly FileResult[]): AreaSummary[] {
  return [...Map.groupBy(files, ({ file }) => areaOf(file))]
    .map(([area, results]) => ({
      area,
      files: results.length,
      passed: sum(results, ({ passed }) => passed),
      failed: sum(results, ({ failed }) => failed),
      seconds: rounded(sum(results, ({ seconds }) => seconds)),
    }))
    .sort((a, b) => (a.area < b.area ? -1 : 1));
}

export const slowestOf = (files: readonly FileResult[]): FileResult[] =>
  files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownSlowest);

/** Returns one entry per test that failed first and passed in the rerun of its file. */
export function unstableEntries({ unstable }: Outcome, { cpus }: Machine): UnstableEntry[] {
  return unstable.flatMap(({ file, failures, seconds, load }) =>
    failures.map(({ test, error }) => ({
      file,
      test,
      firstError: error,
      seconds: rounded(seconds),
      load: (load ?? []).map(rounded),
      cpus,
    })),
  );
}

/** Returns the text that follows the last test: areas, slowest, skipped and unstable files, failures. The sum is not in it. */
export function summaryText(outcome: Outcome, machine: Machine): string {
  return [
    areasText(outcome.files),
    slowestText(outcome.files),
    skippedText(outcome.files),
    unstableText(outcome, machine),
    failuresText(outcome.failures),
  ]
    .filter((section) => section !== '')
    .map((section) => `\n${section}`)
    .join('\n');
}

export const sumText = ({ passed, failed }: Outcome): string => `${passed} passed, ${failed} failed`;

function areasText(files: readonly FileResult[]): string {
  if (files.length === 0) return '';
  const rows = summaryByArea(files).map(({ area, files: count, passed, failed, seconds }) =>
    [
      `  ${area.padEnd(24)}`,
      `${count} files`.padStart(10),
      `${passed} passed`.padStart(13),
      failed === 0 ? ''.padStart(11) : `${failed} failed`.padStart(11),
      `${seconds.toFixed(1)} s`.padStart(11),
    ].join(''),
  );
  return ['By area:', ...rows].join('\n');
}

function slowestText(files: readonly FileResult[]): string {
  if (files.length === 0) return '';
  const rows = slowestOf(files).map(
    ({ file, seconds }) => `${`${seconds.toFixed(1)} s`.padStart(10)}  ${file}`,
  );
  return ['Slowest files:', ...rows].join('\n');
}

const filesWithSkips = (files: readonly FileResult[]): FileResult[] =>
  files.filter(({ skipped }) => skipped > 0);

function skippedText(files: readonly FileResult[]): string {
  const found = filesWithSkips(files);
  if (found.length === 0) return '';
  const rows = found.map(
    ({ file, skipped, skipReasons }) => `${String(skipped).padStart(6)} of ${file}: ${reasonOf(skipReasons)}`,
  );
  return [`Skipped (${sum(found, ({ skipped }) => skipped)} tests):`, ...rows].join('\n');
}

function unstableText(outcome: Outcome, machine: Machine): string {
  const entries = unstableEntries(outcome, machine);
  if (entries.length === 0) return '';
  const rows = entries.map(({ file, test, firstError, seconds, load, cpus }) =>
    [
      `  ${file} (${seconds.toFixed(1)} s, load ${load.map((value) => value.toFixed(1)).join(' ')} on ${cpus} CPUs)`,
      `    ${test}`,
      `    ${firstError}`,
    ].join('\n'),
  );
  return ['Unstable (failed once, passed when run again alone):', ...rows].join('\n');
}

function failuresText(failures: readonly string[]): string {
  if (failures.length === 0) return '';
  const shown = failures.slice(0, shownFailures).map((failure) => `  ${failure}`);
  const hidden = failures.length - shown.length;
  return ['Failed:', ...shown, ...(hidden > 0 ? [`  … and ${hidden} more`] : [])].join('\n');
}

/** Returns the content of `.ostiary/test-report.json`. */
export function reportJson(
  outcome: Outcome,
  machine: Machine,
  run: { readonly tiers: readonly string[]; readonly seconds: number },
): object {
  return {
    tiers: run.tiers,
    passed: outcome.passed,
    failed: outcome.failed,
    seconds: rounded(run.seconds),
    cpus: machine.cpus,
    areas: summaryByArea(outcome.files),
    checks: outcome.checks.map(({ name, seconds, error }) => ({
      name,
      seconds: rounded(seconds),
      ...(error === undefined ? {} : { error }),
    })),
    slowest: slowestOf(outcome.files).map(({ file, seconds }) => ({ file, seconds: rounded(seconds) })),
    skipped: filesWithSkips(outcome.files).map(({ file, skipped, skipReasons }) => ({
      file,
      tests: skipped,
      reasons: skipReasons,
    })),
    unstable: unstableEntries(outcome, machine),
    failures: outcome.files.filter(hasFailed).map(({ file, failures }) => ({ file, failures })),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
