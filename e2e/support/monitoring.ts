import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url)), 'utf8');

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export const alertRules = (): AlertRule[] =>
  (parse(read('alerts.yaml')) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules);

export interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: {
    id: number;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string; datasource: unknown }[];
  }[];
}

export const dashboard = (): Dashboard => JSON.parse(read('dashboard.json')) as Dashboard;

export const expressionsOf = ({ panels }: Dashboard): string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/**
 * Returns the metrics of an expression under their exported names: `_bucket`, `_sum` and `_count` belong to a
 * histogram.
 */
export function metricsIn(expression: string): string[] {
  const bare = expression
    // Removes strings, ranges, durations, label selectors and grouping labels, which are not metrics.
    .replace(/"(?:\\.|[^"\\])*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b\d+(?:\.\d+)?(?:ms|[smhdwy])\b/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)].map(([name]) => name);
  return [...new Set(names.filter((name) => !operators.has(name)).map(wholeOf))];
}

const operators = new Set(['and', 'or', 'unless', 'by', 'without', 'bool', 'offset']);
const wholeOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');

/** Returns the metrics in the `/metrics` texts of processes. */
export const exportedMetrics = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)));
