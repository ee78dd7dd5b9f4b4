import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the text from a heading to the next one of its level. */
function section(page: string, heading: string): string {
  const from = page.indexOf(`\n## ${heading}`);
  const to = page.indexOf('\n## ', from + 1);
  return from === -1 ? '' : page.slice(from, to === -1 ? undefined : to);
}

interface Place {
  path: string;
  symbol: string;
}

/** Returns the places that a text names in the form `[path](link) `symbol``. */
const placesIn = (text: string): Place[] =>
  [...text.matchAll(/\[[^\]]+\]\(([^)#]+)\) `([\w.]+)`/g)].map(([, link = '', symbol = '']) => ({
    path: link.replace(/^(\.\.\/)+/, ''),
    symbol,
  }));

function expectThere({ path, symbol }: Place): void {
  expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  expect([path, symbol, new RegExp(`\\b${symbol}\\b`).test(read(path))]).toEqual([path, symbol, true]);
}

describe('Where is the rule for …', () => {
  const rows = [
    ...section(read('CONTRIBUTING.md'), 'Where is the rule for …').matchAll(/^\| ([^|]+) \| (.+) \|$/gm),
  ]
    .map(([, rule = '', places = '']) => ({ rule, places: placesIn(places) }))
    .filter(({ rule }) => rule !== 'the rule for');

  test.each([
    'account lockout',
    'refresh reuse detection',
    'redirect URI matching',
    'SCIM valuePath to SQL',
    'who may deactivate an administrator',
    'query cost limit',
    'who is notified of an offboarding',
    'Entra\'s "False"',
    'what happens when auth is down',
    'how migrations run',
  ])('The question about %s is answered.', (rule) => {
    expect(rows.filter((row) => row.rule === rule)).toHaveLength(1);
  });

  test.each(rows)('The entry $rule leads to code that exists.', ({ places }) => {
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expectThere(place);
  });
});

describe('Three requests, file by file', () => {
  const walks = section(read('docs/concepts/request-walkthroughs.md'), 'Three requests, file by file')
    .split(/^### /m)
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')), steps: placesIn(text) }));

  test('The three requests are a SCIM PATCH, a code exchange and an offboarding.', () => {
    expect(walks.map(({ title }) => title)).toEqual([
      'SCIM PATCH of `active`',
      'Authorization code exchange',
      'An offboarding event',
    ]);
  });

  test.each(walks)('The walk $title names files that exist and contain the named symbols.', ({ steps }) => {
    expect(steps.length).toBeGreaterThan(6);
    for (const step of steps) expectThere(step);
  });
});
