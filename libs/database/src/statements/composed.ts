import type { Sql } from '../sql.ts';
import { type Registered, register } from './registry.ts';
import type { Reason } from './statement.ts';
import type { Columns, RowOf } from './types.ts';

export interface Composition {
  text: string;
  values: readonly unknown[];
}

export interface ComposedOptions<Input, C extends Columns> {
  /** Which no other statement of the service has. */
  name: string;
  reason: Reason;
  /** The same for every text. */
  columns: C;
  /** Composes the text. Nothing of the input becomes part of it but what the code chooses from; values are parameters. */
  compose(input: Input): Composition;
  /** Inputs that lead to each part that a text can have: the test prepares what they are composed to. */
  examples(): readonly Input[];
}

/** Statements whose text depends on what is asked for: those of the search compiler, lists that are read in either direction. */
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

  /** All rows. @throws as `run` does */
  async rows(sql: Sql, input: Input): Promise<RowOf<C>[]> {
    return (await this.run(sql, input)).rows;
  }

  /** The first row, if there is one. @throws as `run` does */
  async first(sql: Sql, input: Input): Promise<RowOf<C> | undefined> {
    return (await this.run(sql, input)).rows[0];
  }

  variants(): readonly Composition[] {
    return this.#options.examples().map((input) => this.#options.compose(input));
  }
}

/** Declares a statement whose text is composed for each use. */
export const composedStatement = <Input, const C extends Columns>(
  options: ComposedOptions<Input, C>,
): ComposedStatement<Input, C> => new ComposedStatement(options);
