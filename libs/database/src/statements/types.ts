/**
 * PostgreSQL types that a statement may declare, by their names in `pg_type` (arrays with `[]`), with their
 * TypeScript types. Others are cast in the statement: `numeric[]`, `interval`, `timestamp`.
 */

/** The driver's result for a column of each type. */
export interface ColumnTypes {
  text: string;
  varchar: string;
  bpchar: string;
  name: string;
  uuid: string;
  /**
   * A number if it is safe, otherwise its digits. Use `typed<number>('int8')` for limited values such as a
   * count or version.
   */
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
  /** For a function without result: the empty text. */
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

/** Argument for a parameter of each type. */
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
  /** The value itself, which the statement converts to JSON. */
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
  /** The elements themselves. */
  'jsonb[]': List<unknown>;
}

/**
 * Declaration of a type: `text`; `text?` if it may be NULL; for a column also `text!`, which may be NULL in
 * the table but not in this statement (such as with `WHERE closed_at IS NOT NULL`).
 */
export type ColumnToken = keyof ColumnTypes | `${keyof ColumnTypes}?` | `${keyof ColumnTypes}!`;
export type ParameterToken = keyof ParameterTypes | `${keyof ParameterTypes}?`;

declare const value: unique symbol;

/** A type that is narrower in TypeScript than in PostgreSQL. */
export interface Typed<T, Token extends string = string> {
  readonly token: Token;
  readonly [value]?: T;
}

/** Types with values of type `T`. */
type Fits<T> = { [K in keyof ColumnTypes]: [T] extends [ColumnTypes[K]] ? K : never }[keyof ColumnTypes];

/**
 * Declares a PostgreSQL type with values of type `T` only: `typed<Profile>('jsonb')`, `typed<'active' |
 * 'closed'>('text')`, `typed<number>('int8')`. The table must ensure it, by a check or by its writers.
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

/** Row of a statement with these columns. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: ColumnValue<C[K]> };

/** Arguments of a statement with these parameters. */
export type ValuesOf<P extends Parameters> = { readonly [K in keyof P]: ParameterValue<P[K]> };

/** A parsed declaration of a type. */
export interface DeclaredType {
  /** Name in `pg_type`, arrays with `[]`. */
  type: string;
  /** `present`: not NULL here, although the table permits it. */
  nulls: 'none' | 'allowed' | 'present';
}

export function declaredType(declared: string | Typed<unknown>): DeclaredType {
  const token = typeof declared === 'string' ? declared : declared.token;
  if (token.endsWith('?')) return { type: token.slice(0, -1), nulls: 'allowed' };
  if (token.endsWith('!')) return { type: token.slice(0, -1), nulls: 'present' };
  return { type: token, nulls: 'none' };
}
