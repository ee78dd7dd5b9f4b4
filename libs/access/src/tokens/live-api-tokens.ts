import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidToken } from '../errors.ts';
import { type ApiTokenKind, isWellFormedApiToken } from './api-token.ts';
import { issuerOf, type Principal } from './principal.ts';

/** What the authorization server tells its own services about a live API token. */
export interface LiveApiToken {
  tenant: string;
  kind: ApiTokenKind;
  /** The token's own id: the key of the `jti` revocation that ends it. */
  id: string;
  /** The person, or the service account. */
  subject: string;
  /** What it may do now: within what it was made for, and within what its owner may do. */
  scopes: readonly string[];
  /** Unix seconds. */
  expiresAt: number;
  /** The person's epoch when the token was made, or the service account's epoch now. */
  epoch: number;
}

/**
 * The `client_id` that personal access tokens go by. No client was involved; and no registered client's id has a colon,
 * so that a revocation of a client can't match.
 */
export const personalAccessTokenClient = 'urn:ostiary:personal-access-token';

/** The principal an API token stands for. A service account is a client, whose `client_id` is the account's id. */
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
  /** Asks the authorization server; undefined: no such token is live. */
  ask: (token: string) => Promise<LiveApiToken | undefined>;
  /** Wall clock, milliseconds. */
  clock: () => number;
  /** Milliseconds; for the age of what is remembered. */
  monotonic: () => number;
}

/**
 * Seconds for which an answer is remembered. Far below the time a revocation stays in the feed, so that no answer outlives
 * the entry that kills it.
 */
export const apiTokenMemorySeconds = 30;
const rememberMs = apiTokenMemorySeconds * 1_000;

interface Remembered {
  principal: Principal;
  at: number;
}

/**
 * API tokens say nothing by themselves, so the authorization server is asked. A good answer is remembered for half a
 * minute by the token's digest. What ends a token in between ends it here too: the principal carries what the
 * revocation list goes by (its own id, the owner's epoch), and the list is consulted on every request.
 */
export class LiveApiTokens {
  readonly #options: LiveApiTokensOptions;
  readonly #remembered = new LRUCache<string, Remembered>({
    // As sizes of one each: `max` would take the room for all of them now.
    maxSize: 10_000,
    sizeCalculation: () => 1,
  });
  readonly #asking = new Map<string, Promise<Principal>>();

  constructor(options: LiveApiTokensOptions) {
    this.#options = options;
  }

  /**
   * @param trusted whether what is remembered may still be true. If not, it is asked again: a service account that was
   * changed has a new epoch, but its keys go on.
   * @throws AccessError invalid_token; ServiceUnavailable when the authorization server doesn't answer
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

  // A burst of requests with one token asks once. A fresh answer may not be one that somebody asked for before.
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
    // The age counts from the question: the answer may describe that moment.
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
