/** Storage of used DPoP proofs. Processes that share one reject a proof that another process accepted. */
export interface ProofStore {
  /**
   * Stores the id of a proof for `ttlSeconds`, in one atomic step such as `SET … NX` of Redis.
   * @returns whether it is new
   */
  add(id: string, ttlSeconds: number): boolean | Promise<boolean>;
}

/** Used proofs of this process. A full store rejects further proofs until earlier ones have expired. */
export class MemoryProofStore implements ProofStore {
  readonly #expiries = new Map<string, number>();
  readonly #max: number;
  readonly #monotonic: () => number;

  constructor(max = 100_000, monotonic: () => number = () => performance.now()) {
    this.#max = max;
    this.#monotonic = monotonic;
  }

  /** @throws Error if the store is full */
  add(id: string, ttlSeconds: number): boolean {
    const now = this.#monotonic();
    // All have the same lifetime, so the first ones expire first.
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > now) break;
      this.#expiries.delete(oldest);
    }
    if (this.#expiries.has(id)) return false;
    if (this.#expiries.size >= this.#max) throw new Error('too many DPoP proofs');
    this.#expiries.set(id, now + ttlSeconds * 1_000);
    return true;
  }
}
