/** Storage of used DPoP proofs. Processes that share one reject a proof that another process accepted. */
export interface ProofStore {
  /**
   * Stores the id of a proof for `ttlSeconds`, in one atomic step such as `SET … NX` of Redis.
   * @param jkt thumbprint of its key, by which a store can limit the proofs of one client
   * @returns whether it is new
   */
  add(id: string, ttlSeconds: number, jkt?: string): boolean | Promise<boolean>;
}

interface StoredProof {
  expiry: number;
  jkt: string;
}

/** One key can use at most this part of the store. */
const maxShare = 0.1;

/**
 * Used proofs of this process. A full store rejects further proofs until earlier ones have expired, and so does a full
 * share of one key.
 */
export class MemoryProofStore implements ProofStore {
  readonly #proofs = new Map<string, StoredProof>();
  /** Number of stored proofs by key. */
  readonly #ofKey = new Map<string, number>();
  readonly #max: number;
  readonly #monotonic: () => number;

  constructor(max = 100_000, monotonic: () => number = () => performance.now()) {
    this.#max = max;
    this.#monotonic = monotonic;
  }

  /** @throws Error if the store, or the share of the key, is full */
  add(id: string, ttlSeconds: number, jkt = ''): boolean {
    const now = this.#monotonic();
    this.#removeExpired(now);
    if (this.#proofs.has(id)) return false;
    const ofKey = this.#ofKey.get(jkt) ?? 0;
    const isShareFull = jkt !== '' && ofKey >= Math.ceil(this.#max * maxShare);
    if (isShareFull || this.#proofs.size >= this.#max) throw new Error('too many DPoP proofs');
    this.#proofs.set(id, { expiry: now + ttlSeconds * 1_000, jkt });
    this.#ofKey.set(jkt, ofKey + 1);
    return true;
  }

  #removeExpired(now: number): void {
    // All have the same lifetime, so the first ones expire first.
    for (const [id, { expiry, jkt }] of this.#proofs) {
      if (expiry > now) return;
      this.#proofs.delete(id);
      const left = (this.#ofKey.get(jkt) ?? 1) - 1;
      if (left === 0) this.#ofKey.delete(jkt);
      else this.#ofKey.set(jkt, left);
    }
  }
}
