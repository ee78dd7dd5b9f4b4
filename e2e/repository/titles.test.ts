import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { readTexts } from '../../scripts/structure/sources.ts';
import { isSentence, titlesOf } from '../../scripts/structure/titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('The title of every test is a sentence.', () => {
  const titles = readTexts(root)
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap((file) => titlesOf(file))
    .filter(({ of }) => of === 'test');
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

const namesAndKinds = (lines: readonly string[]) =>
  titlesOf({ path: 'a.test.ts', text: lines.join('\n') }).map(({ title, of }) => [title, of]);

test('Titles are found in tables, with modifiers and in templates, and nowhere else.', () => {
  const placeholder = '$'.concat('{1 + 1}');
  expect(
    namesAndKinds([
      "test('one', () => {});",
      "test.each([1])('two %i', () => {});",
      "it.skip('three', () => {});",
      `test(\`four ${placeholder}\`, () => {});`,
      "describe('five', () => testing('neither'));",
      "/x/.test('nor this');",
      "it.kill('nor that');",
    ]),
  ).toEqual([
    ['one', 'test'],
    ['two %i', 'test'],
    ['three', 'test'],
    [`four ${placeholder}`, 'test'],
    ['five', 'group'],
  ]);
});

test('Titles are found under other names of test and describe.', () => {
  expect(
    namesAndKinds([
      'const asRoot = process.getuid?.() === 0 ? test : test.skip;',
      'const described: typeof describe.skip = asRoot === test ? describe.skip : describe;',
      'const eachOf = test.each([1, 2]);',
      'const condition = asRoot === test;',
      "asRoot('one', () => {});",
      "asRoot.each([1])('two %i', () => {});",
      "eachOf('three %i', () => {});",
      "described('four', () => {});",
      "describeProcesses('five', () => condition('no'));",
    ]),
  ).toEqual([
    ['one', 'test'],
    ['two %i', 'test'],
    ['three %i', 'test'],
    ['four', 'group'],
    ['five', 'group'],
  ]);
});
