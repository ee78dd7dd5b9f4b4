import type { english } from './english.ts';

/** The words of one language: texts, and functions that put names and numbers into them. */
export type Catalogue = Widened<typeof english>;

/** A catalogue may lack what was added since; the English words stand in (and a test says so). */
export type Translation = Pick<Catalogue, 'language'> & Partially<Omit<Catalogue, 'language'>>;

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => infer R
    ? (...args: A) => R extends string ? string : Texts<R>
    : { readonly [K in keyof T]: Widened<T[K]> };

/** A sentence around a name keeps its number of parts, or says one more after it. */
type Texts<R> = R extends readonly [string, string, string?]
  ? readonly [string, string, string?]
  : R extends readonly (infer _)[]
    ? R
    : Widened<R>;

type Partially<T> = T extends string
  ? T
  : T extends (...args: never[]) => unknown
    ? T
    : { readonly [K in keyof T]?: Partially<T[K]> };
