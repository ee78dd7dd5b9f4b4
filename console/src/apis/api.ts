import type { ApiQuery, UpdateApiMutationVariables } from './generated/apis.ts';

export type Api = NonNullable<ApiQuery['api']>;
export type ApiChanges = Omit<UpdateApiMutationVariables['input'], 'id' | 'version' | 'idempotencyKey'>;
/** A scope or a role. */
export type Entry = Api['scopes'][number];
export type EntryKind = 'scopes' | 'roles';

/** Languages of the pages of the tenant. */
export const pageLanguages = ['en', 'de', 'es', 'fr'] as const;

/** Returns the description in a language, else in English, else any. */
export function descriptionIn(descriptions: Entry['descriptions'], language: string): string | undefined {
  const of = (tag: string) => descriptions.find((one) => one.language === tag)?.text;
  return of(language) ?? of('en') ?? descriptions[0]?.text;
}

/** Returns the entries as input of the graph, without the members that the cache adds. */
export const inputOf = (entries: readonly Entry[]) =>
  entries.map(({ name, descriptions }) => ({
    name,
    descriptions: descriptions.map(({ language, text }) => ({ language, text })),
  }));

/** Compares the descriptions of two states of an entry; undefined for a removed one. */
export const isSame = (one: Entry | undefined, other: Entry | undefined): boolean =>
  JSON.stringify(one && inputOf([one])) === JSON.stringify(other && inputOf([other]));

/** Returns the entries with one added, replaced or, if `next` is undefined, removed. */
export function withEntry(
  entries: readonly Entry[],
  name: string | undefined,
  next: Entry | undefined,
): Entry[] {
  if (next === undefined) return entries.filter((one) => one.name !== name);
  const isKnown = entries.some((one) => one.name === name);
  return isKnown ? entries.map((one) => (one.name === name ? next : one)) : [...entries, next];
}
