import { BoundedCache } from './bounded-cache.ts';
import { requireProof } from './dpop/proof-of-possession.ts';
import { MemoryProofStore, type ProofStore } from './dpop/proof-store.ts';
import { ElapsedTime } from './elapsed-time.ts';
import { formsOf, type OstiaryOptions, originOf, type Rule, requireOptions } from './options.ts';
import type { Claims, Principal } from './principal.ts';
import {
  AccessError,
  insufficientRole,
  insufficientScope,
  invalidToken,
  missingToken,
} from './rejections/access-error.ts';
import {
  type ResourceMetadata,
  resourceMetadata,
  resourceMetadataUrl,
} from './rejections/resource-metadata.ts';
import { VerificationError } from './rejections/verification-error.ts';
import { DigestList } from './revocations/digest-list.ts';
import { FeedFollower } from './revocations/feed-follower.ts';
import { feedWaitSeconds } from './revocations/revocation-entries.ts';
import { type EndReason, Watches } from './revocations/watches.ts';
import { AuthorizationServer, ServerError } from './server/authorization-server.ts';
import { isWellFormedApiToken, looksLikeApiToken } from './tokens/api-token.ts';
import { digestOfKept, isOfTokens, type KeptTokens, keptToken } from './tokens/kept-tokens.ts';
import { isWellFormedOpaqueToken } from './tokens/opaque-token.ts';
import { type PresentedToken, presentedToken, type TokenSource } from './tokens/presented-token.ts';
import { isExpired, maxRememberedMs, unverifiedIssuer, verifySignature } from './tokens/signature.ts';
import { SigningKeys } from './tokens/signing-keys.ts';
import { requireAuthentication } from './tokens/step-up.ts';
import { digestOf } from './tokens/token-digest.ts';
import { TooManyUnknownTokens, UnknownTokens } from './tokens/unknown-tokens.ts';
import { tokenOf, type VerifiedToken } from './tokens/verified-token.ts';
import { deepFreeze, unchangeableSet } from './unchangeable.ts';

/** State of the revocation list. */
export interface FollowerState {
  /** Whether tokens are verified without the issuer. */
  readonly fresh: boolean;
  /** Age of the list in milliseconds; `Infinity` before it is complete. */
  readonly ageMs: number;
  readonly entries: number;
}

interface Remembered {
  principal: Principal;
  at: number;
}

const defaultStalenessSeconds = 10;
const maxRememberedTokens = 20_000;
const retryAfterSeconds = 1;
/** Milliseconds in which a rejected refresh token causes no other introspection. */
const rejectedMs = 30_000;

/** Verifies access tokens for one resource. */
export class Verifier {
  readonly #o: OstiaryOptions;
  readonly #server: AuthorizationServer;
  readonly #keys: SigningKeys;
  readonly #list = new DigestList();
  readonly #follower: FeedFollower;
  readonly #watches: Watches<Principal>;
  readonly #proofs: ProofStore;
  readonly #maxStalenessMs: number;
  readonly #publicOrigin: string | undefined;
  readonly #audiences: readonly string[];
  readonly #verified = new BoundedCache<Remembered>(maxRememberedTokens);
  /** Tokens of principals, for introspection. */
  readonly #tokens = new WeakMap<Principal, string>();
  /** Times at which the issuer confirmed refresh tokens, by their digests. */
  readonly #confirmed = new BoundedCache<number>(maxRememberedTokens);
  /** Times at which the issuer rejected refresh tokens, by their digests. */
  readonly #rejected = new BoundedCache<number>(maxRememberedTokens);
  /** Pending questions about refresh tokens, by their digests. */
  readonly #confirming = new Map<string, Promise<void>>();
  readonly #unknownApiTokens: UnknownTokens;
  readonly #unknownOpaqueTokens: UnknownTokens;
  readonly #elapsed: () => number;

