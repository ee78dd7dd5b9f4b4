import type { Sql } from '../sql.ts';
import { type Registered, register } from './registry.ts';
import { type Columns, declaredType, type Parameters, type RowOf, type ValuesOf } from './types.ts';

/**
 * Reason why a statement is SQL instead of a call of the Prisma client:
 * - `atomic`: check and change are one statement, without interleaving;
 * - `hot path`: a benchmark includes it, and the client would cost too much;
 * - `search`: the search compiler wrote it;
 * - `set`: it works on sets of rows (aggregates, `unnest`, queues with SKIP LOCKED, common table
 * expressions).
 */
export type Reason = 'atomic' | 'hot path' | 'search' | 'set';

export interface StatementOptions<P extends Parameters, C extends Columns> {
  /** Unique name in the service: `subjects.find`. */
  name: string;
  reason: Reason;
  /** SQL with parameters by name (`$tenant`), or by number in the order of declaration. */
  text: string;
  parameters?: P;
  /** Types by column name of the result. Default: the statement returns no rows. */
  columns?: C;
}

type Arguments<P extends Parameters> = keyof P extends never ? [] : [values: ValuesOf<P>];

type Encode = (value: unknown) => unknown;

/** One SQL statement with its declaration, which a test compares with the database (`checkStatements`). */
export class Statement<P extends Parameters, C extends Columns> implements Registered {
  readonly name: string;
  readonly reason: Reason;
  readonly parameters: P;
  readonly columns: C;
  /** Text for PostgreSQL, with numbered parameters. */
  readonly text: string;
  readonly #names: readonly string[];
  /** Indexed by parameter; undefined for a statement without JSON. */
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

  /** Returns all rows. @throws as `run` does */
  async rows(sql: Sql, ...values: Arguments<P>): Promise<RowOf<C>[]> {
    return (await sql.query<RowOf<C>>(this.text, this.#inOrder(values[0]))).rows;
  }

  /** Returns the first row, if any. @throws as `run` does */
  async first(sql: Sql, ...values: Arguments<P>): Promise<RowOf<C> | undefined> {
    return (await sql.query<RowOf<C>>(this.text, this.#inOrder(values[0]))).rows[0];
  }

  /** Returns the number of returned or changed rows. @throws as `run` does */
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
 * Declares a statement, once, when its module is loaded.
 * @throws Error if the text names an undeclared parameter, or omits one
 */
export function statement<
  const P extends Parameters = Record<never, never>,
  const C extends Columns = Record<never, never>,
>(options: StatementOptions<P, C>): Statement<P, C> {
  return new Statement(options);
}

/**
 * Columns that several statements select, with their types. The text is a constant of the code, never input.
 */
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

/**
 * Declares a list of columns: `fragment('s.id, s.closed_at AS "closedAt"', { id: 'uuid', closedAt:
 * 'timestamptz?' })`.
 */
export const fragment = <const C extends Columns>(text: string, columns: C): Fragment<C> =>
  new Fragment(text, columns);

/** Replaces `$tenant` by `$1`, its position among the parameters. */
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

/** An array would become a PostgreSQL array, so JSON is sent as text. */
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
