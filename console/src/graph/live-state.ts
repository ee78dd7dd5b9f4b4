/** State of the live connection. */
export type Connection = 'live' | 'connecting' | 'lost';

/** Combined state of all subscriptions of the page. */
export class LiveState {
  readonly #states = new Map<symbol, Connection>();
  readonly #listeners = new Set<() => void>();
  #now: Connection = 'connecting';

  get now(): Connection {
    return this.#now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** @param state undefined when the subscription has ended */
  set(of: symbol, state: Connection | undefined): void {
    if (state === undefined) this.#states.delete(of);
    else this.#states.set(of, state);
    const states = [...this.#states.values()];
    const now = states.includes('lost') ? 'lost' : states.includes('connecting') ? 'connecting' : 'live';
    if (now === this.#now) return;
    this.#now = now;
    for (const listener of this.#listeners) listener();
  }
}
