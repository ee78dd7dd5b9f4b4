import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { alertRules, dashboard, expressionsOf, metricsIn } from '../support/monitoring.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the anchor of a heading on GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const sections = [...read('docs/guides/runbook.md').matchAll(/^## (.+)$/gm)].map(
  ([, heading = '']) => heading,
);

const duration = /^(?:\d+(?:ms|s|m|h|d|w|y))+$/;
const label = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Reports whether the brackets of an expression are balanced outside of strings. */
function isBalanced(expression: string): boolean {
  const open: string[] = [];
  for (const [character] of expression.replace(/"(?:\\.|[^"\\])*"/g, '""').matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(character)) open.push(character);
    else if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[character]) return false;
  }
  return open.length === 0;
}

describe('the alert rules', () => {
  test('The alert rules are a Prometheus rule file with groups of rules and no unknown members.', () => {
    const file = parse(read('docs/monitoring/alerts.yaml')) as { groups: Record<string, unknown>[] };
    expect(Object.keys(file)).toEqual(['groups']);
    const names = file.groups.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const group of file.groups) {
      expect(Object.keys(group).toSorted()).toEqual(['interval', 'name', 'rules']);
      // The time until a page depends on the interval.
      expect(group.interval).toBe('15s');
      expect((group.rules as unknown[]).length).toBeGreaterThan(0);
    }
  });

  test.each(alertRules().map((rule) => [rule.alert, rule] as const))(
    'The alert %s is well-formed.',
    (name, rule) => {
      const known = ['alert', 'expr', 'for', 'labels', 'annotations'];
      expect(Object.keys(rule).filter((member) => !known.includes(member))).toEqual([]);
      expect(name).toMatch(/^Ostiary[A-Z][A-Za-z]+$/);
      expect(rule.expr.trim()).not.toBe('');
      expect(isBalanced(rule.expr)).toBe(true);
      expect(metricsIn(rule.expr).length).toBeGreaterThan(0);
      if (rule.for !== undefined) expect(rule.for).toMatch(duration);
      for (const member of [...Object.keys(rule.labels), ...Object.keys(rule.annotations)]) {
        expect(member).toMatch(label);
      }
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      for (const text of Object.values(rule.annotations)) {
        expect(text.replace(/\{\{ \$(?:value|labels\.[a-z_]+)(?: \| humanize\w*)? \}\}/g, '')).not.toMatch(
          /[{}$]/,
        );
      }
    },
  );

  test('The alert rules have different names.', () => {
    const names = alertRules().map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
  });

  test('The annotations of an alert use only labels that its expression keeps.', () => {
    for (const { expr, annotations } of alertRules()) {
      const used = [...JSON.stringify(annotations).matchAll(/\$labels\.([a-z_]+)/g)].map(
        ([, name = '']) => name,
      );
      for (const name of used) expect([expr, expr.includes(name)]).toEqual([expr, true]);
    }
  });
});

describe('the runbook', () => {
  test('The runbook has a section for each alert, and for no other.', () => {
    const alerts = alertRules().map(({ alert }) => alert);
    expect(alerts.filter((alert) => !sections.includes(alert))).toEqual([]);
    expect(sections.filter((name) => name.startsWith('Ostiary') && !alerts.includes(name))).toEqual([]);
    expect(new Set(sections).size).toBe(sections.length);
  });

  test('The runbook is at the address that each alert states.', () => {
    for (const { alert, annotations } of alertRules()) {
      expect(annotations.runbook_url).toBe(`docs/guides/runbook.md#${anchorOf(alert)}`);
    }
  });

  test('The runbook links only to sections that exist.', () => {
    for (const [, file = '', anchor = ''] of read('docs/guides/runbook.md').matchAll(
      /\]\(([\w./-]*)#([^)]+)\)/g,
    )) {
      const headings = [...read(join('docs/guides', file || 'runbook.md')).matchAll(/^#+ (.+)$/gm)];
      expect([anchor, headings.map(([, heading = '']) => anchorOf(heading)).includes(anchor)]).toEqual([
        anchor,
        true,
      ]);
    }
  });
});

describe('the dashboard', () => {
  test('The dashboard can be imported: its panels have unique ids, do not overlap and use one data source.', () => {
    const { panels, uid, title, schemaVersion } = dashboard();
    expect([uid, title, schemaVersion]).toEqual(['ostiary', 'Ostiary', expect.any(Number)]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title: panel } of panels) {
      const { x, y, w, h } = gridPos;
      expect([panel, x + w <= 24]).toEqual([panel, true]);
      for (let column = x; column < x + w; column += 1) {
        for (let line = y; line < y + h; line += 1) {
          expect([panel, taken.has(`${column}/${line}`)]).toEqual([panel, false]);
          taken.add(`${column}/${line}`);
        }
      }
    }
    for (const { targets = [] } of panels) {
      for (const { datasource } of targets) {
        expect(datasource).toEqual({ type: 'prometheus', uid: `\${${'datasource'}}` });
      }
    }
  });

  test('The dashboard queries use complete expressions.', () => {
    for (const expression of expressionsOf(dashboard())) {
      expect([expression, isBalanced(expression), metricsIn(expression).length > 0]).toEqual([
        expression,
        true,
        true,
      ]);
    }
  });
});
