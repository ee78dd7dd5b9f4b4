import type { Sql } from '../sql.ts';
import { type Registered, register } from './registry.ts';
import { type Columns, declaredType, type Parameters, type RowOf, type ValuesOf } from './types.ts';

/**
 * Why a statement is SQL and doesn't go through the Prisma client:
 * - `atomic`: what it checks and what it changes are one statement, so that nothing comes between;
 * - `hot path`: a benchmark runs through it, and the client would cost too much;
 * - `search`: the search compiler wrote it;
 * - `set`: it works on sets of rows (aggregates, `unnest`, queues with SKIP LOCKED, common table expressions).
 */
export type Reason = 'atomic' | 'hot path' | 'search' | 'set';

export interface StatementOptions<P extends Parameters, C extends Columns> {
  /** Which no other statement of the service has: `subjects.find`. */
  name: string;
  reason: Reason;
  /** Parameters by their names (`$tenant`), or by numbers in the order in which they are declared. */
  text: string;
  parameters?: P;
  /** By their names in the result. Without them the statement returns no rows. */
  columns?: C;
}

type Arguments<P extends Parameters> = keyof P extends never ? [] : [values: ValuesOf<P>];

type Encode = (value: unknown) => unknown;

/** One SQL statement with everything known of it: a test compares it with the database (`checkStatements`). */
export class Statement<P extends Parameters, C extends Columns> implements Registered {
  readonly name: string;
  readonly reason: Reason;
  readonly parameters: P;
  readonly columns: C;
  /** As PostgreSQL gets it, its parameters numbered. */
  readonly text: string;
  readonly #names: readonly string[];
  /** By the parameters' numbers; a statement without JSON has none. */
  readonly #encoders: readonly (Encode | undefined)[] | undefined;

  constructor(options: StatementOptions<P, C>) {
    this.name = options.name;
    this.reason = options.reason;
    this.parameters = options.parameters ?? ({} as P);
    this.columns = options.columns ?? ({} as C);
    this.#names = Object.keys(this.parameters);
    this.text = numbered(options.name, options.text, this.#names);
    const encoders = this.#names.map((name) => encoderOf(this.parameters[name] as string));
    this.#encoders = encoders.some((encode) => encode !== undefined) ? encoders : undefined;
    register(this);
  }

  /** @throws DatabaseUnavailable (503), or pg's DatabaseError with its SQLSTATE in `code` */
  run(sql: Sql, ...values: Arguments<P>): Promise<{ rows: RowOf<C>[]; rowCount: number }> {
    return sql.query<RowOf<C>>(this.text, this.#inOrder(values[0]));
  }

  /** All rows. @throws as `run` does */
  async rows(sql: Sql, ...values: Arguments<P>): Promise<RowOf<C>[]> {
    return (await sql.query<RowOf<C>>(this.text, this.#inOrder(values[0]))).rows;
  }

  /** The first row, if there is one. @throws as `run` does */
  async first(sql: Sql, ...values: Arguments<P>): Promise<RowOf<C> | undefined> {
    return (await sql.query<RowOf<C>>(this.text, this.#inOrder(values[0]))).rows[0];
  }

  /** How many rows it returned or changed. @throws as `run` does */
  async count(sql: Sql, ...values: Arguments<P>): Promise<number> {
    return (await sql.query(this.text, this.#inOrder(values[0]))).rowCount;
  }

  variants(): readonly { text: string }[] {
    return [{ text: this.text }];
  }

  #inOrder(given: Readonly<Record<string, unknown>> | undefined): unknown[] {
    const names = this.#names;
    const values = new Array<unknown>(names.length);
    if (given === undefined) return values;
    for (let index = 0; index < names.length; index += 1) {
      const value = given[names[index] as string];
      const encode = this.#encoders?.[index];
      values[index] = encode === undefined ? value : encode(value);
    }
    return values;
  }
}

/**
 * Declares a statement, once, where its module is loaded.
 * @throws Error when the text names a parameter that isn't declared, or leaves one out
 */
export function statement<
  const P extends Parameters = Record<never, never>,
  const C extends Columns = Record<never, never>,
>(options: StatementOptions<P, C>): Statement<P, C> {
  return new Statement(options);
}

/** Columns that several statements select, and what they are. Its text is a constant of the code, never input. */
export class Fragment<C extends Columns> {
  readonly text: string;
  readonly columns: C;

  constructor(text: string, columns: C) {
    this.text = text;
    this.columns = columns;
  }

  /** For templates: `SELECT ${subject} FROM …` */
  toString(): string {
    return this.text;
  }
}

/** A list of columns to select: `fragment('s.id, s.closed_at AS "closedAt"', { id: 'uuid', closedAt: 'timestamptz?' })`. */
export const fragment = <const C extends Columns>(text: string, columns: C): Fragment<C> =>
  new Fragment(text, columns);

/** `$tenant` becomes `$1`: its place among the parameters. */
function numbered(statementName: string, text: string, names: readonly string[]): string {
  const used = new Set<number>();
  const result = text.replace(/\$(?:([A-Za-z_]\w*)|(\d+))/g, (_all, name?: string, digits?: string) => {
    const number = name === undefined ? Number(digits) : names.indexOf(name) + 1;
    if (number < 1 || number > names.length) {
      throw new Error(`The statement ${statementName} has no parameter $${name ?? digits}.`);
    }
    used.add(number);
    return `$${number}`;
  });
  const unused = names.find((_name, index) => !used.has(index + 1));
  if (unused !== undefined) {
    throw new Error(`The text of the statement ${statementName} has no place for its parameter ${unused}.`);
  }
  return result;
}

/** An array would be taken for PostgreSQL's, so JSON goes as text. */
function encoderOf(declared: string): Encode | undefined {
  const { type, nulls } = declaredType(declared);
  const json: Encode = (value) =>
    value === undefined || (value === null && nulls === 'allowed') ? null : JSON.stringify(value);
  if (type === 'json' || type === 'jsonb') return json;
  if (type !== 'jsonb[]') return undefined;
  return (list) =>
    (list as readonly unknown[] | null | undefined)?.map((value) =>
      value === null || value === undefined ? null : JSON.stringify(value),
    ) ?? null;
}
