import { type Language, reader } from './reader.ts';
import type { Catalogue, Translation } from './words/catalogue.ts';
import { english } from './words/english.ts';
import { french } from './words/french.ts';
import { german } from './words/german.ts';
import { spanish } from './words/spanish.ts';

/** All catalogues. A new language needs a file in words/, a line here and its tag in reader.ts. */
export const translations: Readonly<Record<Exclude<Language, 'en'>, Translation>> = {
  de: german,
  es: spanish,
  fr: french,
};

const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: english,
  de: completed(german),
  es: completed(spanish),
  fr: completed(french),
};

/**
 * All texts in the language of the current request. New texts are added to words/english.ts first, then to the other
 * catalogues.
 */
export const words: Catalogue = Object.create(
  null,
  Object.fromEntries(
    (Object.keys(english) as (keyof Catalogue)[]).map((section) => [
      section,
      { enumerable: true, get: () => catalogues[reader().language][section] },
    ]),
  ),
) as Catalogue;

/** Returns the description of a scope; an unknown one is returned unchanged. */
export const wordsForScope = (scope: string): string =>
  Object.hasOwn(words.scopes, scope) ? words.scopes[scope as keyof Catalogue['scopes']] : scope;

export type ErrorPageKind = Exclude<keyof Catalogue['error'], 'title' | 'reference'>;

/** Returns the translation, with English texts where it has none. */
function completed(translation: Translation): Catalogue {
  return merged(english, translation) as unknown as Catalogue;
}

function merged(whole: object, part: unknown): object {
  const own = (part ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(whole).map(([key, text]: [string, unknown]) => [
      key,
      typeof text === 'object' && text !== null ? merged(text, own[key]) : (own[key] ?? text),
    ]),
  );
}
