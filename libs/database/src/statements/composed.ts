import type { Sql } from '../sql.ts';
import { type Registered, register } from './registry.ts';
import type { Reason } from './statement.ts';
import type { Columns, RowOf } from './types.ts';

export interface Composition {
  text: string;
  values: readonly unknown[];
}

export interface ComposedOptions<Input, C extends Columns> {
  /** Unique name in the service. */
  name: string;
  reason: Reason;
  /** Equal for every text. */
  columns: C;
  /** Composes the text. Input only selects parts that the code contains; values are parameters. */
  compose(input: Input): Composition;
  /** Returns inputs that cover each part of the text; the test prepares the resulting texts. */
  examples(): readonly Input[];
}

/**
 * Statements with a text that depends on the request: those of the search compiler, and lists in either
 * direction.
 */
export class ComposedStatement<Input, C extends Columns> implements Registered {
  readonly name: string;
  readonly reason: Reason;
  readonly parameters = undefined;
  readonly columns: C;
  readonly #options: ComposedOptions<Input, C>;

  constructor(options: ComposedOptions<Input, C>) {
    this.name = options.name;
    this.reason = options.reason;
    this.columns = options.columns;
    this.#options = options;
    register(this);
  }

  /** @throws DatabaseUnavailable (503), or pg's DatabaseError with its SQLSTATE in `code` */
  run(sql: Sql, input: Input): Promise<{ rows: RowOf<C>[]; rowCount: number }> {
    const { text, values } = this.#options.compose(input);
    return sql.query<RowOf<C>>(text, values);
  }

  /** Returns all rows. @throws as `run` does */
  async rows(sql: Sql, input: Input): Promise<RowOf<C>[]> {
    return (await this.run(sql, input)).rows;
  }

  /** Returns the first row, if any. @throws as `run` does */
  async first(sql: Sql, input: Input): Promise<RowOf<C> | undefined> {
    return (await this.run(sql, input)).rows[0];
  }

  variants(): readonly Composition[] {
    return this.#options.examples().map((input) => this.#options.compose(input));
  }
}

/** Declares a statement with a text composed for each use. */
export const composedStatement = <Input, const C extends Columns>(
  options: ComposedOptions<Input, C>,
): ComposedStatement<Input, C> => new ComposedStatement(options);
