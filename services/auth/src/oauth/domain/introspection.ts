import { isOpaqueToken, looksLikeApiToken } from '@ostiary/access';
import type { AccessTokenClaims, RefreshTokenCodec, RefreshTokenParts } from '../../access/index.ts';
import { type ApiTokenReader, apiTokenClaims } from '../../access/index.ts';
import { type Client, isResourceServerFor, type SubjectIdentifier } from '../../clients/index.ts';
import { type ClaimMapper, RequiredClaimMissing } from '../claims/domain/claim-mapper.ts';
import type { AccessTokens, SignedClaims } from './access-token.ts';
import type { FeedLiveness } from './feed-liveness.ts';
import type { LivenessStore, TokenLiveness, TokenOrigin } from './liveness.ts';

/** RFC 7662 §2.2. The response about an inactive token has no other member. */
export type IntrospectionResponse = { active: false } | ({ active: true } & Record<string, unknown>);

export interface LiveAccessToken extends Omit<TokenLiveness, 'live'> {
  claims: AccessTokenClaims;
  /** Id of the signing key. Absent if the token is not signed. */
  keyId?: string;
  userName?: string;
}

const inactive: IntrospectionResponse = { active: false };

/** Reports whether a token of a tenant is active. */
export class Introspection {
  readonly #accessTokens: AccessTokens;
  readonly #refreshTokens: RefreshTokenCodec;
  readonly #store: LivenessStore;
  readonly #followed: FeedLiveness;
  readonly #apiTokens: ApiTokenReader;
  readonly #issuer: (tenant: string) => string;
  readonly #subjectIdentifier: SubjectIdentifier;
  readonly #platformTenant: string;
  readonly #claimMapper: ClaimMapper;

  constructor(o: {
    accessTokens: AccessTokens;
    refreshTokens: RefreshTokenCodec;
    store: LivenessStore;
    followed: FeedLiveness;
    apiTokens: ApiTokenReader;
    issuer: (tenant: string) => string;
    subjectIdentifier: SubjectIdentifier;
    /** Tenant whose clients are not in the database. */
    platformTenant: string;
    claimMapper: ClaimMapper;
  }) {
    this.#accessTokens = o.accessTokens;
    this.#refreshTokens = o.refreshTokens;
    this.#store = o.store;
    this.#followed = o.followed;
    this.#apiTokens = o.apiTokens;
    this.#issuer = o.issuer;
    this.#subjectIdentifier = o.subjectIdentifier;
    this.#platformTenant = o.platformTenant;
    this.#claimMapper = o.claimMapper;
  }

  /**
   * Returns an access token of this tenant that is valid and not revoked, by signature and database; or a personal
   * access token or API key, with the claims of an access token of its owner.
   */
  liveAccessToken(tenant: string, token: string): Promise<LiveAccessToken | null> {
    return this.#live(tenant, token, ({ claims }, o) => this.#store.accessToken(tenant, claims, o));
  }

  /** Does the same with a status that is at most as old as the revocation feed permits, as in verifiers. */
  followedAccessToken(tenant: string, token: string): Promise<LiveAccessToken | null> {
    return this.#live(tenant, token, (signed, o) => this.#followed.accessToken(tenant, signed, o));
  }

  /**
   * Runs further work for the answer about a token of `followedAccessToken`.
   * @returns undefined as soon as the token is revoked in the meantime
   */
  async answering<T>(
    tenant: string,
    { claims, keyId, holder }: LiveAccessToken,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    return keyId === undefined ? work() : this.#followed.answering(tenant, { claims, keyId }, holder, work);
  }

