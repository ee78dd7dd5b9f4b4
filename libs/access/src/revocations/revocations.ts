import { isRevoked, RevocationEntries } from '@ostiary/verifier/core';
import type { Principal } from '../tokens/principal.ts';

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

/** Names of the revoked objects by kind: those of the claims that they match. */
export const claimOf: Readonly<Record<RevocationKind, string>> = {
  subject: 'sub',
  session: 'sid',
  grant: 'grant_id',
  client: 'client_id',
  jti: 'jti',
  key: 'kid',
  tenant: 'tenant',
  owner: 'owner',
};

/** All unexpired revocations of all tenants, in memory. */
export class RevocationList extends RevocationEntries {
  readonly #listeners = new Set<Listener>();

  /** Applies entries and notifies the listeners of those that invalidate further tokens, or for longer. */
  apply(revocations: readonly Revocation[]): void {
    for (const revocation of revocations) {
      const { kind, tenant, key } = revocation;
      if (!this.add(nameOf(claimOf[kind], tenant, key), revocation)) continue;
      for (const listener of this.#listeners) listener(revocation);
    }
  }

  /** Reports whether an entry invalidates the token or one of its ancestors. */
  revoked(principal: Principal): boolean {
    const { tenant, home = tenant } = principal;
    return (
      this.matches(nameOf('tenant', tenant, tenant)) ||
      isRevoked(principal, (claim, value, epoch) => this.matches(nameOf(claim, home, value), epoch))
    );
  }

  /** Calls `listener` for each revocation that adds to the list. Returns a function that removes it. */
  onRevoked(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const nameOf = (claim: string, tenant: string, value: string): string =>
  `${claim}\u0000${tenant}\u0000${value}`;
