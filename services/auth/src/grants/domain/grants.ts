import type { CarriedRoles } from '../../subjects/index.ts';
import type { CodeContent } from './authorization-code.ts';
import type { ReleasedClaims } from './claims-request.ts';
import type { RefreshTokenParts } from './refresh-token.ts';

/** What of a redeemed code becomes the grant. */
export type GrantContent = Omit<CodeContent, 'redirectUri' | 'redirectUriSent' | 'codeChallenge' | 'nonce'>;

/** What a grant gives at this moment, as the database knows it. */
export interface LiveGrant {
  grantId: string;
  subjectId: string;
  subjectEpoch: number;
  sessionId: string | null;
  /** Scopes and resources as granted; what of them still holds is decided at each issuance. */
  scopes: string[];
  resources: string[];
  /** Unix seconds. */
  authTime: number | null;
  amr: string[];
  acr: string | null;
  /** Claims that the client asked for by name. */
  claims: ReleasedClaims | null;
  /** Unix seconds. */
  expiresAt: number;
  /** The subject's roles now. */
  roles: string[];
  /** Roles that count in it: those of the sign-in that it rests on. */
  carriedRoles: CarriedRoles;
}

export type Opening =
  /** `grant` is live. */
  | { outcome: 'opened'; grant: LiveGrant }
  /** A parallel replay of the same code has already killed the grant: what is issued from it is dead. */
  | { outcome: 'stillborn'; grant: LiveGrant }
  /** The person, their session, or the client ended between consent and redemption, or the person took it back. */
  | { outcome: 'refused' };

export type Rotation =
  /** This call, and no other, moved the family on. */
  | { outcome: 'rotated'; grant: LiveGrant; next: RefreshTokenParts }
  /** It stays good: the client was not to get another. */
  | { outcome: 'kept'; grant: LiveGrant }
  /** The same token again, within the retry window: it gets the successor that was given before. */
  | { outcome: 'repeated'; grant: LiveGrant; next: RefreshTokenParts }
  /** A token that was replaced before: somebody has a copy. */
  | { outcome: 'replayed'; grantId: string }
  /** Live, but the request asks for more than was granted. Nothing changed. */
  | { outcome: 'scope'; scope: string }
  | { outcome: 'resource' }
  | { outcome: 'dead'; reason: string };

/** The rows behind grants and refresh tokens. */
export interface GrantStore {
  /** Writes the grant of a redeemed code, with a refresh family if asked, in one statement. */
  open(
    content: GrantContent,
    o: {
      /** Without one the grant lives as long as its access token (seconds). */
      family?: { id: string; salt: Buffer; idleSeconds: number; dpopJkt?: string | undefined };
      lifetimeSeconds: number;
      /** Whether to note, for as long as the session is kept, that the client has tokens of it: it wants to be told of its end. */
      notifiedOfLogout?: boolean;
    },
  ): Promise<Opening>;
  /**
   * Moves a refresh family on by one conditional UPDATE, which holds only if the token is the current one and
   * family, grant, subject and client are all alive; then, and only then, says why it didn't.
   */
  rotate(
    tenant: string,
    clientId: string,
    token: RefreshTokenParts,
    o: {
      scopes?: readonly string[];
      resources?: readonly string[];
      /** The key that was proven: a family bound to one needs it, any other becomes bound to it. */
      dpopJkt?: string | undefined;
      /** Whether the token stays good, instead of making way for the next. */
      keep?: boolean;
      idleSeconds: number;
      retryWindowSeconds: number;
    },
  ): Promise<Rotation>;
  /**
   * Kills the grant of a replayed code or refresh token and everything descended from it. For a code (`content`)
   * whose grant isn't written yet, leaves a revoked row that the first redemption will run into.
   */
  killReplayed(tenant: string, target: { grantId: string; content?: GrantContent }): Promise<void>;
}
