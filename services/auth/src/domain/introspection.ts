import type { AccessTokenClaims, AccessTokens } from './access-token.ts';
import type { Client } from './ports.ts';
import type { RefreshTokenCodec, RefreshTokenParts } from './refresh-token.ts';

/** Answers from the database whether tokens are alive. */
export interface LivenessStore {
  accessToken(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<{ live: boolean; userName?: string }>;
  refreshToken(
    tenant: string,
    token: RefreshTokenParts,
  ): Promise<{
    clientId: string;
    subjectId: string;
    userName: string;
    scopes: string[];
    /** Unix seconds. */
    issuedAt: number;
    expiresAt: number;
  } | null>;
}

/** RFC 7662 §2.2. An inactive token gets no more than that said about it. */
export type IntrospectionResponse = { active: false } | ({ active: true } & Record<string, unknown>);

export interface LiveAccessToken {
  claims: AccessTokenClaims;
  userName?: string;
}

const inactive: IntrospectionResponse = { active: false };

/** Says whether a token of a tenant is good at this moment. */
export class Introspection {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokenCodec;
  readonly #liveness: LivenessStore;
  readonly #issuer: (tenant: string) => string;
  readonly #platformTenant: string;

  constructor(o: {
    accessTokens: AccessTokens;
    refreshTokens: RefreshTokenCodec;
    liveness: LivenessStore;
    issuer: (tenant: string) => string;
    /** Its clients aren't in the database. */
    platformTenant: string;
  }) {
    this.#accessTokens = o.accessTokens;
    this.#refreshTokens = o.refreshTokens;
    this.#liveness = o.liveness;
    this.#issuer = o.issuer;
    this.#platformTenant = o.platformTenant;
  }

  /** An access token of this tenant that is valid and not revoked, by signature and by database. */
  async liveAccessToken(tenant: string, token: string): Promise<LiveAccessToken | null> {
    const claims = await this.#accessTokens.read(tenant, token);
    if (!claims) return null;
    const status = await this.#liveness.accessToken(tenant, claims, {
      registeredClient: tenant !== this.#platformTenant,
    });
    if (!status.live) return null;
    return status.userName === undefined ? { claims } : { claims, userName: status.userName };
  }

  /** What an authenticated client may know about a token; a refresh token is only its own client's business. */
  async introspect(tenant: string, token: string, caller: Client): Promise<IntrospectionResponse> {
    const refreshToken = this.#refreshTokens.parse(tenant, token);
    if (refreshToken) return this.#refresh(tenant, refreshToken, caller);
    const live = await this.liveAccessToken(tenant, token);
    if (!live) return inactive;
    const { claims } = live;
    return {
      active: true,
      token_type: 'Bearer',
      iss: claims.iss,
      sub: claims.sub,
      aud: claims.aud,
      exp: claims.exp,
      iat: claims.iat,
      jti: claims.jti,
      client_id: claims.client_id,
      ...(claims.scope === undefined ? {} : { scope: claims.scope }),
      ...(live.userName === undefined ? {} : { username: live.userName }),
      ...(claims.sid === undefined ? {} : { sid: claims.sid }),
      ...(claims.auth_time === undefined ? {} : { auth_time: claims.auth_time }),
      ...(claims.acr === undefined ? {} : { acr: claims.acr }),
      ...(claims.amr === undefined ? {} : { amr: claims.amr }),
    };
  }

  async #refresh(tenant: string, token: RefreshTokenParts, caller: Client): Promise<IntrospectionResponse> {
    const live = await this.#liveness.refreshToken(tenant, token);
    if (!live || live.clientId !== caller.clientId) return inactive;
    return {
      active: true,
      iss: this.#issuer(tenant),
      sub: live.subjectId,
      exp: live.expiresAt,
      iat: live.issuedAt,
      client_id: live.clientId,
      scope: live.scopes.join(' '),
      username: live.userName,
    };
  }
}
