import { composedStatement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';

/** Conditions of a WHERE clause, joined by AND. Values are always parameters. */
export class Conditions {
  readonly values: unknown[];
  readonly #terms: string[];

  /** @param first the condition whose parameter is `$1` */
  constructor(first: string, value: unknown) {
    this.#terms = [first];
    this.values = [value];
  }

  state(term: string): void {
    this.#terms.push(term);
  }

  /** Adds a condition unless the value is undefined or null. @param term receives the name of the parameter */
  add(term: (parameter: string) => string, value: unknown): void {
    if (value === undefined || value === null) return;
    this.values.push(value);
    this.#terms.push(term(`$${this.values.length}`));
  }

  /** Adds a comparison with an id. A malformed id matches no row. */
  uuid(column: string, id: string | undefined, operator: '=' | '<' | '>' = '='): void {
    if (id !== undefined && !isUuid(id)) this.state('false');
    else this.add((parameter) => `${column} ${operator} ${parameter}::uuid`, id);
  }

  get text(): string {
    return this.#terms.join(' AND ');
  }
}

/** Declares the number of rows of a table that meet conditions. @param from table and its alias */
export const countOf = <Asked>(
  name: string,
  from: string,
  conditionsOf: (asked: Asked) => Conditions,
  examples: () => readonly Asked[],
) =>
  composedStatement({
    name,
    reason: 'set',
    columns: { total: 'int4' },
    compose: (asked: Asked) => {
      const { text, values } = conditionsOf(asked);
      return { text: `SELECT count(*)::int AS total FROM ${from} WHERE ${text}`, values };
    },
    examples,
  });
