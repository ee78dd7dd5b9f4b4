import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.ts';
import type { FeedPage } from '../server/feed-page.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';
import { isRevoked, type MatchedClaim, RevocationEntries } from './revocation-entries.ts';

const knownKinds: ReadonlySet<string> = new Set<MatchedClaim | 'tenant'>([
  'sub',
  'sid',
  'grant_id',
  'jti',
  'client_id',
  'kid',
  'tenant',
]);
const digestBytes = 16;
const maxCachedDigests = 100_000;

/** The revocations of one audience, by the digests of the public feed. */
export class DigestList extends RevocationEntries {
  readonly #digests = new BoundedCache<string>(maxCachedDigests);
  #key: { text: string; object: KeyObject } | undefined;

  /**
   * Adds the entries of a page.
   * @throws Error for another digest key than that of earlier pages, and for a kind that this release does not
   * support; the list must then be read from the beginning
   */
  apply({ digest_key: text, entries }: FeedPage): void {
    this.#key ??= { text, object: createSecretKey(Buffer.from(text, 'base64url')) };
    if (this.#key.text !== text) throw new Error('The digest key of the revocation feed has changed.');
    for (const { kind, digest = '', epoch, expires_at: expiresAt } of entries) {
      if (!knownKinds.has(kind))
        throw new Error(`The revocation feed has entries of an unknown kind: ${kind}`);
      this.add(`${kind}:${digest}`, { epoch, expiresAt });
    }
  }

  /** Reports whether an entry invalidates the token or one of its ancestors. */
  revokes(token: VerifiedToken): boolean {
    const key = this.#key?.object;
    if (key === undefined || this.size === 0) return false;
    return (
      this.matches('tenant:') ||
      isRevoked(token, (claim, value, epoch) => this.matches(this.#nameOf(key, claim, value), epoch))
    );
  }

  /** Removes all entries. The list is stale until it is complete again. */
  override clear(): void {
    super.clear();
    this.#digests.clear();
    this.#key = undefined;
  }

  #nameOf(key: KeyObject, claim: MatchedClaim, value: string): string {
    const text = `${claim}:${value}`;
    const known = this.#digests.get(text);
    if (known !== undefined) return known;
    const name = `${claim}:${digestOf(key, text)}`;
    this.#digests.set(text, name);
    return name;
  }
}

const digestOf = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, digestBytes).toString('base64url');
