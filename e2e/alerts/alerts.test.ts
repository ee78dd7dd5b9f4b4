import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { type AlertRule, alertRules } from '../support/monitoring.ts';
import { sampled } from './exposition.ts';
import { type Recordings, recordFaults } from './faults/all.ts';
import { hasPrometheus, provesToBeSilent, provesToFire } from './promtool.ts';
import { scrapeSeconds } from './recording.ts';
import { type Row, rows, silences } from './rows.ts';
import { createWorld, type World } from './world.ts';

/** Default of Prometheus and of the chart's PodMonitor. */
const scrapeTimeoutSeconds = 10;

const ruleOf = (name: string): AlertRule => {
  const rule = alertRules().find(({ alert }) => alert === name);
  if (rule === undefined) throw new Error(`there is no alert ${name}`);
  return rule;
};

test('Every alert has a fault that triggers it, and every fault belongs to an existing alert.', () => {
  const triggered = [...new Set(rows.map(({ alert }) => alert))].sort();
  expect(triggered).toEqual(
    alertRules()
      .map(({ alert }) => alert)
      .sort(),
  );
});

test('An unavailable service or dependency triggers a page within one minute at the documented interval.', () => {
  const asked = rows.filter(({ alert }) => /ProcessDown|NotReady|DependencyDown/.test(alert));
  expect(asked.length).toBeGreaterThan(15);
  for (const { alert, within } of asked) {
    // Worst case: the fault begins just after a scrape, the next scrape times out, and the rules were evaluated just
    // before.
    const worst = scrapeSeconds + scrapeTimeoutSeconds + scrapeSeconds + within;
    expect([alert, ruleOf(alert).labels.severity, worst < 60]).toEqual([alert, 'page', true]);
  }
});

if (!hasPrometheus) recordSkip('prometheus or promtool is missing (apt: prometheus)');
const describeWithPrometheus = hasPrometheus ? describe : describe.skip;

describeWithPrometheus('the alert rules', () => {
  let world: World;
  let recorded: Recordings;
  const expectation = ({ alert, labels = {}, fault, course = 'lasting' }: Row) => ({
    rule: ruleOf(alert),
    labels,
    recording: recorded.of(fault),
    course,
  });

  beforeAll(async () => {
    world = await createWorld();
    recorded = await recordFaults(world);
  });
  afterAll(async () => {
    await world?.end();
  });

  test('A running Prometheus with the rules pages while auth is unavailable and resolves the alerts after it returns.', () => {
    expect(recorded.paged.map(({ labels }) => [labels.alertname, labels.service, labels.dependency])).toEqual(
      [
        ['OstiaryProcessDown', 'auth', undefined],
        ['OstiaryDependencyDown', 'gateway', 'auth'],
        ['OstiaryDependencyDown', 'directory', 'auth'],
      ],
    );
    for (const { annotations } of recorded.paged) {
      expect(annotations.summary).not.toMatch(/error expanding|<no value>|^\s*$/);
      expect(annotations.runbook_url).toMatch(/^docs\/guides\/runbook\.md#ostiary/);
    }
  });

  test('Every dependency that a process reports has a fault, or is checked only at startup.', async () => {
    const { before } = recorded.of('postgresql');
    const named = [...before.values()]
      .filter(({ name }) => name === 'dependency_up')
      .map(({ labels }) => /dependency="([^"]+)"/.exec(labels)?.[1] ?? '');
    const ofStart = [
      'access',
      'departures',
      'keys',
      'service-credential',
      'startup',
      'supergraph',
      'supergraph-file',
    ];
    const faulty = rows.flatMap(({ labels }) => labels?.dependency ?? []);
    expect([...new Set(named)].filter((name) => !faulty.includes(name)).sort()).toEqual(ofStart);
  });

  test.each(
    rows.map((row) => [row.alert, Object.values(row.labels ?? {}).join(' '), row.fault, row] as const),
  )(
    'The alert %s %s fires during the fault "%s" and resolves after it.',
    async (_alert, _labels, _fault, row) => {
      expect(await provesToFire(expectation(row), row.within)).toBe('');
    },
  );

  test.each(silences.map((row) => [row.alert, row.labels?.service ?? '', row.why, row] as const))(
    'The alert %s %s is silent: %s.',
    async (_alert, _service, _why, row) => {
      expect(await provesToBeSilent(expectation(row))).toBe('');
    },
  );

  test('The error rate excludes failed probes and internal requests.', async () => {
    const silent = silences.find(({ alert }) => alert === 'OstiaryErrors') as Row;
    const one = expectation(silent);
    const failed = (route: string): number =>
      sampled(one.recording.during, 'http_request_duration_seconds_count', {
        service: 'directory',
        route,
        status: '503',
      }) ?? 0;
    expect(failed('/readyz')).toBeGreaterThan(3);
    const without = { ...one.rule, expr: one.rule.expr.replaceAll(/,?route!~"[^"]*"/g, '') };
    expect(await provesToFire({ ...one, rule: without }, silent.within)).toBe('');
  });
});
