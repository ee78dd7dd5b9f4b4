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
import type { AccessTokenClaims } from '../../access/index.ts';
import type { LiveAccessToken } from './introspection.ts';

/** An active token that is presented for an exchange, of any kind. */
export interface PresentedToken {
  subject: string;
  /** The token of a user, not of a client that acts for itself. */
  ofUser: boolean;
  clientId: string;
  scopes: readonly string[];
  /** Roles of the API that is the only audience. */
  roles?: readonly string[];
  audience: readonly string[];
  /** Unix seconds. */
  expiresAt: number;
  /** Current actors for the subject, the current one first. */
  actors: readonly ActingParty[];
  /** Permitted actor, if the token has `may_act` (RFC 8693 §4.4). */
  mayAct?: string;
  /**
   * Claims about the sign-in for a token with the same subject. Without `auth_time`, so that no resource server
   * treats the exchanged token as a recent sign-in (RFC 9470).
   */
  origin: Pick<AccessTokenClaims, 'sub_epoch' | 'grant_id' | 'sid' | 'amr' | 'acr'>;
  /** This token and its own ancestors. */
  lineage: readonly TokenAncestor[];
  /** Thumbprint of the key to which it is bound (RFC 9449 §6). */
  boundTo?: string;
}

/** An active personal access token or API key from the database. */
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

  /** Returns the active token of a text, by signature and database, or undefined. */
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
  // A pairwise identifier has no meaning for another client, and its translation would disclose the user.
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
    ofUser: sub_epoch !== undefined,
    clientId: claims.client_id,
    scopes: claims.scope?.split(' ') ?? [],
    ...(claims.roles === undefined ? {} : { roles: claims.roles }),
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
  const ofUser = token.kind === 'personal';
  const clientId = ofUser ? personalAccessTokenClient : token.subject;
  return {
    subject: token.subject,
    ofUser,
    clientId,
    scopes: token.scopes,
    audience: [issuer],
    expiresAt: token.expiresAt,
    actors: [],
    origin: ofUser ? { sub_epoch: token.epoch } : {},
    lineage: [
      {
        jti: token.id,
        subject: token.subject,
        clientId,
        ...(ofUser ? { subjectEpoch: token.epoch } : { clientEpoch: token.epoch }),
        apiToken: token.kind,
      },
    ],
  };
}
