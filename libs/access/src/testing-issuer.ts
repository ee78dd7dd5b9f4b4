import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createLocalJWKSet, type JWK } from 'jose';
import type { DpopProofs } from './dpop/dpop.ts';
import { RevocationList } from './revocations/revocations.ts';
import { issuerOf, platformTenant, serviceAudience } from './tokens/principal.ts';
import { LocalTokenVerifier, type TokenVerifier } from './verification/verifier.ts';

/** Origin of the issuers in tests. */
export const publicOrigin = 'https://id.test';

/** Claims of a test token. */
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

export interface IssuerOptions {
  proofs?: DpopProofs;
  /** Origin of the issuer, default the origin of tests. */
  origin?: string;
}

const header = { alg: 'ES256', kid: 'k1', typ: 'at+jwt' };

/** An issuer with its own key, and a real verifier that trusts it. */
export class Issuer {
  readonly verifier: TokenVerifier;
  readonly revocations = new RevocationList();
  /** Its public keys, as in a JWKS. */
  readonly jwks: { keys: JWK[] };
  readonly #origin: string;
  readonly #privateKey: KeyObject;

  constructor({ proofs, origin = publicOrigin }: IssuerOptions = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#origin = origin;
    this.#privateKey = privateKey;
    const jwk = publicKey.export({ format: 'jwk' }) as JWK;
    this.jwks = { keys: [{ ...jwk, kid: header.kid, alg: header.alg, use: 'sig' }] };
    const keys = createLocalJWKSet(this.jwks);
    this.revocations.touch(0);
    this.verifier = new LocalTokenVerifier({
      publicOrigin: origin,
      keys: { keys: async () => keys },
      revocations: this.revocations,
      introspect: async () => true,
      ...(proofs ? { proofs } : {}),
      maxStalenessMs: 1_000,
      clock: Date.now,
      monotonic: () => 0,
    });
  }

  token({
    subject = 'c1',
    client = subject,
    expiresIn = 600,
    jkt,
    actor,
    authTime,
    acr,
    ...o
  }: TokenClaims): string {
    const iss = issuerOf(this.#origin, o.tenant ?? 'demo');
    const iat = Math.floor(Date.now() / 1000);
    return this.#signed({
      iss,
      sub: subject,
      aud: o.audience ?? iss,
      client_id: client,
      scope: (o.scopes ?? []).join(' '),
      jti: o.jti ?? randomUUID(),
      iat,
      exp: iat + expiresIn,
      ...(jkt ? { cnf: { jkt } } : {}),
      ...(actor === undefined ? {} : { act: { sub: actor, client_id: actor } }),
      ...(authTime === undefined ? {} : { auth_time: authTime }),
      ...(acr === undefined ? {} : { acr }),
    });
  }

  /** Returns a token that one service of the platform presents to another. */
  serviceToken(client: string, service: string): string {
    return this.token({ tenant: platformTenant, subject: client, audience: serviceAudience(service) });
  }

  /**
   * Compact serialization without jose, which signs asynchronously; tests need a token within an expression.
   */
  #signed(claims: object): string {
    const input = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }
}
