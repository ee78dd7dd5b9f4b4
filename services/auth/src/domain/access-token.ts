import { issuerOf, isTenantId } from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import { type Signer, type SigningAlgorithm, signJwt, type Verifier, verifyJwt } from './jwt.ts';
import type { Client } from './ports.ts';

/** Where signing and verification keys come from. */
export interface KeyRing {
  signer(tenant: string, alg: SigningAlgorithm): Promise<Signer>;
  verifier(tenant: string, kid: string): Promise<Verifier | undefined>;
}

const type = 'at+jwt';

/** What a person's access token says about their grant. */
export interface GrantContext {
  subjectId: string;
  subjectEpoch: number;
  grantId: string;
  sessionId: string | null;
  /** Unix seconds. */
  authTime: number | null;
  amr: readonly string[];
  acr: string | null;
  /** Unix seconds; the token doesn't outlive the grant. */
  expiresAt: number;
}

export interface AccessTokenRequest {
  client: Client;
  scopes: readonly string[];
  /** Resource indicators; none = the tenant's own API. */
  resources: readonly string[];
  /** Absent: the client acts for itself. */
  grant?: GrantContext;
}

/** Claims of an access token of ours (RFC 9068 §2.2), as read back. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  exp: number;
  iat: number;
  jti: string;
  client_id: string;
  client_epoch: number;
  scope?: string;
  sub_epoch?: number;
  grant_id?: string;
  sid?: string;
  auth_time?: number;
  amr?: string[];
  acr?: string;
}

/** Issues and reads RFC 9068 access tokens: ES256, one tenant's keys, one tenant's issuer. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #publicOrigin: string;
  readonly #lifetime: number;
  readonly #clock: () => number;

  constructor(o: {
    keys: KeyRing;
    publicOrigin: string;
    /** Seconds. */
    lifetime: number;
    /** Milliseconds. */
    clock: () => number;
  }) {
    this.#keys = o.keys;
    this.#publicOrigin = o.publicOrigin;
    this.#lifetime = o.lifetime;
    this.#clock = o.clock;
  }

  /** The token and its lifetime in seconds. */
  async issue(tenant: string, request: AccessTokenRequest): Promise<{ token: string; expiresIn: number }> {
    const { client, resources, grant } = request;
    const iss = issuerOf(this.#publicOrigin, tenant);
    const iat = Math.floor(this.#clock() / 1000);
    const exp = Math.min(iat + this.#lifetime, grant?.expiresAt ?? Number.POSITIVE_INFINITY);
    const claims: AccessTokenClaims = {
      iss,
      sub: grant?.subjectId ?? client.clientId,
      aud: resources.length === 0 ? iss : resources.length === 1 ? (resources[0] as string) : [...resources],
      exp,
      iat,
      jti: uuidv7(),
      client_id: client.clientId,
      client_epoch: client.epoch,
      ...(request.scopes.length === 0 ? {} : { scope: request.scopes.join(' ') }),
      ...(grant ? grantClaims(grant) : {}),
    };
    const signer = await this.#keys.signer(tenant, 'ES256');
    return { token: signJwt(type, claims, signer), expiresIn: exp - iat };
  }

  /**
   * The claims of an unexpired access token this server issued for this tenant; undefined for anything else.
   * Whether it was revoked is another question.
   */
  async read(tenant: string, token: string): Promise<AccessTokenClaims | undefined> {
    if (!isTenantId(tenant)) return undefined;
    const payload = await verifyJwt(token, type, (kid) => this.#keys.verifier(tenant, kid));
    if (payload === undefined || payload.iss !== issuerOf(this.#publicOrigin, tenant)) return undefined;
    const claims = payload as unknown as AccessTokenClaims;
    return claims.exp > this.#clock() / 1000 ? claims : undefined;
  }
}

function grantClaims(grant: GrantContext): Partial<AccessTokenClaims> {
  return {
    sub_epoch: grant.subjectEpoch,
    grant_id: grant.grantId,
    ...(grant.sessionId === null ? {} : { sid: grant.sessionId }),
    ...(grant.authTime === null ? {} : { auth_time: grant.authTime }),
    ...(grant.amr.length === 0 ? {} : { amr: [...grant.amr] }),
    ...(grant.acr === null ? {} : { acr: grant.acr }),
  };
}
