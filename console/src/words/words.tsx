import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { readPreference, storePreference } from '../preferences/index.ts';
import { first } from './en/first.ts';
import type { FirstWords, OtherWords, Words } from './en/index.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: Words;
    Locale: Language;
  }
}

export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type Language = keyof typeof languages;

/** The texts of the first page are loaded before the others. */
const loaders: Record<Language, { first(): Promise<FirstWords>; rest(): Promise<OtherWords> }> = {
  en: { first: async () => first, rest: async () => (await import('./en/rest.ts')).rest },
  de: {
    first: async () => (await import('./de/first.ts')).first,
    rest: async () => (await import('./de/rest.ts')).rest,
  },
  fr: {
    first: async () => (await import('./fr/first.ts')).first,
    rest: async () => (await import('./fr/rest.ts')).rest,
  },
  es: {
    first: async () => (await import('./es/first.ts')).first,
    rest: async () => (await import('./es/rest.ts')).rest,
  },
};

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** Returns the first supported language of the browser. */
const preferred = (): Language =>
  [readPreference('language') ?? '', ...navigator.languages]
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find(isLanguage) ?? 'en';

interface Choice {
  language: Language;
  setLanguage(language: Language): void;
  /** Whether all texts are loaded, not only those of the first page. */
  isComplete: boolean;
}

const Context = createContext<Choice>({
  language: 'en',
  setLanguage: () => undefined,
  isComplete: false,
});

export const useLanguage = (): Choice => useContext(Context);

interface Loaded {
  language: Language;
  first: FirstWords;
  rest?: OtherWords;
}

/** Loads the texts of a language; until they arrive, those of the former language stay. */
function useWords(language: Language): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded | undefined>(
    language === 'en' ? { language, first } : undefined,
  );
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const words = { language, first: await loaders[language].first() };
      // After a change of the language, the former one stays until all texts are loaded.
      if (isCurrent) setLoaded((now) => now ?? words);
      const rest = await loaders[language].rest();
      if (isCurrent) setLoaded({ ...words, rest });
    };
    load().catch(() => isCurrent && setLoaded({ language: 'en', first }));
    document.documentElement.lang = language;
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return loaded;
}

/** Supplies all texts in the language of the user. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, chooseLanguage] = useState(preferred);
  const setLanguage = useCallback((chosen: Language) => {
    storePreference('language', chosen);
    chooseLanguage(chosen);
  }, []);
  const loaded = useWords(language);
  const isComplete = loaded?.rest !== undefined;
  const choice = useMemo(() => ({ language, setLanguage, isComplete }), [language, setLanguage, isComplete]);
  if (!loaded) return null;
  return (
    <Context value={choice}>
      <IntlProvider
        locale={loaded.language}
        // Pages whose texts are still missing are not shown: `Shell` waits for them.
        messages={{ ...loaded.first, ...loaded.rest } as Words}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </Context>
  );
}
