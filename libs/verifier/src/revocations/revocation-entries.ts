import type { TokenAncestor } from '../tokens/delegation.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';

/** The claims, and `kid` of the header, that revocations match. */
export type MatchedClaim = 'sub' | 'sid' | 'grant_id' | 'jti' | 'client_id' | 'kid';

/**
 * Reports whether an entry invalidates a value of a token.
 * @param epoch of the token; an entry with a higher one invalidates it
 */
type Matches = (claim: MatchedClaim, value: string, epoch?: number) => boolean;

/** Reports whether an entry invalidates the token or one of its ancestors. */
export const isRevoked = (token: Omit<VerifiedToken, 'kind'> & { kind: string }, matches: Matches): boolean =>
  endsWith(token, token.kind === 'user', matches) ||
  (token.keyId !== undefined && matches('kid', token.keyId)) ||
  (token.ancestors ?? []).some((ancestor) =>
    endsWith(ancestor, ancestor.subjectEpoch !== undefined, matches),
  );

const endsWith = (token: TokenAncestor, isOfUser: boolean, matches: Matches): boolean =>
  matches('jti', token.jti) ||
  matches('client_id', token.clientId, token.clientEpoch) ||
  (isOfUser && matches('sub', token.subject, token.subjectEpoch)) ||
  (token.sessionId !== undefined && matches('sid', token.sessionId)) ||
  (token.grantId !== undefined && matches('grant_id', token.grantId));

/** Maximum clock difference in seconds. */
const clockDisagreement = 300;

/**
 * Returns the time in Unix seconds until which a revocation is kept, given the end of the revoked object. A
 * verifier's clock may be behind, so the feed keeps entries that much longer than tokens live, and a verifier
 * that much longer than the feed.
 */
export const keptUntil = (expiry: number): number => expiry + clockDisagreement;

const maxWaitSeconds = 3;

/**
 * Returns the seconds that a request of a feed may wait, for verifiers that accept a list of at most
 * `maxStalenessSeconds`: most of that time must remain for an outage of the server.
 */
export const feedWaitSeconds = (maxStalenessSeconds: number): number =>
  Math.min(maxWaitSeconds, Math.floor(maxStalenessSeconds / 3));

/** A revocation without the object that it revokes. */
export interface RevocationTerms {
  /** Tokens of earlier epochs are invalid; if absent, all matching tokens. */
  epoch?: number | undefined;
  /** Unix seconds after which no matching token is still valid. */
  expiresAt: number;
}

/**
 * All unexpired revocations by a name of the revoked object, in memory. Epochs instead of clocks decide which
 * tokens an entry invalidates, so clock differences cannot keep a token valid. Applying an entry repeatedly,
 * late or out of order changes nothing.
 */
export abstract class RevocationEntries {
  readonly #entries = new Map<string, RevocationTerms>();
  #freshAt = Number.NEGATIVE_INFINITY;
  #nextSweep = 0;

  /** Adds an entry. Returns whether it invalidates further tokens, or tokens for longer. */
  protected add(name: string, { epoch, expiresAt }: RevocationTerms): boolean {
    const known = this.#entries.get(name);
    if (known && covers(known, epoch)) {
      if (expiresAt <= known.expiresAt) return false;
      known.expiresAt = expiresAt;
      return true;
    }
    this.#entries.set(name, { epoch, expiresAt: Math.max(expiresAt, known?.expiresAt ?? 0) });
    return true;
  }

  /** Reports whether an entry invalidates tokens of an epoch; those without one are the earliest. */
  protected matches(name: string, epoch?: number): boolean {
    const entry = this.#entries.get(name);
    if (!entry) return false;
    return entry.epoch === undefined || epoch === undefined || epoch < entry.epoch;
  }

  /**
   * Records that the list was complete at `atMs`, on the clock of `freshAt`.
   * @param wallMs wall clock, for expiry
   */
  touch(atMs: number, wallMs: number = Date.now()): void {
    this.#freshAt = Math.max(this.#freshAt, atMs);
    if (wallMs >= this.#nextSweep) {
      this.#nextSweep = wallMs + 30_000;
      this.#sweep(wallMs);
    }
  }

  /**
   * Reports whether the list was complete recently enough to verify tokens without the server.
   * @param nowMs on the clock of `touch`. If that clock was set back, the list's age is unknown, and it is
   * not fresh.
   */
  isFresh(nowMs: number, maxStalenessMs: number): boolean {
    const age = nowMs - this.#freshAt;
    return age >= 0 && age <= maxStalenessMs;
  }

  /** Time at which the list was last complete; minus infinity before the first time. */
  get freshAt(): number {
    return this.#freshAt;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Removes all entries. The list is stale until it is complete again. */
  clear(): void {
    this.#entries.clear();
    this.#freshAt = Number.NEGATIVE_INFINITY;
  }

  #sweep(nowMs: number): void {
    const now = nowMs / 1000;
    for (const [name, entry] of this.#entries) {
      if (keptUntil(entry.expiresAt) < now) this.#entries.delete(name);
    }
  }
}

const covers = (known: RevocationTerms, epoch: number | undefined): boolean =>
  known.epoch === undefined || (epoch !== undefined && epoch <= known.epoch);
