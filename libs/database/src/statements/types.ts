/**
 * The PostgreSQL types that a statement may declare, by their names in `pg_type` (an array with `[]` behind), and what they are in
 * TypeScript. What isn't here is cast in the statement: `numeric[]`, `interval`, `timestamp`.
 */

/** What the driver returns for a column of each type. */
export interface ColumnTypes {
  text: string;
  varchar: string;
  bpchar: string;
  name: string;
  uuid: string;
  /** A number when that loses nothing, its digits otherwise. Say `typed<number>('int8')` for what can't get that large: a count, a version. */
  int8: number | string;
  int4: number;
  int2: number;
  oid: number;
  float8: number;
  float4: number;
  numeric: string;
  bool: boolean;
  timestamptz: Date;
  /** `2026-02-03` */
  date: string;
  xid8: string;
  inet: string;
  bytea: Buffer;
  json: unknown;
  jsonb: unknown;
  /** Of a function that returns nothing: the empty text. */
  void: string;
  'text[]': string[];
  'varchar[]': string[];
  'uuid[]': string[];
  'int8[]': (number | string)[];
  'int4[]': number[];
  'int2[]': number[];
  'float8[]': number[];
  'bool[]': boolean[];
  'timestamptz[]': Date[];
  'bytea[]': Buffer[];
  'jsonb[]': unknown[];
}

type List<T> = readonly (T | null)[];

/** What is handed over for a parameter of each type. */
export interface ParameterTypes {
  text: string;
  varchar: string;
  bpchar: string;
  name: string;
  regclass: string;
  uuid: string;
  int8: number | bigint | string;
  int4: number;
  int2: number;
  oid: number;
  float8: number;
  float4: number;
  numeric: number | string;
  bool: boolean;
  timestamptz: Date | string;
  date: string;
  interval: string;
  xid8: string;
  inet: string;
  bytea: Uint8Array;
  /** The value itself: the statement makes it JSON. */
  json: unknown;
  jsonb: unknown;
  'text[]': List<string>;
  'varchar[]': List<string>;
  'uuid[]': List<string>;
  'int8[]': List<number | bigint | string>;
  'int4[]': List<number>;
  'int2[]': List<number>;
  'float8[]': List<number>;
  'numeric[]': List<number | string>;
  'bool[]': List<boolean>;
  'timestamptz[]': List<Date | string>;
  'xid8[]': List<string>;
  'bytea[]': List<Uint8Array>;
  /** Each element the value itself. */
  'jsonb[]': List<unknown>;
}

/**
 * How a type is declared: `text`; `text?` for what may be NULL; for a column also `text!`, which the table allows to be NULL and this
 * statement does not return as NULL (it says `WHERE closed_at IS NOT NULL`, say).
 */
export type ColumnToken = keyof ColumnTypes | `${keyof ColumnTypes}?` | `${keyof ColumnTypes}!`;
export type ParameterToken = keyof ParameterTypes | `${keyof ParameterTypes}?`;

declare const value: unique symbol;

/** A type that is narrower in TypeScript than in PostgreSQL. */
export interface Typed<T, Token extends string = string> {
  readonly token: Token;
  readonly [value]?: T;
}

/** The types whose values a `T` is. */
type Fits<T> = { [K in keyof ColumnTypes]: [T] extends [ColumnTypes[K]] ? K : never }[keyof ColumnTypes];

/**
 * A type of PostgreSQL that holds nothing but `T`: `typed<Profile>('jsonb')`, `typed<'active' | 'closed'>('text')`,
 * `typed<number>('int8')`. That it doesn't is the table's to ensure, by a check or by what writes to it.
 */
export function typed<T>(token: `${Fits<T>}?`): Typed<T | null>;
export function typed<T>(token: Fits<T> | `${Fits<T>}!`): Typed<T>;
export function typed<T>(token: string): Typed<T> {
  return { token };
}

export type Columns = Readonly<Record<string, ColumnToken | Typed<unknown>>>;
export type Parameters = Readonly<Record<string, ParameterToken | Typed<unknown>>>;

type ColumnValue<D> =
  D extends Typed<infer T>
    ? T
    : D extends `${infer N extends keyof ColumnTypes}?`
      ? ColumnTypes[N] | null
      : D extends `${infer N extends keyof ColumnTypes}!`
        ? ColumnTypes[N]
        : D extends keyof ColumnTypes
          ? ColumnTypes[D]
          : never;

type ParameterValue<D> =
  D extends Typed<infer T>
    ? null extends T
      ? T | undefined
      : T
    : D extends `${infer N extends keyof ParameterTypes}?`
      ? ParameterTypes[N] | null | undefined
      : D extends keyof ParameterTypes
        ? ParameterTypes[D]
        : never;

/** The row that a statement with these columns returns. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: ColumnValue<C[K]> };

/** What is handed to a statement with these parameters. */
export type ValuesOf<P extends Parameters> = { readonly [K in keyof P]: ParameterValue<P[K]> };

/** A declared type, taken apart. */
export interface DeclaredType {
  /** As in `pg_type`, an array with `[]` behind. */
  type: string;
  /** `present`: not NULL here, although the table would allow it. */
  nulls: 'none' | 'allowed' | 'present';
}

export function declaredType(declared: string | Typed<unknown>): DeclaredType {
  const token = typeof declared === 'string' ? declared : declared.token;
  if (token.endsWith('?')) return { type: token.slice(0, -1), nulls: 'allowed' };
  if (token.endsWith('!')) return { type: token.slice(0, -1), nulls: 'present' };
  return { type: token, nulls: 'none' };
}