  /** @throws TypeError for an invalid option */
  constructor(options: OstiaryOptions, time = new ElapsedTime()) {
    requireOptions(options);
    const elapsed = (): number => time.now();
    this.#elapsed = elapsed;
    this.#unknownApiTokens = new UnknownTokens(elapsed, 300);
    // More, because users of the API have such tokens: above the limit, the new ones are rejected, too.
    this.#unknownOpaqueTokens = new UnknownTokens(elapsed, 3_000);
    const { maxStalenessSeconds = defaultStalenessSeconds } = options;
    this.#o = options;
    this.#maxStalenessMs = maxStalenessSeconds * 1_000;
    this.#publicOrigin = options.publicOrigin ?? originOf(options.audience);
    this.#audiences = formsOf(options.audience);
    this.#proofs = options.proofStore ?? new MemoryProofStore();
    this.#server = new AuthorizationServer({ ...options, monotonic: elapsed });
    this.#keys = new SigningKeys({ fetch: () => this.#server.keySet(), clock: elapsed });
    this.#watches = new Watches<Principal>({
      list: this.#list,
      maxStalenessMs: this.#maxStalenessMs,
      isActive: (principal) => this.#isActive(principal),
      elapsed,
      clock: Date.now,
      onProblem: (error) => this.#report(error),
    });
    this.#follower = new FeedFollower({
      list: this.#list,
      read: (request) => this.#server.revocations(request),
      onEntries: () => this.#watches.check(),
      onProblem: (error) => this.#report(error),
      monotonic: elapsed,
      waitSeconds: feedWaitSeconds(maxStalenessSeconds),
    });
  }

  /**
   * Verifies the sign-in of a user whose tokens the caller keeps instead of the user's browser. Until the access token
   * expires, the revocation list decides, as about the token itself. Afterwards the issuer confirms the refresh token
   * once per lifetime of an access token: the list has all revocations since then.
   * @throws VerificationError
   */
  async verifyKept(kept: KeptTokens, rule: Rule = {}): Promise<Principal> {
    this.#follower.start();
    try {
      const principal = principalOf(keptToken(kept), kept.claims);
      if (!this.#isForThis(principal) || this.#list.revokes(principal)) throw invalidToken();
      if (!this.#isConfirmed(kept)) {
        await this.#confirm(kept);
        // An entry that arrived meanwhile may be newer than the answer.
        if (this.#list.revokes(principal)) throw invalidToken();
      }
      requireRule(principal, rule);
      return principal;
    } catch (error) {
      throw this.#rejection(error);
    }
  }

  /** @throws VerificationError */
  async verify(source: TokenSource, rule: Rule = {}): Promise<Principal> {
    this.#follower.start();
    let presented: PresentedToken | undefined;
    try {
      presented = presentedToken(source);
      if (presented === undefined) throw missingToken();
      const principal = await this.#verifiedToken(presented);
      requireRule(principal, rule);
      return principal;
    } catch (error) {
      throw this.#rejection(error, presented?.scheme);
    }
  }

  /** @throws VerificationError */
  requireRule(principal: Principal | undefined, rule: Rule): void {
    try {
      if (principal === undefined) throw missingToken();
      requireRule(principal, rule);
    } catch (error) {
      throw this.#rejection(error, principal?.jkt === undefined ? 'Bearer' : 'DPoP');
    }
  }

  async ready(timeoutMs: number): Promise<void> {
    this.#follower.start();
    await this.#follower.complete(timeoutMs);
  }

  onRevoked(principal: Principal, listener: (reason: EndReason) => void): () => void {
    this.#follower.start();
    return this.#watches.add(principal, listener);
  }

  get state(): FollowerState {
    const now = this.#elapsed();
    return {
      fresh: this.#isFresh(now),
      ageMs: now - this.#list.freshAt,
      entries: this.#list.size,
    };
  }

  metadata(): ResourceMetadata {
    const { audience, issuer, scopes, name } = this.#o;
    return resourceMetadata({ resource: audience, authorizationServers: [issuer], scopes, name });
  }

  get metadataPath(): string | undefined {
    return this.#metadataUrl === undefined ? undefined : new URL(this.#metadataUrl).pathname;
  }

  stop(): void {
    this.#follower.stop();
    this.#watches.clear();
    this.#server.close();
  }

  async #verifiedToken(presented: PresentedToken): Promise<Principal> {
    const { token } = presented;
    const isOpaque = !isJwt(token);
    const principal = isOpaque ? await this.#introspected(token) : await this.#local(token);
    this.#tokens.set(principal, token);
    if (!this.#isForThis(principal) || this.#list.revokes(principal)) throw invalidToken();
    await requireProof(presented, principal.jkt, {
      proofs: this.#proofs,
      publicOrigin: this.#publicOrigin,
      clock: Date.now,
    });
    if (!isOpaque && !this.#isFresh()) {
      const { active } = await this.#server.introspect(token);
      if (active !== true) throw invalidToken();
    }
    return principal;
  }

  #isForThis(principal: Principal): boolean {
    return principal.audience.some((one) => this.#audiences.includes(one));
  }

  #isFresh(now = this.#elapsed()): boolean {
    return this.#list.isFresh(now, this.#maxStalenessMs);
  }

  #isConfirmed(kept: KeptTokens): boolean {
    if (!this.#isFresh()) return false;
    const { exp, iat } = kept.claims;
    if (typeof exp !== 'number' || typeof iat !== 'number') return false;
    if (exp * 1_000 > Date.now()) return true;
    const at = this.#confirmed.get(digestOfKept(kept));
    return at !== undefined && this.#elapsed() - at < (exp - iat) * 1_000;
  }

  /** @throws AccessError, ServerError */
  async #confirm(kept: KeptTokens): Promise<void> {
    const digest = digestOfKept(kept);
    const rejectedAt = this.#rejected.get(digest);
    if (rejectedAt !== undefined && this.#elapsed() - rejectedAt < rejectedMs) throw invalidToken();
    // Without a current list, an answer to an earlier request says nothing about this one.
    if (!this.#isFresh()) return this.#askAbout(kept, digest);
    const asked = this.#confirming.get(digest) ?? this.#askAbout(kept, digest);
    this.#confirming.set(digest, asked);
    try {
      await asked;
    } finally {
      this.#confirming.delete(digest);
    }
  }

  async #askAbout({ claims, refreshToken }: KeptTokens, digest: string): Promise<void> {
    const askedAt = this.#elapsed();
    if (isOfTokens(await this.#server.introspect(refreshToken), claims)) {
      this.#confirmed.set(digest, askedAt);
      return;
    }
    this.#rejected.set(digest, askedAt);
    throw invalidToken();
  }

  async #local(token: string): Promise<Principal> {
    const digest = digestOf(token);
    const known = this.#verified.get(digest);
    if (known && this.#elapsed() - known.at < maxRememberedMs) {
      if (isExpired(known.principal, Date.now())) throw invalidToken();
      return known.principal;
    }
    // A token of another issuer causes no request for keys.
    if (unverifiedIssuer(token) !== this.#o.issuer) throw invalidToken();
    const { token: verified, claims } = await verifySignature(token, {
      issuer: this.#o.issuer,
      now: Date.now(),
      keys: async (refresh) => (await this.#keys.keys(refresh)) ?? noKeys,
    });
    const principal = principalOf(verified, claims);
    this.#verified.set(digest, { principal, at: this.#elapsed() });
    return principal;
  }

  /** Returns the principal of a token that only the issuer can read. */
  async #introspected(token: string): Promise<Principal> {
    const isApiToken = looksLikeApiToken(token);
    // The issuer has no other tokens than JWTs and these, so other texts cause no request.
    if (isApiToken ? !isWellFormedApiToken(token) : !isWellFormedOpaqueToken(token)) throw invalidToken();
    const unknown = isApiToken ? this.#unknownApiTokens : this.#unknownOpaqueTokens;
    const claims = await unknown.limited(token, () => this.#server.introspect(token));
    if (claims.active !== true) throw invalidToken();
    if (claims.iss !== this.#o.issuer) throw invalidToken();
    const verified = tokenOf(claims);
    if (typeof claims.kid === 'string') verified.keyId = claims.kid;
    return principalOf(verified, claims);
  }

  /** @throws ServerError; Error for a principal that this verifier did not create */
  async #isActive(principal: Principal): Promise<boolean> {
    const token = this.#tokens.get(principal);
    if (token === undefined) throw new Error('The token of the principal is unknown.');
    const { active } = await this.#server.introspect(token, { isBackground: true });
    return active === true;
  }

  get #metadataUrl(): string | undefined {
    return originOf(this.#o.audience) === undefined ? undefined : resourceMetadataUrl(this.#o.audience);
  }

  #rejection(error: unknown, scheme: 'Bearer' | 'DPoP' = 'Bearer'): VerificationError {
    if (error instanceof AccessError) {
      const url = this.#metadataUrl;
      return new VerificationError(error.description, {
        status: error.statusCode,
        code: error.error ?? 'unauthorized',
        challenge: error.wwwAuthenticate(this.#o.audience, {
          scheme,
          dpop: true,
          ...(url === undefined ? {} : { resourceMetadata: url }),
        }),
      });
    }
    this.#report(error instanceof Error ? error : new Error(String(error)));
    return new VerificationError('The access token cannot be verified now. Try again later.', {
      status: 503,
      code: 'temporarily_unavailable',
      retryAfter: retryAfterOf(error) ?? retryAfterSeconds,
      cause: error,
    });
  }

  /** A listener that fails must not stop the follower. */
  #report(error: Error): void {
    try {
      this.#o.onProblem?.(error);
    } catch {}
  }
}

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof ServerError || error instanceof TooManyUnknownTokens ? error.retryAfter : undefined;

const isJwt = (token: string): boolean => !looksLikeApiToken(token) && token.split('.').length === 3;

const noKeys = (): never => {
  throw invalidToken();
};

/** Returns an object that requests with the same token share. */
const principalOf = (token: VerifiedToken, claims: Claims): Principal =>
  deepFreeze({
    ...token,
    scopes: unchangeableSet(token.scopes),
    roles: unchangeableSet(token.roles ?? []),
    claims,
  }) as Principal;

/** @throws AccessError insufficient_scope, insufficient_role, insufficient_user_authentication */
function requireRule(principal: Principal, { scopes, roles, acr, maxAge }: Rule): void {
  if (scopes?.some((scope) => !principal.scopes.has(scope))) throw insufficientScope(scopes);
  if (roles?.some((role) => !principal.roles.has(role))) throw insufficientRole();
  if (acr === undefined && maxAge === undefined) return;
  requireAuthentication(principal as VerifiedToken, {
    ...(acr === undefined ? {} : { acrValues: [acr].flat() }),
    ...(maxAge === undefined ? {} : { maxAge }),
  });
}
