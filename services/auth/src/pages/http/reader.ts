import { AsyncLocalStorage } from 'node:async_hooks';

/** Languages with a catalogue in words/, by BCP 47 tag. The first is for everybody whose languages we don't know. */
export const languageTags = ['en', 'de', 'es', 'fr'] as const;

export type Language = (typeof languageTags)[number];

/** How a tenant's pages look, as far as it differs from ours. */
export interface Look {
  /** Whose pages they are; the product's name where no tenant is known. */
  name?: string;
  /** Address of the logo, on our own origin. */
  logo?: string;
  /** Style rules of its colour, and what the Content-Security-Policy calls them. */
  style?: { css: string; hash: string };
}

/** Who reads the page that the request at hand is answered with: follows the request without being passed along. */
export interface Reader {
  language: Language;
  look: Look;
}

const storage = new AsyncLocalStorage<Reader>();
const anybody: Reader = Object.freeze({ language: languageTags[0], look: Object.freeze({}) });

/** Outside of a request, and before anything is known: English, in our own look. */
export const reader = (): Readonly<Reader> => storage.getStore() ?? anybody;

/** Runs `work`, and everything it leads to, for a reader who accepts these languages (RFC 9110 §12.5.4). */
export const readBy = <T>(acceptLanguage: string | undefined, work: () => T): T =>
  storage.run({ language: bestLanguage(accepted(acceptLanguage)) ?? languageTags[0], look: {} }, work);

/** An application knows the reader's languages better (OpenID Connect Core §3.1.2.1 ui_locales); unknown ones are passed over. */
export function setLocale(uiLocales: string | undefined): void {
  const store = storage.getStore();
  const language = bestLanguage((uiLocales ?? '').split(' ').slice(0, maxLanguages));
  if (store && language) store.language = language;
}

/** From here on the pages are in the look of a tenant. */
export function setTheme(look: Look): void {
  const store = storage.getStore();
  if (store) store.look = look;
}

const maxLanguages = 20;

/** The first language there is a catalogue for: `de-AT` is served by `de` (RFC 4647 §3.4). */
const bestLanguage = (wanted: readonly string[]): Language | undefined =>
  wanted
    .map((tag) => tag.toLowerCase().split(/[-_]/)[0])
    .map((primary) => languageTags.find((tag) => tag === primary))
    .find((tag) => tag !== undefined);

/** Language ranges of an Accept-Language header, best first; `*` and what is refused (q=0) left out. */
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
