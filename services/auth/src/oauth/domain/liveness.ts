import type { AccessTokenClaims, LiveGrant, RefreshTokenParts, ReleasedClaims } from '../../access/index.ts';
import type { Subject } from '../../tenancy/index.ts';

/** User of a token. */
export interface TokenHolder extends Pick<Subject, 'tenant' | 'id' | 'epoch' | 'version' | 'profile'> {
  userName: string;
}

/** Status of a token, with data for the answer beyond its claims. */
export interface TokenLiveness {
  live: boolean;
  /** User of the grant; the token may contain a pairwise identifier. Absent for a token without a user. */
  holder?: TokenHolder;
  /** Claims that the client requested by name. */
  released?: ReleasedClaims;
}

/** `registeredClient`: the client of the token is in the database. Clients of the platform are not. */
export interface TokenOrigin {
  registeredClient: boolean;
}

/** Returns the status of tokens from the database. */
export interface LivenessStore {
  accessToken(tenant: string, claims: AccessTokenClaims, o: TokenOrigin): Promise<TokenLiveness>;
  /** Returns an active user, or null. */
  holder(tenant: string, id: string): Promise<TokenHolder | null>;
  refreshToken(
    tenant: string,
    token: RefreshTokenParts,
  ): Promise<{
    clientId: string;
    subjectId: string;
    userName: string;
    scopes: string[];
    clientEpoch: number;
    /** Unix seconds. */
    issuedAt: number;
    expiresAt: number;
  } | null>;
}

/** A grant that the database has just returned as active. */
export type IssuedGrant = Pick<LiveGrant, 'grantId' | 'subjectId' | 'claims'> & { clientId: string };
