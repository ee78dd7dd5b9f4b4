/** A verified logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). */
export interface Logout {
  readonly subject?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Unix seconds. */
  readonly issuedAt: number;
}

const maxEntries = 10_000;

/**
 * Sessions that logout tokens ended, in the memory of this process. The revocation list ends them at every guard; this
 * list does so at one of them if the list is late.
 */
export class Logouts {
  /** Unix seconds, by session or user. */
  readonly #ended = new Map<string, number>();

  add({ subject, sessionId, issuedAt }: Logout): void {
    const key = sessionId === undefined ? `sub ${subject}` : `sid ${sessionId}`;
    const at = Math.max(issuedAt, this.#ended.get(key) ?? 0);
    this.#ended.delete(key);
    this.#ended.set(key, at);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= maxEntries) return;
      this.#ended.delete(oldest);
    }
  }

  /** Reports whether a session that began at a time in Unix seconds has ended. */
  ends(subject: unknown, sessionId: unknown, begunAt: number): boolean {
    if (this.#ended.size === 0) return false;
    const isEnded = (key: string): boolean => begunAt <= (this.#ended.get(key) ?? Number.NEGATIVE_INFINITY);
    return isEnded(`sub ${subject}`) || isEnded(`sid ${sessionId}`);
  }
}
