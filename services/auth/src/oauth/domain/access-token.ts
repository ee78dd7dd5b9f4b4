import { hash } from 'node:crypto';
import {
  type ActingParty,
  actClaim,
  derivedFromClaim,
  issuerOf,
  isTenantId,
  type TokenAncestor,
} from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import {
  type Client,
  isPairwise,
  mayActOf,
  type SubjectIdentifier,
  userinfoAudience,
} from '../../clients/index.ts';
import type { AccessTokenClaims } from '../../grants/index.ts';
import {
  decodeJwt,
  type Signer,
  type SigningAlgorithm,
  signJwt,
  type Verifier,
  verifyJwt,
} from '../../keys/index.ts';
import { ownResources } from '../../roles/index.ts';
import type { SessionIdentifiers } from '../../sessions/index.ts';

/** Where signing and verification keys come from. */
export interface KeyRing {
  signer(tenant: string, alg: SigningAlgorithm): Promise<Signer>;
  verifier(tenant: string, kid: string): Promise<Verifier | undefined>;
}

const type = 'at+jwt';

/** The claims of an access token whose signature holds, and the key that it was made with. */
export interface SignedClaims {
  claims: AccessTokenClaims;
  keyId: string;
}

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

/** What a token made from other tokens says about them (RFC 8693). */
export interface Derivation {
  subject: string;
  origin: Pick<AccessTokenClaims, 'sub_epoch' | 'grant_id' | 'sid' | 'amr' | 'acr'>;
  /** Who acts for the subject, the current actor first; none: the subject itself, as far as anybody can see. */
  actors: readonly ActingParty[];
  /** The tokens it is made from: it dies with each. */
  ancestors: readonly TokenAncestor[];
  /** Unix seconds; it outlives none of them. */
  expiresAt: number;
}

export interface AccessTokenRequest {
  client: Client;
  scopes: readonly string[];
  /** Resource indicators; none = the tenant's own API. */
  resources: readonly string[];
  /** Absent: the client acts for itself. */
  grant?: GrantContext;
  /** Instead of a grant: the token is exchanged for others. */
  derivation?: Derivation;
  /** Thumbprint of the key the token is bound to (RFC 9449 §6.1); absent: a bearer token. */
  dpopJkt?: string | undefined;
}

interface Verified {
  payload: Record<string, unknown>;
  kid: string;
}

/** As sizes of one each: `max` would take the room for all of them now. */
const most = { maxSize: 10_000, sizeCalculation: () => 1 };

/** Issues and reads RFC 9068 access tokens: ES256, one tenant's keys, one tenant's issuer. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #publicOrigin: string;
  readonly #lifetime: number;
  readonly #verified = new LRUCache<string, Verified>(most);
  /** By which key people's tokens were signed here lately: of those that are asked about, most are young. */
  readonly #signedHere = new LRUCache<string, string>(most);
  readonly #clock: () => number;
  readonly #subjectIdentifier: SubjectIdentifier;
  readonly #sessionIdentifiers: SessionIdentifiers;

  constructor(o: {
    keys: KeyRing;
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

  /** The token and its lifetime in seconds. */
  async issue(tenant: string, request: AccessTokenRequest): Promise<{ token: string; expiresIn: number }> {
    const { client, grant, derivation } = request;
    const iss = issuerOf(this.#publicOrigin, tenant);
    const resources = grant ? audiencesFor(client, iss, request.resources) : request.resources;
    const iat = Math.floor(this.#clock() / 1000);
    const exp = Math.min(iat + this.#lifetime, (grant ?? derivation)?.expiresAt ?? Number.POSITIVE_INFINITY);
    const mayAct = mayActOf(client);
    const claims: AccessTokenClaims = {
      iss,
      sub:
        (grant && this.#subjectIdentifier(client, grant.subjectId)) ?? derivation?.subject ?? client.clientId,
      aud: resources.length === 0 ? iss : resources.length === 1 ? (resources[0] as string) : [...resources],
      exp,
      iat,
      jti: uuidv7(),
      client_id: client.clientId,
      client_epoch: client.epoch,
      ...(request.scopes.length === 0 ? {} : { scope: request.scopes.join(' ') }),
      ...(request.dpopJkt === undefined ? {} : { cnf: { jkt: request.dpopJkt } }),
      ...(grant ? grantClaims(grant, (id) => this.#sessionIdentifiers.tell(client, id)) : {}),
      ...(derivation ? derivedClaims(derivation) : {}),
      ...(mayAct === undefined ? {} : { may_act: { sub: mayAct } }),
    };
    const signer = await this.#keys.signer(tenant, 'ES256');
    const token = signJwt(type, claims, signer);
    if (grant) this.#signedHere.set(nameOf(tenant, token), signer.kid);
    return { token, expiresIn: exp - iat };
  }

  /**
   * The claims of an unexpired access token this server issued for this tenant; undefined for anything else.
   * Whether it was revoked is another question.
   */
  async read(tenant: string, token: string): Promise<SignedClaims | undefined> {
    if (!isTenantId(tenant)) return undefined;
    const signed = await this.#signed(tenant, token);
    if (signed === undefined || signed.payload.iss !== issuerOf(this.#publicOrigin, tenant)) return undefined;
    const payload = signed.payload as unknown as AccessTokenClaims;
    const claims = payload.exp > this.#clock() / 1000 ? this.#ofSession(tenant, payload) : undefined;
    return claims && { claims, keyId: signed.kid };
  }

  /** Whether a session has ended is asked by its id. */
  #ofSession(tenant: string, claims: AccessTokenClaims): AccessTokenClaims | undefined {
    const { sid, client_id: clientId } = claims;
    if (sid === undefined) return claims;
    const sessionId = this.#sessionIdentifiers.read(tenant, clientId, sid);
    if (sessionId === sid) return claims;
    return sessionId === undefined ? undefined : { ...claims, sid: sessionId, presented_sid: sid };
  }

  /**
   * Resource servers ask about one token again and again: its signature is checked once, as long as its key is there, and not at all when it
   * was made here. A token is known by the digest of all of it, so another with the same claims is checked.
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
 * A pairwise client's tokens are for userinfo, and for what isn't ours: everything else of ours knows people by their id
 * alone, and could neither tell whom such a token is about nor hear that they left.
 */
function audiencesFor(client: Client, issuer: string, resources: readonly string[]): readonly string[] {
  if (!isPairwise(client)) return resources;
  const ours = ownResources(issuer);
  const others = resources.filter((resource) => !ours.includes(resource));
  return others.length > 0 && others.length === resources.length
    ? others
    : [...others, userinfoAudience(issuer)];
}

function derivedClaims(derivation: Derivation): Partial<AccessTokenClaims> {
  const act = actClaim(derivation.actors);
  return {
    ...derivation.origin,
    ...(act === undefined ? {} : { act }),
    derived_from: derivedFromClaim(derivation.ancestors),
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
