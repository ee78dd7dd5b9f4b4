import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { DpopProofs } from './dpop.ts';
import { RevocationList } from './revocations.ts';
import { createTokenVerifier, type TokenVerifier } from './verifier.ts';

/** Where the issuers of tests are. */
export const publicOrigin = 'https://id.test';

/** What a token of a test says. */
export interface TokenClaims {
  tenant?: string;
  subject?: string;
  /** Equal to the subject when a client acts for itself. */
  client?: string;
  scopes?: string[];
  /** Seconds from now. */
  expiresIn?: number;
  audience?: string;
  /** Thumbprint of the key it is bound to. */
  jkt?: string;
  jti?: string;
}

export interface Issuer {
  verifier: TokenVerifier;
  revocations: RevocationList;
  token(claims: TokenClaims): Promise<string>;
}

/** An issuer with a key of its own, and the real verifier that trusts it. */
export async function createIssuer({ proofs }: { proofs?: DpopProofs } = {}): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }] });
  const revocations = new RevocationList();
  revocations.touch(0);
  const verifier = createTokenVerifier({
    publicOrigin,
    keys: { keys: async () => keys },
    revocations,
    introspect: async () => true,
    ...(proofs ? { proofs } : {}),
    maxStalenessMs: 1_000,
    clock: Date.now,
    monotonic: () => 0,
  });
  let count = 0;
  return {
    verifier,
    revocations,
    token({
      tenant = 'demo',
      subject = 'c1',
      client = subject,
      scopes = [],
      expiresIn = 300,
      audience,
      jti,
      jkt,
    }) {
      const issuer = `${publicOrigin}/t/${tenant}`;
      count += 1;
      return new SignJWT({ client_id: client, scope: scopes.join(' '), ...(jkt ? { cnf: { jkt } } : {}) })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(audience ?? issuer)
        .setJti(jti ?? `jti-${count}`)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
        .sign(privateKey);
    },
  };
}
