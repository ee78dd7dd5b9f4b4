import { isUuid } from '@ostiary/service';

/** Terms of a WHERE joined by AND: their text is ours, their values always parameters. */
export class Conditions {
  readonly values: unknown[];
  readonly #terms: string[];

  /** @param first the term whose parameter is `$1` */
  constructor(first: string, value: unknown) {
    this.#terms = [first];
    this.values = [value];
  }

  state(term: string): void {
    this.#terms.push(term);
  }

  /** A term about a value, unless there is none. @param term given the parameter's name */
  add(term: (parameter: string) => string, value: unknown): void {
    if (value === undefined || value === null) return;
    this.values.push(value);
    this.#terms.push(term(`$${this.values.length}`));
  }

  /** A comparison with an id; what can't be one is nobody's. */
  uuid(column: string, id: string | undefined, operator: '=' | '<' | '>' = '='): void {
    if (id !== undefined && !isUuid(id)) this.state('false');
    else this.add((parameter) => `${column} ${operator} ${parameter}::uuid`, id);
  }

  get text(): string {
    return this.#terms.join(' AND ');
  }
}
