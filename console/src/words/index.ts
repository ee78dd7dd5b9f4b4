export { useFormatter, useTranslations } from 'use-intl';
export type { Words } from './en/index.ts';
export { type Language, languages, useLanguage, WordsProvider } from './words.tsx';