  async #live(
    tenant: string,
    token: string,
    statusOf: (signed: SignedClaims, o: TokenOrigin) => Promise<TokenLiveness>,
  ): Promise<LiveAccessToken | null> {
    if (looksLikeApiToken(token)) return this.#apiToken(tenant, token);
    const signed = await this.#accessTokens.read(tenant, token);
    if (!signed) return null;
    const status = await statusOf(signed, { registeredClient: tenant !== this.#platformTenant });
    const { live, ...known } = status;
    if (!live) return null;
    const userName = known.holder?.userName;
    return { ...signed, ...known, ...(userName !== undefined && { userName }) };
  }

  /**
   * Returns the state of a token to an authenticated client: of a token issued to it, or for a resource that it
   * serves. Any other token is inactive, so that its existence is not disclosed (RFC 7662 §2.2, §4). A refresh token
   * is active only for its own client.
   * @param o `byAnyClient`: the tenant permits its clients to introspect every access token of the tenant
   */
  async introspect(
    tenant: string,
    token: string,
    caller: Client,
    o: { byAnyClient?: boolean } = {},
  ): Promise<IntrospectionResponse> {
    const refreshToken = this.#refreshTokens.parse(tenant, token);
    if (refreshToken) return this.#refresh(tenant, refreshToken, caller);
    const live = await this.followedAccessToken(tenant, token);
    if (!live) return inactive;
    const { claims } = live;
    if (!o.byAnyClient && !this.#isMeantFor(tenant, claims, caller)) return inactive;
    const mapped = await this.#mapped(tenant, token, live);
    if (!mapped) return inactive;
    return {
      ...mapped,
      active: true,
      token_type: claims.cnf === undefined ? 'Bearer' : 'DPoP',
      iss: claims.iss,
      sub: claims.sub,
      aud: claims.aud,
      exp: claims.exp,
      iat: claims.iat,
      jti: claims.jti,
      client_id: claims.client_id,
      ...(claims.scope === undefined ? {} : { scope: claims.scope }),
      ...(claims.roles === undefined ? {} : { roles: claims.roles }),
      ...(claims.cnf === undefined ? {} : { cnf: claims.cnf }),
      ...(live.userName === undefined || isPairwiseName(claims.sub, live.holder?.id)
        ? {}
        : { username: live.userName }),
      ...(claims.sid === undefined ? {} : { sid: claims.presented_sid ?? claims.sid }),
      ...(claims.auth_time === undefined ? {} : { auth_time: claims.auth_time }),
      ...(claims.acr === undefined ? {} : { acr: claims.acr }),
      ...(claims.amr === undefined ? {} : { amr: claims.amr }),
      ...(claims.act === undefined ? {} : { act: claims.act }),
      ...(claims.may_act === undefined ? {} : { may_act: claims.may_act }),
      ...(isOpaqueToken(token) ? { ...followedClaims(claims), kid: live.keyId } : {}),
    };
  }

  /**
   * Returns the mapped claims. The user may be offboarded while the directory is queried.
   * @returns undefined if the token is revoked in the meantime, or a required claim has no value
   */
  async #mapped(
    tenant: string,
    token: string,
    live: LiveAccessToken,
  ): Promise<Record<string, unknown> | undefined> {
    const of = { opaque: isOpaqueToken(token), userId: live.holder?.id };
    try {
      return await this.answering(tenant, live, () => this.#claimMapper.ofToken(tenant, live.claims, of));
    } catch (error) {
      if (error instanceof RequiredClaimMissing) return undefined;
      throw error;
    }
  }

  #isMeantFor(tenant: string, claims: AccessTokenClaims, caller: Client): boolean {
    return (
      claims.client_id === caller.clientId ||
      isResourceServerFor(caller, this.#issuer(tenant), [claims.aud].flat())
    );
  }

  async #apiToken(tenant: string, token: string): Promise<LiveAccessToken | null> {
    const found = await this.#apiTokens.find(token);
    if (found?.tenant !== tenant) return null;
    const claims = apiTokenClaims(found, this.#issuer(tenant));
    return found.userName === null ? { claims } : { claims, userName: found.userName };
  }

  async #refresh(tenant: string, token: RefreshTokenParts, caller: Client): Promise<IntrospectionResponse> {
    const live = await this.#store.refreshToken(tenant, token);
    if (!live || live.clientId !== caller.clientId) return inactive;
    const subject = this.#subjectIdentifier(caller, live.subjectId);
    return {
      active: true,
      iss: this.#issuer(tenant),
      sub: subject,
      exp: live.expiresAt,
      iat: live.issuedAt,
      client_id: live.clientId,
      scope: live.scopes.filter((scope) => caller.scopes.includes(scope)).join(' '),
      // Grants outlive a change that narrows the client, and what the client made of them before must not.
      client_epoch: live.clientEpoch,
      ...(isPairwiseName(subject, live.subjectId) ? {} : { username: live.userName }),
    };
  }
}

/** Returns the claims by which entries of the revocation feed match a token, for verifiers that cannot read it. */
const followedClaims = ({ grant_id, sub_epoch, client_epoch, derived_from }: AccessTokenClaims): object => ({
  ...(grant_id === undefined ? {} : { grant_id }),
  ...(sub_epoch === undefined ? {} : { sub_epoch }),
  ...(client_epoch === undefined ? {} : { client_epoch }),
  ...(derived_from === undefined ? {} : { derived_from }),
});

/**
 * Reports whether a client has a pairwise identifier of the user. The user name would disclose the user's identity.
 */
const isPairwiseName = (subject: string, subjectId: string | undefined): boolean =>
  subjectId !== undefined && subject !== subjectId;
