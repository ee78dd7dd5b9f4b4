import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parseSync, Visitor } from 'oxc-parser';
import { readTexts, type SourceText } from '../../scripts/structure/sources.ts';
import { titlesOf } from '../../scripts/structure/titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');

const terms = [...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \| `(\w+)` \| ([^|]+) \|$/gm)].map(
  ([, term = '', meaning = '', identifier = '', source = '']) => ({ term, meaning, identifier, source }),
);

const code = globSync(['{libs,services}/*/src/**/*.ts', 'gateway/src/**/*.ts'], {
  cwd: root,
  exclude: ['**/generated'],
})
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

/** Comments are removed: a name counts only in code. */
const names = new Set(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').match(/\w+/g));

describe('the glossary', () => {
  test('The glossary has every row complete, once and in order.', () => {
    const section = /^## Terms\n(.*?)^## /ms.exec(glossary)?.[1] ?? '';
    const rows = [...section.matchAll(/^\| (?!term |---)/gm)];
    expect(terms).toHaveLength(rows.length);
    expect(terms.length).toBeGreaterThanOrEqual(40);
    const words = terms.map(({ term }) => term.toLowerCase());
    expect(words).toEqual([...new Set(words)].toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test.each(terms)(
    'The code has $identifier as the name that the glossary gives for "$term".',
    ({ identifier }) => {
      expect(names.has(identifier)).toBe(true);
    },
  );

  test.each(terms)('The term "$term" has a verifiable source or is marked as ours.', ({ source }) => {
    expect(source).toMatch(
      /\bours\b|^(RFC \d+|OpenID .+ 1\.0|WebAuthn Level \d|NIST SP [\d\w-]+|draft-[\w-]+) §[\d.]+|Specification$|Standard Webhooks 1\.0|^Apollo /,
    );
  });
});

const avoided = [...glossary.slice(glossary.indexOf('## Words')).matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, word = '']) => ({ word, pattern: new RegExp(`\\b${word}\\b`) }),
);

/** Returns the avoided words of the file name, identifiers and titles. A name is split into its words. */
function avoidedWordsIn({ path, text }: SourceText): string[] {
  const parsed = parseSync(path, text);
  const found = [basename(path), ...titlesOf({ path, text }, parsed).map(({ title }) => title)];
  new Visitor({ Identifier: ({ name }) => void found.push(name) }).visit(parsed.program);
  const words = found
    .join('\n')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return avoided.filter(({ pattern }) => pattern.test(words)).map(({ word }) => `${path}: ${word}`);
}

test('The words that the glossary advises against are in no name and in no title of a test.', () => {
  expect(avoided.length).toBeGreaterThan(10);
  expect(avoidedWordsIn({ path: 'a.ts', text: 'const toldOf = 1;' })).toEqual(['a.ts: told']);
  expect(readTexts(root).flatMap(avoidedWordsIn)).toEqual([]);
});
