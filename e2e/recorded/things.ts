/** Caller of a mutation: a user at an app, an app that acts for that user (RFC 8693), or the operator. */
export type Asking = 'administrator' | 'delegate' | 'operator';

/** Ids and values by name, which rows create and later rows use. */
export class Things {
  readonly #values = new Map<string, string>();

  /** @throws Error if no row has created it */
  get(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`nothing is called ${name}: the row that makes it failed`);
    return value;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }
}
