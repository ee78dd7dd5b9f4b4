import { hash } from 'node:crypto';
import {
  type ActingParty,
  actClaim,
  derivedFromClaim,
  isOpaqueToken,
  issuerOf,
  isTenantId,
  platformTenant,
  serviceAudience,
  type TokenAncestor,
} from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims } from '../../access/index.ts';
import { ownResources } from '../../access/index.ts';
import {
  type Client,
  type ClientApi,
  type ClientStore,
  isPairwise,
  mayActOf,
  type SubjectIdentifier,
  userinfoAudience,
} from '../../clients/index.ts';
import type { SessionIdentifiers } from '../../identity/index.ts';
import { apiRoleOf, decodeJwt, type SigningKeyRing, signJwt, verifyJwt } from '../../tenancy/index.ts';
import type { ClaimMapper } from '../claims/domain/claim-mapper.ts';
import type { ReadUser } from '../claims/domain/user-values.ts';
import type { OpaqueTokens } from './access-tokens/opaque-token.ts';
import { targetOfToken } from './access-tokens/target.ts';

const type = 'at+jwt';

/** Claims of an access token with a valid signature, and the id of its key. */
export interface SignedClaims {
  claims: AccessTokenClaims;
  keyId: string;
}

/** Claims of a user's access token that come from the grant. */
export interface GrantContext {
  subjectId: string;
  subjectEpoch: number;
  grantId: string;
  sessionId: string | null;
  /** Unix seconds. */
  authTime: number | null;
  amr: readonly string[];
  acr: string | null;
  /** Unix seconds. The token does not outlive the grant. */
  expiresAt: number;
  /** Roles of APIs that the user has (`apiRoleKey`). */
  apiRoles?: readonly string[];
}

/** Claims of an exchanged token that come from the presented tokens (RFC 8693). */
export interface Derivation {
  subject: string;
  origin: Pick<AccessTokenClaims, 'sub_epoch' | 'grant_id' | 'sid' | 'amr' | 'acr'>;
  /** Actors for the subject, the current one first. Empty if the subject acts itself. */
  actors: readonly ActingParty[];
  /**
   * Returns the tokens from which it is made. The revocation of one revokes it. Called when no claim or scope can
   * prevent the issuance, so that a rejected request opens no delegation.
   */
  ancestors: () => Promise<readonly TokenAncestor[]>;
  /** Unix seconds. The token outlives no ancestor. */
  expiresAt: number;
  /** `roles` of the subject token, whose only audience is their API. */
  roles?: readonly string[] | undefined;
}

export interface AccessTokenRequest {
  client: Client;
  scopes: readonly string[];
  /** Resource indicators. Empty for the tenant's own API. */
  resources: readonly string[];
  /** Absent if the client acts for itself. */
  grant?: GrantContext;
  /** Set instead of a grant for an exchanged token. */
  derivation?: Derivation;
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6.1). Absent for a bearer token. */
  dpopJkt?: string | undefined;
  /** Attributes of the user for mapped claims that were read before. */
  known?: ReadUser | undefined;
}

export interface IssuedToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
  /** Those of the requested scopes that belong to the audience. */
  scopes: readonly string[];
}

interface Verified {
  payload: Record<string, unknown>;
  kid: string;
}

/** Sizes of 1 each, because `max` would allocate memory for all entries immediately. */
const most = { maxSize: 10_000, sizeCalculation: () => 1 };

/** Issues and reads RFC 9068 access tokens, signed with ES256 and the tenant's keys. */
export class AccessTokens {
  readonly #keys: SigningKeyRing;
  readonly #publicOrigin: string;
  readonly #lifetime: number;
  readonly #verified = new LRUCache<string, Verified>(most);
  /** Key ids of recently issued tokens of users, by token digest. Most checked tokens are recent. */
  readonly #signedHere = new LRUCache<string, string>(most);
  readonly #clock: () => number;
  readonly #subjectIdentifier: SubjectIdentifier;
  readonly #sessionIdentifiers: SessionIdentifiers;
  readonly #opaque: OpaqueTokens;
  readonly #claimMapper: ClaimMapper;

