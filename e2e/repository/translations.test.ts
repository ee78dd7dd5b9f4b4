import { describe, expect, test } from '@jest/globals';
import { first as germanFirst } from '../../console/src/words/de/first.ts';
import { rest as germanRest } from '../../console/src/words/de/rest.ts';
import { first as englishFirst } from '../../console/src/words/en/first.ts';
import { rest as englishRest } from '../../console/src/words/en/rest.ts';
import { first as spanishFirst } from '../../console/src/words/es/first.ts';
import { rest as spanishRest } from '../../console/src/words/es/rest.ts';
import { first as frenchFirst } from '../../console/src/words/fr/first.ts';
import { rest as frenchRest } from '../../console/src/words/fr/rest.ts';
import { currentDigests, recordedDigests, textsOf } from '../../scripts/translations.ts';
import { english } from '../../services/auth/src/platform/pages/http/words/english.ts';
import { translations } from '../../services/auth/src/platform/pages/http/words.ts';
import { messageParts } from '../support/icu-message.ts';

describe('messages in ICU syntax', () => {
  test.each([
    ['Delete {name}?', ['name']],
    ['{count, number} of {total, number}', ['count number', 'total number']],
    ['{n, plural, =0 {none} one {# user} other {# users of {tenant}}}', ['n plural =0 one other', 'tenant']],
    ['{n, plural, one {un} many {de #} other {#}}', ['n plural one other']],
    [
      '{kind, select, USER {the user} other {it}}, <b>{name}</b>',
      ['</b>', '<b>', 'kind select USER other', 'name'],
    ],
  ])('The parts of "%s" are its arguments, options and tags.', (message, parts) => {
    expect(messageParts(message)).toEqual(parts);
  });

  test('A message with unbalanced braces is rejected.', () => {
    expect(() => messageParts('{name')).toThrow('is not closed');
    expect(() => messageParts('name}')).toThrow('without an opening one');
  });
});

describe.each([
  ['de', { ...germanFirst, ...germanRest }],
  ['es', { ...spanishFirst, ...spanishRest }],
  ['fr', { ...frenchFirst, ...frenchRest }],
] as const)('the console in %s', (_, translation) => {
  const source = textsOf({ ...englishFirst, ...englishRest });
  const texts = textsOf(translation);

  test('The translation has exactly the keys of the English texts.', () => {
    expect([...texts.keys()].sort()).toEqual([...source.keys()].sort());
  });

  test('Each text has the arguments, plural forms, options and tags of the English one.', () => {
    const different = [...texts].filter(
      ([key, text]) => `${messageParts(text)}` !== `${messageParts(source.get(key) ?? '')}`,
    );
    expect(different).toEqual([]);
  });
});

describe.each(Object.entries(translations))('the pages of auth in %s', (_, translation) => {
  test('Each text contains the arguments of the English one.', () => {
    const argumentsIn = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g))].sort();
    const source = textsOf(english);
    for (const [key, text] of textsOf(translation))
      expect([key, argumentsIn(text)]).toEqual([key, argumentsIn(source.get(key))]);
  });
});

test('Every English text is the one from which the translations were made.', () => {
  const [current, recorded] = [currentDigests(), recordedDigests()];
  const changed = [...new Set([...Object.keys(current), ...Object.keys(recorded)])]
    .filter((key) => current[key] !== recorded[key])
    .map((key) => `${key}: translate it into de, es and fr, then run node scripts/translations.ts`);
  expect(changed).toEqual([]);
});
