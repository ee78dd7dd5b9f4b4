import { networkOf } from '@ostiary/service';

/**
 * Live connections of each network, those whose token isn't known yet included: opening one needs no token, and a process has only so many
 * for all clients.
 */
export class NetworkConnections {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most connections of one network (an IPv6 /64 is one) */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place; undefined when the network has no more. @returns what gives the place back, once */
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
