import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createLocalJWKSet, type JWK } from 'jose';
import type { DpopProofs } from './dpop/dpop.ts';
import { RevocationList } from './revocations/revocations.ts';
import { issuerOf, platformTenant, serviceAudience } from './tokens/principal.ts';
import { createTokenVerifier, type TokenVerifier } from './verification/verifier.ts';

/** Where the issuers of tests are. */
export const publicOrigin = 'https://id.test';

/** What a token of a test says. */
export interface TokenClaims {
  tenant?: string;
  subject?: string;
  /** Equal to the subject when a client acts for itself. */
  client?: string;
  scopes?: readonly string[];
  /** Seconds from now. */
  expiresIn?: number;
  audience?: string;
  /** Thumbprint of the key it is bound to. */
  jkt?: string;
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** Class of the sign-in. */
  acr?: string;
  jti?: string;
  /** The client that acts for the subject (RFC 8693 section 4.1). */
  actor?: string;
}

export interface Issuer {
  verifier: TokenVerifier;
  revocations: RevocationList;
  /** Its public keys, as an authorization server shows them. */
  jwks: { keys: JWK[] };
  token(claims: TokenClaims): string;
  /** A token as one service of the platform presents it to another. */
  serviceToken(client: string, service: string): string;
}

export interface IssuerOptions {
  proofs?: DpopProofs;
  /** Where the issuer is, unless it is where the issuers of tests are. */
  origin?: string;
}

const header = { alg: 'ES256', kid: 'k1', typ: 'at+jwt' };

/** An issuer with a key of its own, and the real verifier that trusts it. */
export function createIssuer({ proofs, origin = publicOrigin }: IssuerOptions = {}): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const jwks = { keys: [{ ...jwk, kid: header.kid, alg: header.alg, use: 'sig' }] };
  const keys = createLocalJWKSet(jwks);
  const revocations = new RevocationList();
  revocations.touch(0);
  const verifier = createTokenVerifier({
    publicOrigin: origin,
    keys: { keys: async () => keys },
    revocations,
    introspect: async () => true,
    ...(proofs ? { proofs } : {}),
    maxStalenessMs: 1_000,
    clock: Date.now,
    monotonic: () => 0,
  });

  /** Compact serialization by hand: jose signs asynchronously, and tests want a token in the middle of an expression. */
  function signed(claims: object): string {
    const input = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  }

  const token = ({
    tenant = 'demo',
    subject = 'c1',
    client = subject,
    scopes = [],
    expiresIn = 600,
    audience,
    jti = randomUUID(),
    jkt,
    actor,
    authTime,
    acr,
  }: TokenClaims): string => {
    const iss = issuerOf(origin, tenant);
    const iat = Math.floor(Date.now() / 1000);
    return signed({
      iss,
      sub: subject,
      aud: audience ?? iss,
      client_id: client,
      scope: scopes.join(' '),
      jti,
      iat,
      exp: iat + expiresIn,
      ...(jkt ? { cnf: { jkt } } : {}),
      ...(actor === undefined ? {} : { act: { sub: actor, client_id: actor } }),
      ...(authTime === undefined ? {} : { auth_time: authTime }),
      ...(acr === undefined ? {} : { acr }),
    });
  };

  return {
    verifier,
    revocations,
    jwks,
    token,
    serviceToken: (client, service) =>
      token({ tenant: platformTenant, subject: client, audience: serviceAudience(service) }),
  };
}
