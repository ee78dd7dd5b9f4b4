import type { CarriedRoles } from '../../../tenancy/index.ts';
import type { CodeContent } from './authorization-code.ts';
import type { ReleasedClaims } from './claims-request.ts';
import type { RefreshTokenParts } from './refresh-token.ts';

/** Part of a redeemed code that becomes the grant. */
export type GrantContent = Omit<CodeContent, 'redirectUri' | 'redirectUriSent' | 'codeChallenge' | 'nonce'>;

/** Current rights of a grant, as stored in the database. */
export interface LiveGrant {
  grantId: string;
  subjectId: string;
  subjectEpoch: number;
  sessionId: string | null;
  /** Scopes and resources as granted. Each issue of a token determines which of them still apply. */
  scopes: string[];
  resources: string[];
  /** Unix seconds. */
  authTime: number | null;
  amr: string[];
  acr: string | null;
  /** Claims that the client requested by name. */
  claims: ReleasedClaims | null;
  /** Unix seconds. */
  expiresAt: number;
  /** Roles of the tenant. */
  roles: string[];
  /** Names under which the roles of APIs are stored (`apiRoleKey`). */
  apiRoles: string[];
  /** Roles that apply in the grant: those that its sign-in carries. */
  carriedRoles: CarriedRoles;
}

export type Opening =
  | { outcome: 'opened'; grant: LiveGrant }
  /** A parallel replay of the same code has already revoked the grant, so tokens issued from it are invalid. */
  | { outcome: 'stillborn'; grant: LiveGrant }
  /** The user, the session or the client ended between consent and redemption, or the consent was withdrawn. */
  | { outcome: 'refused' };

export type Rotation =
  /** Exactly this call rotated the family. */
  | { outcome: 'rotated'; grant: LiveGrant; next: RefreshTokenParts }
  /** The token stays valid, because the client does not get another. */
  | { outcome: 'kept'; grant: LiveGrant }
  /** The token was presented again within the retry window: it gets the same successor as before. */
  | { outcome: 'repeated'; grant: LiveGrant; next: RefreshTokenParts }
  /** The token was replaced before: an attacker may have a copy. */
  | { outcome: 'replayed'; grantId: string }
  /** The grant is live, but the request exceeds it. Nothing changed. */
  | { outcome: 'scope'; scope: string }
  | { outcome: 'resource' }
  | { outcome: 'dead'; reason: string };

export interface GrantStore {
  /** Writes the grant of a redeemed code, and a refresh family if requested, in one statement. */
  open(
    content: GrantContent,
    o: {
      /** Without a family the grant has the lifetime of its access token, in seconds. */
      family?: { id: string; salt: Buffer; idleSeconds: number; dpopJkt?: string | undefined };
      lifetimeSeconds: number;
      /**
       * Whether to record, for the lifetime of the session, that the client has tokens of it and is registered for
       * logout.
       */
      notifiedOfLogout?: boolean;
    },
  ): Promise<Opening>;
  /**
   * Rotates a refresh family with one conditional UPDATE. It succeeds only if the token is the current one and family,
   * grant, subject and client are live. After a failure it reports the reason.
   */
  rotate(
    tenant: string,
    clientId: string,
    token: RefreshTokenParts,
    o: {
      scopes?: readonly string[];
      resources?: readonly string[];
      /** Proven key: a family that is bound to a key requires it, any other becomes bound to it. */
      dpopJkt?: string | undefined;
      /** Whether the token stays valid instead of being replaced. */
      keep?: boolean;
      idleSeconds: number;
      retryWindowSeconds: number;
    },
  ): Promise<Rotation>;
  /** Returns the grant for which `rotate` would give a successor now. Changes nothing. */
  peek(
    tenant: string,
    clientId: string,
    token: RefreshTokenParts,
    o: { retryWindowSeconds: number },
  ): Promise<LiveGrant | undefined>;
  /**
   * Revokes the grant of a replayed code or refresh token and everything issued from it. For a code (`content`) whose
   * grant is not written yet, it leaves a revoked row, which the first redemption finds.
   */
  killReplayed(tenant: string, target: { grantId: string; content?: GrantContent }): Promise<void>;
}
