import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

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

test('The words that the glossary advises against are in no name and in no title of a test.', () => {
  const found = execFileSync(process.execPath, [join(root, 'scripts/vocabulary.ts')], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(JSON.parse(found)).toEqual({});
});
