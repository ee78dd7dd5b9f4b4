import {
  type ActingParty,
  isWellFormedApiToken,
  looksLikeApiToken,
  personalAccessTokenClient,
  readActors,
  readAncestors,
  type TokenAncestor,
} from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import type { AccessTokenClaims } from '../../grants/index.ts';
import type { LiveAccessToken } from './introspection.ts';

/** A live token that was handed in to be exchanged, whatever its kind: whose it is and what it allows. */
export interface PresentedToken {
  subject: string;
  /** A person's token, not one of a client that acts for itself. */
  ofPerson: boolean;
  clientId: string;
  scopes: readonly string[];
  audience: readonly string[];
  /** Unix seconds. */
  expiresAt: number;
  /** Who acts for the subject already, the current actor first. */
  actors: readonly ActingParty[];
  /** Who may act for the subject, if the token says so (RFC 8693 §4.4). */
  mayAct?: string;
  /**
   * What a token that speaks for the same subject says about their sign-in: not when it was (`auth_time`), so that no resource server
   * takes the exchanged token for a recent sign-in (RFC 9470).
   */
  origin: Pick<AccessTokenClaims, 'sub_epoch' | 'grant_id' | 'sid' | 'amr' | 'acr'>;
  /** This token, and those it was itself exchanged for. */
  lineage: readonly TokenAncestor[];
  /** Thumbprint of the key it is bound to (RFC 9449 §6). */
  boundTo?: string;
}

/** A live personal access token or API key, as the database knows it. */
export interface PresentedApiToken {
  tenant: string;
  kind: 'personal' | 'service_account';
  id: string;
  subject: string;
  scopes: readonly string[];
  /** Unix seconds. */
  expiresAt: number;
  epoch: number;
}

export interface PresentedTokenSources {
  issuer: (tenant: string) => string;
  accessToken: (tenant: string, token: string) => Promise<LiveAccessToken | null>;
  apiToken: (token: string) => Promise<PresentedApiToken | undefined>;
}

export class PresentedTokens {
  readonly #sources: PresentedTokenSources;

  constructor(sources: PresentedTokenSources) {
    this.#sources = sources;
  }

  /** The live token behind a text, by signature and by database; undefined for anything else. */
  async find(tenant: string, token: string): Promise<PresentedToken | undefined> {
    const { issuer, accessToken, apiToken } = this.#sources;
    if (looksLikeApiToken(token)) {
      const live = isWellFormedApiToken(token) ? await apiToken(token) : undefined;
      return live?.tenant === tenant ? fromApiToken(live, issuer(tenant)) : undefined;
    }
    const live = await accessToken(tenant, token);
    return live ? fromClaims(live.claims) : undefined;
  }
}

function fromClaims(claims: AccessTokenClaims): PresentedToken | undefined {
  const { sub_epoch, grant_id, sid, amr, acr, may_act: mayAct } = claims;
  // A pairwise identifier means nothing to any other client; translating it would undo it.
  if (sub_epoch !== undefined && !isUuid(claims.sub)) return undefined;
  const self: TokenAncestor = {
    jti: claims.jti,
    subject: claims.sub,
    clientId: claims.client_id,
    clientEpoch: claims.client_epoch,
    ...(sub_epoch === undefined ? {} : { subjectEpoch: sub_epoch }),
    ...(grant_id === undefined ? {} : { grantId: grant_id }),
    ...(sid === undefined ? {} : { sessionId: sid }),
  };
  return {
    subject: claims.sub,
    ofPerson: sub_epoch !== undefined,
    clientId: claims.client_id,
    scopes: claims.scope?.split(' ') ?? [],
    audience: [claims.aud].flat(),
    expiresAt: claims.exp,
    actors: readActors(claims.act),
    ...(mayAct === undefined ? {} : { mayAct: mayAct.sub }),
    origin: {
      ...(sub_epoch === undefined ? {} : { sub_epoch }),
      ...(grant_id === undefined ? {} : { grant_id }),
      ...(sid === undefined ? {} : { sid }),
      ...(amr === undefined ? {} : { amr }),
      ...(acr === undefined ? {} : { acr }),
    },
    lineage: [self, ...(claims.derived_from === undefined ? [] : readAncestors(claims.derived_from))],
    ...(claims.cnf === undefined ? {} : { boundTo: claims.cnf.jkt }),
  };
}

function fromApiToken(token: PresentedApiToken, issuer: string): PresentedToken {
  const ofPerson = token.kind === 'personal';
  const clientId = ofPerson ? personalAccessTokenClient : token.subject;
  return {
    subject: token.subject,
    ofPerson,
    clientId,
    scopes: token.scopes,
    audience: [issuer],
    expiresAt: token.expiresAt,
    actors: [],
    origin: ofPerson ? { sub_epoch: token.epoch } : {},
    lineage: [
      {
        jti: token.id,
        subject: token.subject,
        clientId,
        ...(ofPerson ? { subjectEpoch: token.epoch } : { clientEpoch: token.epoch }),
        apiToken: token.kind,
      },
    ],
  };
}
