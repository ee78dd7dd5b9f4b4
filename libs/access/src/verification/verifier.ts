import { hash } from 'node:crypto';
import {
  ElapsedTime,
  invalidToken,
  isExpired,
  looksLikeApiToken,
  maxRememberedMs,
  tokenOf,
  unverifiedIssuer,
  type VerifiedToken,
  verifySignature,
} from '@ostiary/verifier/core';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { DpopProofs } from '../dpop/dpop.ts';
import { type Possession, requirePossession } from '../dpop/possession.ts';
import type { RevocationList } from '../revocations/revocations.ts';
import type { KeySource } from '../tokens/jwks.ts';
import { type LiveApiToken, LiveApiTokens } from '../tokens/live-api-tokens.ts';
import { issuerOf, type Principal, platformTenant, tenantOfIssuer } from '../tokens/principal.ts';

export interface Expectation {
  /** Required audience (one of several), or a function of the token's tenant and stated audience. */
  audience: string | ((tenant: string, named: readonly string[]) => string | readonly string[]);
  /** Required tenant, default any. */
  tenant?: string;
  /**
   * tenant: users and clients (default). platform: Ostiary's own services. any: both, distinguished by kind.
   */
  issuers?: 'tenant' | 'platform' | 'any';
  /** Evidence of possession of a bound token's key; without it, bound tokens are rejected. */
  possession?: Possession;
}

export interface TokenVerifier {
  /** Whether tokens bound to a key are supported (RFC 9449). */
  readonly dpop?: boolean;
  /**
   * Verifies an access token: signature, type, issuer, lifetime, audience and revocations. Personal access
   * tokens and API keys are accepted as access tokens for the tenant's own API.
   * @throws AccessError invalid_token; ServiceUnavailable if it cannot be verified now
   */
  verify(token: string, expectation: Expectation): Promise<Principal>;
}

export interface VerifierOptions {
  publicOrigin: string;
  keys: KeySource;
  revocations: RevocationList;
  /** Introspects at the authorization server; used while the revocation list is stale. */
  introspect: (tenant: string, token: string) => Promise<boolean>;
  /** Looks up a personal access token or API key at the authorization server; without it none is accepted. */
  apiToken?: (token: string) => Promise<LiveApiToken | undefined>;
  /** Verifies proofs of possession; without it no bound token is accepted. */
  proofs?: DpopProofs;
  /** Maximum age of the revocation list in milliseconds. */
  maxStalenessMs: number;
  /** Wall clock in milliseconds. */
  clock: () => number;
  /** Clock of `RevocationList.touch`; monotonic, so that a corrected wall clock cannot make a list fresh. */
  monotonic?: () => number;
}

/**
 * Verifies RFC 9068 access tokens locally. The signature of a token is verified once and cached by digest;
 * lifetime and revocations are checked each time.
 */
export class LocalTokenVerifier implements TokenVerifier {
  readonly dpop: boolean;
  readonly #options: VerifierOptions;
  readonly #monotonic: () => number;
  readonly #verified = new LRUCache<string, Principal>({
    // Sized with weight one each, because `max` would allocate the capacity now.
    maxSize: 20_000,
    sizeCalculation: () => 1,
    ttl: maxRememberedMs,
    // Reading the clock costs less than the timer that would avoid it.
    ttlResolution: 0,
  });
  readonly #apiTokens: LiveApiTokens;

  constructor(options: VerifierOptions) {
    this.#options = options;
    this.dpop = options.proofs !== undefined;
    const time = new ElapsedTime();
    this.#monotonic = options.monotonic ?? (() => time.now());
    this.#apiTokens = new LiveApiTokens({
      publicOrigin: options.publicOrigin,
      ask: options.apiToken ?? (async () => undefined),
      clock: options.clock,
      monotonic: this.#monotonic,
    });
  }

  async verify(token: string, expectation: Expectation): Promise<Principal> {
    const { revocations, proofs, publicOrigin, introspect } = this.#options;
    const opaque = looksLikeApiToken(token);
    const principal = opaque
      ? await this.#apiTokens.find(token, (remembered) => this.#isTrusted(remembered))
      : await this.#check(token);
    requireExpected(principal, expectation);
    if (revocations.revoked(principal)) throw invalidToken();
    await requirePossession(token, principal.jkt, expectation.possession, { proofs, publicOrigin });
    // The feed is read with service tokens, so they cannot depend on it; they live for minutes.
    if (principal.kind === 'service' && expectation.issuers === 'platform') return principal;
    if (!opaque && this.#isStale()) {
      if (!(await introspect(principal.tenant, token))) throw invalidToken();
    }
    return principal;
  }

  #isStale(): boolean {
    return !this.#options.revocations.isFresh(this.#monotonic(), this.#options.maxStalenessMs);
  }

  #isTrusted(remembered: Principal): boolean {
    return !this.#isStale() && !this.#options.revocations.revoked(remembered);
  }

  async #check(token: string): Promise<Principal> {
    const digest = hash('sha256', token, 'base64');
    const known = this.#verified.get(digest);
    if (known) {
      if (isExpired(known, this.#options.clock())) throw invalidToken();
      return known;
    }
    const principal = await checkSignature(token, this.#options);
    this.#verified.set(digest, principal);
    return principal;
  }
}

/** @throws AccessError invalid_token unless issuer, tenant and audience are as expected */
function requireExpected(
  principal: Principal,
  { issuers = 'tenant', tenant, audience: expected }: Expectation,
): void {
  if (issuers !== 'any' && (principal.kind === 'service') !== (issuers === 'platform')) throw invalidToken();
  if (tenant !== undefined && principal.tenant !== tenant) throw invalidToken();
  const audience = typeof expected === 'string' ? expected : expected(principal.tenant, principal.audience);
  if (![audience].flat().some((accepted) => principal.audience.includes(accepted))) throw invalidToken();
}

async function checkSignature(token: string, options: VerifierOptions): Promise<Principal> {
  const tenant = tenantOfIssuer(options.publicOrigin, unverifiedIssuer(token));
  if (tenant === undefined) throw invalidToken();
  const { token: verified } = await verifySignature(token, {
    issuer: issuerOf(options.publicOrigin, tenant),
    now: options.clock(),
    keys: (refresh) => options.keys.keys(tenant, refresh),
  });
  return ofTenant(verified, tenant);
}

/**
 * Returns the principal of a tenant's verified access token, with the values that revocations match.
 * @throws AccessError invalid_token if a claim of RFC 9068 §2.2 is missing
 */
export const principalOf = (claims: JWTPayload, tenant: string): Principal =>
  ofTenant(tokenOf(claims), tenant);

const ofTenant = (token: VerifiedToken, tenant: string): Principal => ({
  ...token,
  tenant,
  kind: tenant === platformTenant ? 'service' : token.kind,
});
