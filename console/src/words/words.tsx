import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { IntlProvider } from 'use-intl';
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

/** What the first page says comes before all the rest. */
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

/** The first of the browser's languages that the console speaks. */
const preferred = (): Language =>
  navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';

interface Choice {
  language: Language;
  setLanguage(language: Language): void;
  /** Not only what the first page says is here. */
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

/** The words of a language as far as they are here; those of the one before until the first of them are. */
function useWords(language: Language): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded | undefined>(
    language === 'en' ? { language, first } : undefined,
  );
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const words = { language, first: await loaders[language].first() };
      // Who changes the language goes on reading the one before until all of the other is here.
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

/** All that the console says, in the reader's language. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferred);
  const loaded = useWords(language);
  const isComplete = loaded?.rest !== undefined;
  const choice = useMemo(() => ({ language, setLanguage, isComplete }), [language, isComplete]);
  if (!loaded) return null;
  return (
    <Context value={choice}>
      <IntlProvider
        locale={loaded.language}
        // What isn't here yet is said by no page that is shown yet: `Shell` waits for it.
        messages={{ ...loaded.first, ...loaded.rest } as Words}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </Context>
  );
}
