import type { Principal, TokenAncestor } from '../tokens/principal.ts';

/**
 * Kinds of revocation. `owner` matches no token: the owner no longer owns its connectors, which concerns the
 * service that stores them (`RevocationList.onRevoked`).
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

/** An entry of the revocation feed. */
export interface Revocation {
  /** Position in the feed, decimal. */
  seq: string;
  tenant: string;
  kind: RevocationKind;
  /**
   * The revoked object: a user, session, grant or client id, a jti, the kid of a signing key, the tenant, or
   * an owner's id.
   */
  key: string;
  /**
   * For subject and client: tokens of earlier epochs are invalid; if absent, all matching tokens. For owner:
   * the number of the end.
   */
  epoch?: number;
  /** Unix seconds after which no matching token is still valid. */
  expiresAt: number;
}

/** A page of the durable feed. */
export interface RevocationPage {
  /** Opaque position of the next page. */
  cursor: string;
  entries: Revocation[];
  /** Highest position in the feed, decimal. */
  maxSeq: string;
  /** Whether there are further pages; a list is complete only with the last one. */
  more: boolean;
  /**
   * For a pull that waited without new entries: ms after the arrival of the request up to which the page is
   * complete. If absent, the page shows the feed at that arrival.
   */
  completeAfterMs?: number;
}

/** Returns the stream that sends revocations to verifiers; the hash tag keeps it on one node of a cluster. */
export const revocationStream = (prefix: string): string => `{${prefix}}:revocations`;

type Listener = (revocation: Revocation) => void;

/** Maximum clock difference in seconds. */
const clockDisagreement = 300;

/**
 * Returns the time in Unix seconds until which a revocation is kept, given the end of the revoked object. A
 * verifier's clock may be behind, so the feed keeps entries that much longer than tokens live, and a verifier
 * that much longer than the feed.
 */
export const keptUntil = (expiry: number): number => expiry + clockDisagreement;

interface Entry {
  epoch: number | undefined;
  expiresAt: number;
}

/**
 * All unexpired revocations, in memory. Epochs instead of clocks decide which tokens an entry invalidates, so
 * clock differences cannot keep a token valid. Applying an entry repeatedly, late or out of order changes
 * nothing.
 */
export class RevocationList {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<Listener>();
  #freshAt = Number.NEGATIVE_INFINITY;
  #nextSweep = 0;

  /** Applies entries and notifies the listeners of new ones. */
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

  /** Reports whether an entry invalidates the token or one of its ancestors. */
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

  #kills(tenant: string, token: TokenAncestor, ofUser: boolean): boolean {
    return (
      this.#has('jti', tenant, token.jti) ||
      this.#older('client', tenant, token.clientId, token.clientEpoch) ||
      (ofUser && this.#older('subject', tenant, token.subject, token.subjectEpoch)) ||
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

  /** Calls `listener` for each new revocation. Returns a function that removes it. */
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
