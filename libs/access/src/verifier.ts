import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { invalidToken } from './errors.ts';
import type { KeySource } from './jwks.ts';
import { issuerOf, type Principal, platformTenant, tenantOfIssuer } from './principal.ts';
import type { RevocationList } from './revocations.ts';

export interface Expectation {
  /** The audience the token must name, or how it follows from the token's tenant. */
  audience: string | ((tenant: string) => string);
  /** The tenant the token must be of; any when absent. */
  tenant?: string;
  /** tenant: people and clients (the default). platform: Ostiary's own services. */
  issuers?: 'tenant' | 'platform';
}

export interface TokenVerifier {
  /**
   * Verifies an access token: signature, type, issuer, lifetime, audience, and that nothing has revoked it.
   * @throws AccessError invalid_token; ServiceUnavailable when that can't be decided now
   */
  verify(token: string, expectation: Expectation): Promise<Principal>;
}

export interface VerifierOptions {
  publicOrigin: string;
  keys: KeySource;
  revocations: RevocationList;
  /** Asks the authorization server itself; used while the revocation list is stale. */
  introspect: (tenant: string, token: string) => Promise<boolean>;
  /** How many milliseconds old the revocation list may be. */
  maxStalenessMs: number;
  /** Wall clock, milliseconds. */
  clock: () => number;
  /** The clock that `RevocationList.touch` is fed with; monotonic, so that a corrected wall clock can't freshen a list. */
  monotonic?: () => number;
}

const algorithms = ['ES256', 'RS256', 'EdDSA', 'Ed25519'];
const clockTolerance = 5;

/**
 * Verifies RFC 9068 access tokens locally. The signature of a token is checked once and remembered by digest;
 * lifetime and revocation are checked each time.
 */
export function createTokenVerifier(options: VerifierOptions): TokenVerifier {
  const verified = new LRUCache<string, Principal>({ max: 20_000 });
  const monotonic = options.monotonic ?? (() => performance.now());

  const check = async (token: string): Promise<Principal> => {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = verified.get(digest);
    if (known) {
      if (known.expiresAt + clockTolerance <= options.clock() / 1000) throw invalidToken();
      return known;
    }
    const principal = await checkSignature(token, options);
    verified.set(digest, principal);
    return principal;
  };

  return {
    async verify(token, expectation) {
      const principal = await check(token);
      if ((principal.kind === 'service') !== (expectation.issuers === 'platform')) throw invalidToken();
      if (expectation.tenant !== undefined && principal.tenant !== expectation.tenant) throw invalidToken();
      const audience =
        typeof expectation.audience === 'string'
          ? expectation.audience
          : expectation.audience(principal.tenant);
      if (!principal.audience.includes(audience)) throw invalidToken();
      if (options.revocations.revoked(principal)) throw invalidToken();
      // Service tokens are what the feed itself is read with, so they can't depend on it; they live for minutes.
      if (principal.kind === 'service') return principal;
      if (monotonic() - options.revocations.freshAt > options.maxStalenessMs) {
        if (!(await options.introspect(principal.tenant, token))) throw invalidToken();
      }
      return principal;
    },
  };
}

async function checkSignature(token: string, options: VerifierOptions): Promise<Principal> {
  const tenant = tenantOfIssuer(options.publicOrigin, unverifiedIssuer(token));
  if (tenant === undefined) throw invalidToken();
  for (const refresh of [false, true]) {
    const keys = await options.keys.keys(tenant, refresh);
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms,
        typ: 'at+jwt',
        issuer: issuerOf(options.publicOrigin, tenant),
        clockTolerance,
        currentDate: new Date(options.clock()),
        requiredClaims: ['exp', 'iat', 'sub', 'aud', 'jti', 'client_id'],
      });
      return principalOf(payload, tenant);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && !refresh) continue;
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidToken();
      throw error;
    }
  }
  throw invalidToken();
}

function unverifiedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw invalidToken();
  }
}

function principalOf(claims: JWTPayload, tenant: string): Principal {
  const { sub, jti, exp, client_id: clientId, scope } = claims;
  if (
    typeof sub !== 'string' ||
    typeof jti !== 'string' ||
    typeof clientId !== 'string' ||
    exp === undefined
  ) {
    throw invalidToken();
  }
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  const principal: Principal = {
    tenant,
    kind: tenant === platformTenant ? 'service' : sub === clientId ? 'client' : 'user',
    subject: sub,
    clientId,
    scopes: new Set(typeof scope === 'string' && scope !== '' ? scope.split(' ') : []),
    issuer: String(claims.iss),
    audience: audience.filter((entry): entry is string => typeof entry === 'string'),
    jti,
    expiresAt: exp,
  };
  if (typeof claims.sid === 'string') principal.sessionId = claims.sid;
  if (typeof claims.grant_id === 'string') principal.grantId = claims.grant_id;
  if (typeof claims.auth_time === 'number') principal.authTime = claims.auth_time;
  if (typeof claims.sub_epoch === 'number') principal.subjectEpoch = claims.sub_epoch;
  if (typeof claims.client_epoch === 'number') principal.clientEpoch = claims.client_epoch;
  return principal;
}
