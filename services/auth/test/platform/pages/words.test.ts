import { describe, expect, test } from '@jest/globals';
import { languageTags, readBy, setLocale } from '../../../src/platform/pages/http/reader.ts';
import { english } from '../../../src/platform/pages/http/words/english.ts';
import { translations, words } from '../../../src/platform/pages/http/words.ts';

/** Returns the paths of all texts in a catalogue; functions with their number of parameters. */
function shapeOf(catalogue: object, path = ''): string[] {
  return Object.entries(catalogue).flatMap(([key, text]: [string, unknown]) =>
    typeof text === 'object' && text !== null
      ? shapeOf(text, `${path}${key}.`)
      : [`${path}${key}: ${typeof text === 'function' ? `${text.length} names` : typeof text}`],
  );
}

/** The product's name is the same in every language. */
const untranslated = ['product: string'];

describe.each(Object.entries(translations))('the words in %s', (tag, translation) => {
  test('The translation contains every text and no others.', () => {
    const missing = shapeOf(english).filter((entry) => !shapeOf(translation).includes(entry));
    expect(missing.filter((entry) => !untranslated.includes(entry))).toEqual([]);
    expect(shapeOf(translation).filter((entry) => !shapeOf(english).includes(entry))).toEqual([]);
  });

  test('A reader with this locale receives the translation.', () => {
    readBy(tag, () => {
      expect(words.language).toBe(tag);
      expect(words.signIn.password).toBe(translation.signIn?.password);
    });
    readBy('en', () => {
      setLocale(`${tag}-XX`);
      expect(words.language).toBe(tag);
    });
    expect(words.language).toBe('en');
  });
});

test('Every language has a translation.', () => {
  expect(['en', ...Object.keys(translations)].sort()).toEqual([...languageTags].sort());
});
