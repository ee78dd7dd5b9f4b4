import { AsyncLocalStorage } from 'node:async_hooks';

/** Languages with a catalogue in words/, as BCP 47 tags. The first one is the default. */
export const languageTags = ['en', 'de', 'es', 'fr'] as const;

export type Language = (typeof languageTags)[number];

/** Appearance of a tenant's pages where it differs from the default. */
export interface Look {
  /** Name of the tenant; default the product's name. */
  name?: string;
  /** Address of the logo, on this origin. */
  logo?: string;
  /** Style rules of its colour, and their hash for the content security policy. */
  style?: { css: string; hash: string };
}

/** Language and appearance of the current response, available in the whole request without parameters. */
export interface Reader {
  language: Language;
  look: Look;
}

const storage = new AsyncLocalStorage<Reader>();
const anybody: Reader = Object.freeze({ language: languageTags[0], look: Object.freeze({}) });

/** Returns the values of the current request. Default: English with the default appearance. */
export const reader = (): Readonly<Reader> => storage.getStore() ?? anybody;

/** Runs `work` with the best language of an Accept-Language header (RFC 9110 §12.5.4). */
export const readBy = <T>(acceptLanguage: string | undefined, work: () => T): T =>
  storage.run({ language: bestLanguage(accepted(acceptLanguage)) ?? languageTags[0], look: {} }, work);

/** Uses the languages of the client's request (OpenID Connect Core §3.1.2.1 ui_locales); unknown ones are skipped. */
export function setLocale(uiLocales: string | undefined): void {
  const store = storage.getStore();
  const language = bestLanguage((uiLocales ?? '').split(' ').slice(0, maxLanguages));
  if (store && language) store.language = language;
}

/** Uses the appearance of a tenant for the rest of the request. */
export function setTheme(look: Look): void {
  const store = storage.getStore();
  if (store) store.look = look;
}

const maxLanguages = 20;

/** Returns the first language with a catalogue: `de-AT` matches `de` (RFC 4647 §3.4). */
const bestLanguage = (wanted: readonly string[]): Language | undefined =>
  wanted
    .map((tag) => tag.toLowerCase().split(/[-_]/)[0])
    .map((primary) => languageTags.find((tag) => tag === primary))
    .find((tag) => tag !== undefined);

/** Returns the language ranges of an Accept-Language header, best first, without `*` and rejected ones (q=0). */
function accepted(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 1_024)
    .split(',')
    .slice(0, maxLanguages)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
