import { networkOf } from '@ostiary/service';

/**
 * Counts the live connections of each network, including those whose token is not verified yet. Opening a connection
 * needs no token, and a process has a limited number for all clients.
 */
export class NetworkConnections {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most maximum number of connections of one network (an IPv6 /64 is one) */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Reserves a connection. @returns the function that releases it, once; undefined when the network has reached its
   * maximum
   */
  take(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const taken = this.#taken.get(network) ?? 0;
    if (taken >= this.#most) return undefined;
    this.#taken.set(network, taken + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#taken.get(network) ?? 1) - 1;
      if (left > 0) this.#taken.set(network, left);
      else this.#taken.delete(network);
    };
  }
}
