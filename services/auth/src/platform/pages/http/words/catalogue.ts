import type { english } from './english.ts';

/** Texts of one language, with functions for names and numbers. */
export type Catalogue = Widened<typeof english>;

/** A catalogue that may lack recently added texts. English replaces them, and a test reports them. */
export type Translation = Pick<Catalogue, 'language'> & Partially<Omit<Catalogue, 'language'>>;

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => infer R
    ? (...args: A) => R extends string ? string : Texts<R>
    : { readonly [K in keyof T]: Widened<T[K]> };

/** A sentence around a name has the same number of parts or one more after it. */
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
