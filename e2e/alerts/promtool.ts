import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { AlertRule } from '../support/monitoring.ts';
import {
  type Course,
  endSeconds,
  faultSeconds,
  type Recording,
  scrapeSeconds,
  seriesOf,
} from './recording.ts';

const run = promisify(execFile);

function answers(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const hasPrometheus = answers('prometheus') && answers('promtool');

export interface Expectation {
  rule: AlertRule;
  /** Labels that the alert must carry. */
  labels: Readonly<Record<string, string>>;
  recording: Recording;
  course: Course;
}

/** Returns a check that the alert fires (1) or does not (0) at a time of the stretched recording, in seconds. */
const firing = ({ rule, labels }: Expectation, at: number, fires: boolean) => {
  const wanted = { alertname: rule.alert, alertstate: 'firing', ...rule.labels, ...labels };
  const selector = Object.entries(wanted).map(([name, value]) => `${name}="${value}"`);
  return {
    expr: `(count(ALERTS{${selector.join(',')}}) > bool 0) or vector(0)`,
    eval_time: `${at}s`,
    exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
  };
};

/** Returns the errors of `promtool test rules`, or an empty string if the checks pass. */
async function objections(expectation: Expectation, checks: readonly object[]): Promise<string> {
  const { rule, recording, course } = expectation;
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-rules-'));
  try {
    await writeFile(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'one', rules: [rule] }] }));
    const test = {
      rule_files: ['rules.yaml'],
      evaluation_interval: `${scrapeSeconds}s`,
      tests: [
        {
          interval: `${scrapeSeconds}s`,
          input_series: seriesOf(recording, rule.expr, course),
          promql_expr_test: checks,
        },
      ],
    };
    await writeFile(join(folder, 'test.yaml'), stringify(test, { lineWidth: 0 }));
    await run('promtool', ['test', 'rules', join(folder, 'test.yaml')]);
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Checks that the alert does not fire before the fault, fires within `withinSeconds` of the first sample that shows it,
 * still fires at the end of a lasting fault, and resolves after the fault. @returns the errors, or an empty string
 */
export const provesToFire = (expectation: Expectation, withinSeconds: number): Promise<string> =>
  objections(expectation, [
    firing(expectation, faultSeconds.from - scrapeSeconds, false),
    firing(expectation, faultSeconds.from + withinSeconds, true),
    ...(expectation.course === 'lasting' ? [firing(expectation, faultSeconds.until, true)] : []),
    firing(expectation, endSeconds, false),
  ]);

/** Checks once per minute that the alert does not fire. @returns the errors, or an empty string */
export const provesToBeSilent = (expectation: Expectation): Promise<string> =>
  objections(
    expectation,
    Array.from({ length: Math.floor(endSeconds / 60) }, (_, minute) =>
      firing(expectation, (minute + 1) * 60, false),
    ),
  );
