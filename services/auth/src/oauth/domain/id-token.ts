import { issuerOf } from '@ostiary/access';
import type { IdTokenHint, IdTokens } from '../../access/index.ts';
import type { Client, SubjectIdentifier } from '../../clients/index.ts';
import type { SessionIdentifiers } from '../../identity/index.ts';
import type { SigningKeyRing } from '../../tenancy/index.ts';
import { signJwt, tokenHash, verifyJwt } from '../../tenancy/index.ts';
import type { GrantContext } from './access-token.ts';

const type = 'JWT';

/** Issues ID tokens (OpenID Connect Core §2, §3.1.3.6) and reads them as hints. */
export class IdTokenIssuer implements IdTokens {
  readonly #keys: SigningKeyRing;
  readonly #publicOrigin: string;
  readonly #lifetime: number;
  readonly #clock: () => number;
  readonly #subjectIdentifier: SubjectIdentifier;
  readonly #sessionIdentifiers: SessionIdentifiers;

  constructor(o: {
    keys: SigningKeyRing;
    publicOrigin: string;
    subjectIdentifier: SubjectIdentifier;
    sessionIdentifiers: SessionIdentifiers;
    /** Seconds. */
    lifetime: number;
    /** Milliseconds. */
    clock: () => number;
  }) {
    this.#keys = o.keys;
    this.#publicOrigin = o.publicOrigin;
    this.#lifetime = o.lifetime;
    this.#clock = o.clock;
    this.#subjectIdentifier = o.subjectIdentifier;
    this.#sessionIdentifiers = o.sessionIdentifiers;
  }

  /**
   * Issues an ID token. It contains the authentication and, from `person`, the claims that the client requested here;
   * other claims about the user are at userinfo.
   */
  async issue(
    tenant: string,
    o: {
      client: Client;
      grant: GrantContext;
      accessToken: string;
      nonce?: string | undefined;
      person?: Readonly<Record<string, unknown>>;
    },
  ): Promise<string> {
    const { client, grant } = o;
    const alg = client.idTokenSignedResponseAlg;
    const iat = Math.floor(this.#clock() / 1000);
    const claims = {
      ...o.person,
      iss: issuerOf(this.#publicOrigin, tenant),
      sub: this.#subjectIdentifier(client, grant.subjectId),
      aud: client.clientId,
      azp: client.clientId,
      exp: iat + this.#lifetime,
      iat,
      ...(grant.authTime === null ? {} : { auth_time: grant.authTime }),
      ...(o.nonce === undefined ? {} : { nonce: o.nonce }),
      ...(grant.acr === null ? {} : { acr: grant.acr }),
      ...(grant.amr.length === 0 ? {} : { amr: [...grant.amr] }),
      at_hash: tokenHash(alg, o.accessToken),
      ...(grant.sessionId === null ? {} : { sid: this.#sessionIdentifiers.tell(client, grant.sessionId) }),
    };
    return signJwt(type, claims, await this.#keys.signer(tenant, alg));
  }

  async readHint(tenant: string, idToken: string): Promise<IdTokenHint | null> {
    const payload = await verifyJwt(idToken, type, (kid) => this.#keys.verifier(tenant, kid));
    if (!payload || payload.iss !== issuerOf(this.#publicOrigin, tenant)) return null;
    const { sub, aud, sid, exp } = payload;
    if (typeof sub !== 'string' || typeof aud !== 'string' || typeof exp !== 'number') return null;
    const sessionId = typeof sid === 'string' ? this.#sessionIdentifiers.read(tenant, aud, sid) : undefined;
    // An unreadable session identifier belongs to another session than the browser's.
    if (typeof sid === 'string' && sessionId === undefined) return null;
    return {
      subject: sub,
      clientId: aud,
      expiresAt: exp,
      ...(sessionId === undefined ? {} : { sessionId }),
    };
  }
}
