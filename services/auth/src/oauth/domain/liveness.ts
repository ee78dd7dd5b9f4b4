import type { AccessTokenClaims, LiveGrant, RefreshTokenParts, ReleasedClaims } from '../../access/index.ts';
import type { Subject } from '../../tenancy/index.ts';
import type { SignedClaims } from './access-token.ts';

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
    /** Unix seconds. */
    issuedAt: number;
    expiresAt: number;
  } | null>;
}

/** A grant that the database has just returned as active. */
export type IssuedGrant = Pick<LiveGrant, 'grantId' | 'subjectId' | 'claims'> & { clientId: string };

/** Receives the grants from which this process issues tokens. */
export interface GrantWitness {
  /**
   * Stores the basis of a grant that the database returned as active, so that the first check of its token needs no
   * query.
   */
  issued(tenant: string, grant: IssuedGrant): void;
}

/** Returns the status of tokens, at most as old as the revocation feed permits. */
export interface FollowedLiveness {
  accessToken(tenant: string, token: SignedClaims, o: TokenOrigin): Promise<TokenLiveness>;
  /**
   * Runs work for the answer about an active token.
   * @returns undefined as soon as the token is revoked in the meantime
   */
  answering<T>(
    tenant: string,
    token: SignedClaims,
    holder: TokenHolder | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined>;
}