  constructor(o: {
    keys: SigningKeyRing;
    publicOrigin: string;
    subjectIdentifier: SubjectIdentifier;
    sessionIdentifiers: SessionIdentifiers;
    opaqueTokens: OpaqueTokens;
    claimMapper: ClaimMapper;
    /** Maximum lifetime in seconds. */
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
    this.#opaque = o.opaqueTokens;
    this.#claimMapper = o.claimMapper;
  }

  /** Issues a token. @throws OAuthError invalid_scope if it would have no scope of its API */
  async issue(tenant: string, request: AccessTokenRequest): Promise<IssuedToken> {
    const { client, grant, derivation } = request;
    const iss = issuerOf(this.#publicOrigin, tenant);
    const { scopes, api, ...target } = targetOfToken(client, request);
    const resources = grant ? audiencesFor(client, iss, target.resources) : target.resources;
    const iat = Math.floor(this.#clock() / 1000);
    const lifetime = Math.min(this.#lifetime, api?.tokenLifetimeSeconds ?? this.#lifetime);
    const exp = Math.min(iat + lifetime, (grant ?? derivation)?.expiresAt ?? Number.POSITIVE_INFINITY);
    const mayAct = mayActOf(client);
    const roles = api ? rolesAt(api, request) : [];
    const claims: AccessTokenClaims = {
      ...(api ? await this.#mapped(api, roles, request) : {}),
      iss,
      sub:
        (grant && this.#subjectIdentifier(client, grant.subjectId)) ?? derivation?.subject ?? client.clientId,
      aud: resources.length === 0 ? iss : resources.length === 1 ? (resources[0] as string) : [...resources],
      exp,
      iat,
      jti: uuidv7(),
      client_id: client.clientId,
      client_epoch: client.epoch,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      ...(roles.length === 0 ? {} : { roles }),
      ...(request.dpopJkt === undefined ? {} : { cnf: { jkt: request.dpopJkt } }),
      ...(grant ? grantClaims(grant, (id) => this.#sessionIdentifiers.tell(client, id)) : {}),
      ...(derivation ? await derivedClaims(derivation) : {}),
      ...(mayAct === undefined ? {} : { may_act: { sub: mayAct } }),
    };
    const signer = await this.#keys.signer(tenant, 'ES256');
    const jwt = signJwt(type, claims, signer);
    if (grant) this.#signedHere.set(nameOf(tenant, jwt), signer.kid);
    const token = api?.tokenFormat === 'opaque' ? this.#opaque.seal(tenant, jwt) : jwt;
    return { token, expiresIn: exp - iat, scopes };
  }

  /** An opaque token gets its claims at introspection. @throws RequiredClaimMissing, ServiceUnavailable */
  async #mapped(
    api: ClientApi,
    roles: readonly string[],
    { client, grant, derivation, known }: AccessTokenRequest,
  ): Promise<Record<string, unknown>> {
    const isOpaque = api.tokenFormat === 'opaque';
    if (isOpaque && !this.#claimMapper.requiresOf(api)) return {};
    const userId =
      grant?.subjectId ?? (derivation?.origin.sub_epoch === undefined ? undefined : derivation.subject);
    const mapped = await this.#claimMapper.ofApi({ client, api, roles, userId, known });
    return isOpaque ? {} : mapped;
  }

  /**
   * Returns the claims of an unexpired access token that this server issued for the tenant, or undefined. Does not
   * check revocation.
   */
  async read(tenant: string, token: string): Promise<SignedClaims | undefined> {
    if (!isTenantId(tenant)) return undefined;
    const jwt = isOpaqueToken(token) ? this.#opaque.open(tenant, token) : token;
    const signed = jwt === undefined ? undefined : await this.#signed(tenant, jwt);
    if (signed === undefined || signed.payload.iss !== issuerOf(this.#publicOrigin, tenant)) return undefined;
    const payload = signed.payload as unknown as AccessTokenClaims;
    const claims = payload.exp > this.#clock() / 1000 ? this.#ofSession(tenant, payload) : undefined;
    return claims && { claims, keyId: signed.kid };
  }

  /** Replaces the session identifier of the client by the id of the session, under which revocations are listed. */
  #ofSession(tenant: string, claims: AccessTokenClaims): AccessTokenClaims | undefined {
    const { sid, client_id: clientId } = claims;
    if (sid === undefined) return claims;
    const sessionId = this.#sessionIdentifiers.read(tenant, clientId, sid);
    if (sessionId === sid) return claims;
    return sessionId === undefined ? undefined : { ...claims, sid: sessionId, presented_sid: sid };
  }

  /**
   * Verifies a signature once while its key exists, because resource servers check a token repeatedly. A token that
   * this process issued is not verified. The cache key is the digest of the complete token, so another token with the
   * same claims is verified.
   */
  async #signed(tenant: string, token: string): Promise<Verified | undefined> {
    const name = nameOf(tenant, token);
    const known = this.#verified.get(name);
    if (known && (await this.#keys.verifier(tenant, known.kid))) return known;
    const verified = (await this.#ownWork(tenant, name, token)) ?? (await this.#checked(tenant, token));
    if (verified) this.#verified.set(name, verified);
    return verified;
  }

  async #ownWork(tenant: string, name: string, token: string): Promise<Verified | undefined> {
    const kid = this.#signedHere.get(name);
    if (kid === undefined || !(await this.#keys.verifier(tenant, kid))) return undefined;
    const payload = decodeJwt(token)?.payload;
    return payload && { payload, kid };
  }

  async #checked(tenant: string, token: string): Promise<Verified | undefined> {
    let kid = '';
    const payload = await verifyJwt(token, type, (named) => {
      kid = named;
      return this.#keys.verifier(tenant, named);
    });
    return payload && { payload, kid };
  }
}

const nameOf = (tenant: string, token: string): string => hash('sha256', `${tenant}\0${token}`, 'base64');

/**
 * Returns the audiences of a token. Tokens of pairwise clients are for userinfo and for resources of other servers:
 * the other APIs of this server identify users by id and could not match such a token to a user or to the user's
 * offboarding.
 */
function audiencesFor(client: Client, issuer: string, resources: readonly string[]): readonly string[] {
  if (!isPairwise(client)) return resources;
  const ours = ownResources(issuer);
  const others = resources.filter((resource) => !ours.includes(resource));
  return others.length > 0 && others.length === resources.length
    ? others
    : [...others, userinfoAudience(issuer)];
}

/** Returns the user's roles of the API that is the audience (RFC 9068 §2.2.3.1). */
const rolesAt = ({ id }: ClientApi, { grant, derivation }: AccessTokenRequest): string[] =>
  grant
    ? (grant.apiRoles ?? []).flatMap((key) => {
        const held = apiRoleOf(key);
        return held?.apiId === id ? [held.role] : [];
      })
    : [...(derivation?.roles ?? [])];

async function derivedClaims(derivation: Derivation): Promise<Partial<AccessTokenClaims>> {
  const act = actClaim(derivation.actors);
  return {
    ...derivation.origin,
    ...(act === undefined ? {} : { act }),
    derived_from: derivedFromClaim(await derivation.ancestors()),
  };
}

function grantClaims(grant: GrantContext, sidOf: (sessionId: string) => string): Partial<AccessTokenClaims> {
  return {
    sub_epoch: grant.subjectEpoch,
    grant_id: grant.grantId,
    ...(grant.sessionId === null ? {} : { sid: sidOf(grant.sessionId) }),
    ...(grant.authTime === null ? {} : { auth_time: grant.authTime }),
    ...(grant.amr.length === 0 ? {} : { amr: [...grant.amr] }),
    ...(grant.acr === null ? {} : { acr: grant.acr }),
  };
}

interface ServiceTokenOptions {
  clients: ClientStore;
  accessTokens: AccessTokens;
  /** Wall clock in milliseconds. */
  clock: () => number;
}

/** Issues service tokens to this service itself. Each is used for most of its lifetime. */
export class MintedServiceTokens {
  readonly #o: ServiceTokenOptions;
  readonly #minted = new Map<string, { token: string; from: number; until: number }>();

  constructor(o: ServiceTokenOptions) {
    this.#o = o;
  }

  /** @param refused a token that the other service rejected; it is not returned again */
  async tokenFor(service: 'directory' | 'provisioning', refused?: string): Promise<string> {
    const { clients, accessTokens, clock } = this.#o;
    const known = this.#minted.get(service);
    // A token that is rejected within 1 s of its issue is rejected for another reason than its key, so it is not
    // replaced.
    const isRefused = known?.token === refused && clock() - (known?.from ?? 0) >= 1_000;
    if (known && !isRefused && clock() < known.until) return known.token;
    const client = await clients.find(platformTenant, 'auth');
    if (!client) throw new Error('the platform client of this service is missing');
    const { token, expiresIn } = await accessTokens.issue(platformTenant, {
      client,
      scopes: [],
      resources: [serviceAudience(service)],
    });
    const from = clock();
    this.#minted.set(service, { token, from, until: from + expiresIn * 800 });
    return token;
  }
}
