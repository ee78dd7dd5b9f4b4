import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { readTexts } from '../../scripts/structure/sources.ts';
import { isSentence, titlesOf } from '../../scripts/structure/titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('The title of every test is a sentence.', () => {
  const titles = readTexts(root)
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap(titlesOf);
  expect(titles.length).toBeGreaterThan(3_500);
  expect(
    titles
      .filter(({ title }) => !isSentence(title))
      .map(({ path, line, title }) => `${path}:${line} ${title}`),
  ).toEqual([]);
});

test.each([
  'A code is redeemed once.',
  'client_id is required.',
  '%s is rejected with 400.',
  '403 is the answer.',
])('A title like "%s" is accepted.', (title) => {
  expect(isSentence(title)).toBe(true);
});

test.each([
  'a code is redeemed once.',
  'A code is redeemed once',
  'Redeemed once.',
  'The answer is $status.',
])('A title like "%s" is found.', (title) => {
  expect(isSentence(title)).toBe(false);
});

test('Titles are found in tables, with modifiers and in templates, and nowhere else.', () => {
  const placeholder = '$'.concat('{1 + 1}');
  const text = [
    "test('one', () => {});",
    "test.each([1])('two %i', () => {});",
    "it.skip('three', () => {});",
    `test(\`four ${placeholder}\`, () => {});`,
    "describe('no', () => testing('neither'));",
  ].join('\n');
  expect(titlesOf({ path: 'a.test.ts', text }).map(({ title }) => title)).toEqual([
    'one',
    'two %i',
    'three',
    `four ${placeholder}`,
  ]);
});
