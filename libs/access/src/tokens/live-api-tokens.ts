import { createHash } from 'node:crypto';
import { type ApiTokenKind, invalidToken, isWellFormedApiToken } from '@ostiary/verifier/core';
import { LRUCache } from 'lru-cache';
import { issuerOf, type Principal } from './principal.ts';

/** A live API token, as the authorization server returns it to other services. */
export interface LiveApiToken {
  tenant: string;
  kind: ApiTokenKind;
  /** Id of the token, the key of its `jti` revocation. */
  id: string;
  /** The user or service account. */
  subject: string;
  /** Current scopes: within those of the token, and within those of its owner. */
  scopes: readonly string[];
  /** Unix seconds. */
  expiresAt: number;
  /** The user's epoch when the token was created, or the service account's current epoch. */
  epoch: number;
}

/**
 * `client_id` of personal access tokens, which involve no client. No registered client's id has a colon, so a
 * revocation of a client cannot match.
 */
export const personalAccessTokenClient = 'urn:ostiary:personal-access-token';

/**
 * Returns the principal of an API token. A service account is a client with the account's id as `client_id`.
 */
export function apiTokenPrincipal(publicOrigin: string, live: LiveApiToken): Principal {
  const issuer = issuerOf(publicOrigin, live.tenant);
  const principal: Principal = {
    tenant: live.tenant,
    kind: live.kind === 'personal' ? 'user' : 'client',
    subject: live.subject,
    clientId: live.kind === 'personal' ? personalAccessTokenClient : live.subject,
    scopes: new Set(live.scopes),
    issuer,
    audience: [issuer],
    jti: live.id,
    expiresAt: live.expiresAt,
    apiToken: live.kind,
  };
  if (live.kind === 'personal') principal.subjectEpoch = live.epoch;
  else principal.clientEpoch = live.epoch;
  return principal;
}

export interface LiveApiTokensOptions {
  publicOrigin: string;
  /** Looks up a token at the authorization server; undefined if it is not live. */
  ask: (token: string) => Promise<LiveApiToken | undefined>;
  /** Wall clock in milliseconds. */
  clock: () => number;
  /** Milliseconds, for the age of cached results. */
  monotonic: () => number;
}

/**
 * Cache time in seconds. Far below the time that the feed retains a revocation, so that no result outlives
 * it.
 */
export const apiTokenMemorySeconds = 30;
const rememberMs = apiTokenMemorySeconds * 1_000;

interface Remembered {
  principal: Principal;
  at: number;
}

/**
 * Looks up API tokens, which are opaque, at the authorization server. Positive results are cached for half a
 * minute by the token's digest. Revocations still apply immediately: the principal has the values that the
 * revocation list matches (its id, the owner's epoch), and each request consults the list.
 */
export class LiveApiTokens {
  readonly #options: LiveApiTokensOptions;
  readonly #remembered = new LRUCache<string, Remembered>({
    // Sized with weight one each, because `max` would allocate the capacity now.
    maxSize: 10_000,
    sizeCalculation: () => 1,
  });
  readonly #asking = new Map<string, Promise<Principal>>();

  constructor(options: LiveApiTokensOptions) {
    this.#options = options;
  }

  /**
   * @param trusted whether a cached result may still apply. If not, it is looked up again: a changed service
   * account has a new epoch, but its keys stay valid.
   * @throws AccessError invalid_token; ServiceUnavailable if the authorization server does not respond
   */
  async find(token: string, trusted: (remembered: Principal) => boolean): Promise<Principal> {
    if (!isWellFormedApiToken(token)) throw invalidToken();
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.#remembered.get(digest);
    const usable = known !== undefined && trusted(known.principal);
    const principal =
      usable && this.#options.monotonic() - known.at < rememberMs
        ? known.principal
        : await this.#ask(digest, token, known !== undefined && !usable);
    if (principal.expiresAt <= this.#options.clock() / 1000) throw invalidToken();
    return principal;
  }

  // Concurrent requests with one token share a lookup. A fresh result must not come from an earlier lookup.
  #ask(digest: string, token: string, fresh: boolean): Promise<Principal> {
    const under = this.#asking.get(digest);
    if (under && !fresh) return under;
    const asking = this.#fetch(digest, token).finally(() => {
      if (this.#asking.get(digest) === asking) this.#asking.delete(digest);
    });
    this.#asking.set(digest, asking);
    return asking;
  }

  async #fetch(digest: string, token: string): Promise<Principal> {
    // The age counts from the request: the result may describe that moment.
    const at = this.#options.monotonic();
    const live = await this.#options.ask(token);
    if (!live) {
      this.#remembered.delete(digest);
      throw invalidToken();
    }
    const principal = apiTokenPrincipal(this.#options.publicOrigin, live);
    this.#remembered.set(digest, { principal, at });
    return principal;
  }
}
