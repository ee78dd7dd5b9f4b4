/** Who asks for a change: a person at an app, an app that acts for that person (RFC 8693), the installation's operator. */
export type Asking = 'administrator' | 'delegate' | 'operator';

/** Ids and values by their name, which rows make and later rows speak of. */
export class Things {
  readonly #values = new Map<string, string>();

  /** @throws Error when no row has made it */
  get(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`nothing is called ${name}: the row that makes it failed`);
    return value;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }
}
