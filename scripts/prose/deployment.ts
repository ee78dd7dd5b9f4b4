/** Texts of the files with which an operator installs and monitors the system. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, type SourceText } from '../structure/sources.ts';
import { commentsIn, matchesIn, type Text } from './text.ts';

/** Files whose comments begin with `#`. Those of k8s/ are generated from chart/. */
const commented = [
  'Dockerfile',
  'docker-compose.yml',
  'chart/{Chart,values}.yaml',
  'chart/templates/*.{yaml,tpl}',
  'k8s/**/values.yaml',
  'deploy/*.sh',
  'docs/**/*.sh',
  'docs/monitoring/*.yaml',
  '.github/**/*.yml',
  '.ci/*',
];

export function deploymentTexts(root: string): Text[] {
  const read = (pattern: string): SourceText[] =>
    filesOf(root, [pattern]).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  return [
    ...commented
      .flatMap(read)
      .flatMap((source) => [
        ...commentsIn(source, /^(?:.*\s)?#(?!!)\s?(.*)$/, 'Deployment files'),
        ...matchesIn(source, /\{\{-? ?\/\*([\s\S]*?)\*\//g, 'Deployment files'),
      ]),
    ...read('chart/templates/NOTES.txt').flatMap((source) =>
      matchesIn(source, /^(.*\S.*)$/gm, 'Deployment files'),
    ),
    ...read('chart/values.schema.json').flatMap((source) =>
      jsonTexts(source, 'description', 'Deployment files'),
    ),
    ...read('docs/monitoring/dashboard.json').flatMap((source) => [
      ...jsonTexts(source, 'title|legendFormat', 'Monitoring'),
      ...jsonTexts(source, 'description', 'Monitoring'),
    ]),
    ...read('docs/monitoring/alerts.yaml').flatMap((source) =>
      matchesIn(source, /^\s+(?:summary|description): (.*)$/gm, 'Monitoring'),
    ),
  ];
}

/** Returns the strings of the properties with these names. */
const jsonTexts = (source: SourceText, names: string, surface: Text['surface']): Text[] =>
  matchesIn(
    source,
    new RegExp(`"(?:${names})": *"((?:[^"\\\\]|\\\\.)*)"`, 'g'),
    surface,
    names === 'description',
  );
