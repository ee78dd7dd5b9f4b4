import { createHash, randomUUID, type webcrypto } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface ProofChanges {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
}

/** A client with its own key that creates valid and invalid proofs of possession (RFC 9449). */
export class Prover {
  readonly alg: string;
  readonly jkt: string;
  readonly jwk: JWK;
  readonly #privateKey: webcrypto.CryptoKey;
  /** Latest nonce of a server. */
  nonce: string | undefined;

  private constructor(alg: string, jkt: string, jwk: JWK, privateKey: webcrypto.CryptoKey) {
    this.alg = alg;
    this.jkt = jkt;
    this.jwk = jwk;
    this.#privateKey = privateKey;
  }

  static async create(alg = 'ES256'): Promise<Prover> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new Prover(alg, await calculateJwkThumbprint(jwk), jwk, privateKey);
  }

  /** Returns the private JWK, for proofs that disclose it. */
  exportPrivate(): Promise<JWK> {
    return exportJWK(this.#privateKey);
  }

  /** Returns a proof for one request; `changes` invalidate it. Undefined claims are omitted. */
  async proof(method: string, url: string, token?: string, changes: ProofChanges = {}): Promise<string> {
    const address = new URL(url);
    const claims: Record<string, unknown> = {
      jti: randomUUID(),
      htm: method,
      htu: address.origin + address.pathname,
      iat: Math.floor(Date.now() / 1000),
      ...(this.nonce === undefined ? {} : { nonce: this.nonce }),
      ...(token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }),
      ...changes.claims,
    };
    return new SignJWT(claims)
      .setProtectedHeader({ typ: 'dpop+jwt', alg: this.alg, jwk: this.jwk, ...changes.header })
      .sign(this.#privateKey);
  }

  /** Returns headers that present a bound token with a proof. */
  async headers(
    method: string,
    url: string,
    token: string,
    changes?: ProofChanges,
  ): Promise<{ authorization: string; dpop: string }> {
    return { authorization: `DPoP ${token}`, dpop: await this.proof(method, url, token, changes) };
  }

  /** Calls `fetch` with a proof, and again with the server's nonce if one is required, as clients do. */
  async fetch(url: string, init: RequestInit = {}, token?: string): Promise<Response> {
    const send = async (): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('dpop', await this.proof(init.method ?? 'GET', url, token));
      if (token !== undefined) headers.set('authorization', `DPoP ${token}`);
      const response = await fetch(url, { ...init, headers });
      this.nonce = response.headers.get('dpop-nonce') ?? this.nonce;
      return response;
    };
    const before = this.nonce;
    const first = await send();
    const refused = first.status === 400 || first.status === 401;
    return refused && this.nonce !== before ? send() : first;
  }
}
