/** Maximum age in ms of a replica's data, and so the time after a write for which it is not used. */
export const maxAgeMs = 1_000;

const keptAtMost = 10_000;

/**
 * Tenants with a write by this process in progress or within the last second, so that callers see their own
 * changes. Writes of other processes may be missing from a response for up to one second.
 */
export class OwnWrites {
  /** Number of writes in progress. */
  readonly #writing = new Map<string, number>();
  /** Time until which a tenant's reads use the primary. */
  readonly #until = new Map<string, number>();

  /** @returns a function to call once at the end */
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
