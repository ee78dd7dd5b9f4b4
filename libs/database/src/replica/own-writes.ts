/** How old what a replica answers with may be, in ms; and so for how long after a write it isn't asked. */
export const maxAgeMs = 1_000;

const keptAtMost = 10_000;

/**
 * Tenants that this process writes to, or has written to within the last second: whoever made a change sees it. What another process
 * has written may be missing from an answer for up to a second.
 */
export class OwnWrites {
  /** How many are under way. */
  readonly #writing = new Map<string, number>();
  /** Until when a tenant's reads stay at the primary. */
  readonly #until = new Map<string, number>();

  /** @returns what to call, once, when it has ended */
  begin(tenant: string): () => void {
    this.#writing.set(tenant, (this.#writing.get(tenant) ?? 0) + 1);
    return () => {
      const left = (this.#writing.get(tenant) ?? 1) - 1;
      if (left > 0) this.#writing.set(tenant, left);
      else this.#writing.delete(tenant);
      this.#note(tenant, performance.now());
    };
  }

  concern(tenants: readonly string[]): boolean {
    const now = performance.now();
    return tenants.some((tenant) => this.#writing.has(tenant) || (this.#until.get(tenant) ?? 0) > now);
  }

  #note(tenant: string, now: number): void {
    if (this.#until.size >= keptAtMost) {
      for (const [name, until] of this.#until) if (until <= now) this.#until.delete(name);
    }
    this.#until.set(tenant, now + maxAgeMs);
  }
}
