import type { Principal, TokenAncestor } from '../tokens/principal.ts';

/**
 * What can be revoked. `owner` is nothing that a token has: whoever owned connectors owns them no more, which is for those to hear
 * who keep connectors (`RevocationList.onRevoked`).
 */
export const revocationKinds = [
  'subject',
  'session',
  'grant',
  'client',
  'jti',
  'key',
  'tenant',
  'owner',
] as const;
export type RevocationKind = (typeof revocationKinds)[number];

/** One entry of the revocation feed. */
export interface Revocation {
  /** Position in the feed, decimal. */
  seq: string;
  tenant: string;
  kind: RevocationKind;
  /** What is revoked: a user, session, grant or client id, a jti, the kid of a signing key, the tenant itself, or an owner's id. */
  key: string;
  /** For subject and client: tokens of an older epoch are dead. Absent: every token that matches is. For owner: the end's number. */
  epoch?: number;
  /** Unix seconds after which no token that this could match is still valid. */
  expiresAt: number;
}

/** A page of the durable feed. */
export interface RevocationPage {
  /** Where to go on; opaque. */
  cursor: string;
  entries: Revocation[];
  /** Highest position in the feed, decimal. */
  maxSeq: string;
  /** Whether there is more of what was asked for: only with its last page is a list complete. */
  more: boolean;
  /**
   * Of who waited in vain for something new: up to how many ms after the request came there was nothing but this. Without it, the page
   * shows the feed as it was when the request came.
   */
  completeAfterMs?: number;
}

/** The stream that pushes revocations to verifiers; the hash tag keeps it on one node of a cluster. */
export const revocationStream = (prefix: string): string => `{${prefix}}:revocations`;

type Listener = (revocation: Revocation) => void;

/** Seconds by which clocks may disagree. */
const clockDisagreement = 300;

/**
 * Unix seconds until which a revocation of what ends at `expiry` is kept, because a verifier's clock may run behind. The feed is
 * kept for so much longer than tokens live, and a verifier keeps what it read of it for so much longer than the feed.
 */
export const keptUntil = (expiry: number): number => expiry + clockDisagreement;

interface Entry {
  epoch: number | undefined;
  expiresAt: number;
}

/**
 * Every live revocation, in memory. Epochs, not clocks, decide what an entry kills, so clocks that disagree can't
 * keep a token alive. Applying an entry twice, or late, or out of order changes nothing.
 */
export class RevocationList {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<Listener>();
  #freshAt = Number.NEGATIVE_INFINITY;
  #nextSweep = 0;

  /** Takes entries in and tells the listeners about those that were news. */
  apply(revocations: readonly Revocation[]): void {
    for (const revocation of revocations) {
      const key = keyOf(revocation.kind, revocation.tenant, revocation.key);
      const known = this.#entries.get(key);
      if (known && covers(known, revocation)) {
        known.expiresAt = Math.max(known.expiresAt, revocation.expiresAt);
        continue;
      }
      this.#entries.set(key, {
        epoch: revocation.epoch,
        expiresAt: Math.max(revocation.expiresAt, known?.expiresAt ?? 0),
      });
      for (const listener of this.#listeners) listener(revocation);
    }
  }

  /** Whether anything in the list kills the token, or one of the tokens it was exchanged for. */
  revoked(principal: Principal): boolean {
    const { tenant, home = tenant } = principal;
    return (
      this.#kills(home, principal, principal.kind === 'user') ||
      this.#has('tenant', tenant, tenant) ||
      (principal.keyId !== undefined && this.#has('key', home, principal.keyId)) ||
      (principal.ancestors ?? []).some((ancestor) =>
        this.#kills(home, ancestor, ancestor.subjectEpoch !== undefined),
      )
    );
  }

  #kills(tenant: string, token: TokenAncestor, ofPerson: boolean): boolean {
    return (
      this.#has('jti', tenant, token.jti) ||
      this.#older('client', tenant, token.clientId, token.clientEpoch) ||
      (ofPerson && this.#older('subject', tenant, token.subject, token.subjectEpoch)) ||
      (token.sessionId !== undefined && this.#has('session', tenant, token.sessionId)) ||
      (token.grantId !== undefined && this.#has('grant', tenant, token.grantId))
    );
  }

  #has(kind: RevocationKind, tenant: string, key: string): boolean {
    return this.#entries.has(keyOf(kind, tenant, key));
  }

  #older(kind: RevocationKind, tenant: string, key: string, epoch: number | undefined): boolean {
    const entry = this.#entries.get(keyOf(kind, tenant, key));
    if (!entry) return false;
    return entry.epoch === undefined || epoch === undefined || epoch < entry.epoch;
  }

  /**
   * Records that the list was complete at `atMs`, by whatever clock the verifier compares `freshAt` with.
   * @param wallMs wall clock, which expiry is measured by
   */
  touch(atMs: number, wallMs: number = Date.now()): void {
    this.#freshAt = Math.max(this.#freshAt, atMs);
    if (wallMs >= this.#nextSweep) {
      this.#nextSweep = wallMs + 30_000;
      this.#sweep(wallMs);
    }
  }

  /**
   * Whether the list was complete so short a time ago that tokens may be judged by it alone.
   * @param nowMs by the clock that `touch` is fed with. When that was put back, the list seems to be of the future, and how old it
   * really is nobody knows: it isn't fresh.
   */
  isFresh(nowMs: number, maxStalenessMs: number): boolean {
    const age = nowMs - this.#freshAt;
    return age >= 0 && age <= maxStalenessMs;
  }

  /** When the list was last known to be complete; minus infinity before the first time. */
  get freshAt(): number {
    return this.#freshAt;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Calls `listener` for each revocation that is news. Returns the way to stop it. */
  onRevoked(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #sweep(nowMs: number): void {
    const now = nowMs / 1000;
    for (const [key, entry] of this.#entries) {
      if (keptUntil(entry.expiresAt) < now) this.#entries.delete(key);
    }
  }
}

const keyOf = (kind: RevocationKind, tenant: string, key: string): string =>
  `${kind}\u0000${tenant}\u0000${key}`;

const covers = (known: Entry, revocation: Revocation): boolean =>
  known.epoch === undefined || (revocation.epoch !== undefined && revocation.epoch <= known.epoch);
