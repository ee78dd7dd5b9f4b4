import { sign } from 'node:crypto';
import type { Principal } from '@ostiary/verifier';
import type { SigningKey } from './signing-key.ts';

/** Maximum lifetime of an assertion in seconds: it is for one request. */
const lifetimeSeconds = 60;
/** `iss` of assertions. Each guard has its own keys. */
const issuer = 'ostiary-guard';

/** Signs assertions: statements of the guard about the caller of one request, for one host. */
export class Assertions {
  readonly #key: SigningKey;
  readonly #header: string;
  /** Public keys of all valid assertions (RFC 7517 §5). */
  readonly keySet: { readonly keys: readonly SigningKey['jwk'][] };

  /** @param second published, but not used to sign */
  constructor(key: SigningKey, second?: SigningKey) {
    this.#key = key;
    // An explicit type, so that no token of another kind is mistaken for an assertion (RFC 8725 §3.11).
    this.#header = encoded({ alg: 'ES256', typ: 'guard+jwt', kid: key.kid });
    this.keySet = { keys: second === undefined ? [key.jwk] : [key.jwk, second.jwk] };
  }

  /**
   * Returns the assertion (a JWT) for a request.
   * @param host audience
   * @param now milliseconds since the epoch
   */
  assert(principal: Principal, host: string, now: number): string {
    const issuedAt = Math.floor(now / 1_000);
    const { kind, subject, clientId, scopes, roles, claims, expiresAt } = principal;
    const signed = `${this.#header}.${encoded({
      iss: issuer,
      aud: host,
      sub: subject,
      kind,
      client_id: clientId,
      scope: [...scopes].join(' '),
      ...(roles.size > 0 && { roles: [...roles] }),
      acr: claims.acr,
      auth_time: claims.auth_time,
      sid: claims.sid,
      act: claims.act,
      iat: issuedAt,
      exp: Math.min(issuedAt + lifetimeSeconds, expiresAt),
    })}`;
    const signature = sign('sha256', Buffer.from(signed), {
      key: this.#key.privateKey,
      // RFC 7518 §3.4
      dsaEncoding: 'ieee-p1363',
    });
    return `${signed}.${signature.toString('base64url')}`;
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
