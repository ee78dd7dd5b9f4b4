import type { AccessTokenClaims, LiveGrant, RefreshTokenParts, ReleasedClaims } from '../../grants/index.ts';
import type { Subject } from '../../subjects/index.ts';
import type { SignedClaims } from './access-token.ts';

/** The person whose token it is, as far as an answer about it needs them. */
export interface TokenHolder extends Pick<Subject, 'tenant' | 'id' | 'epoch' | 'version' | 'profile'> {
  userName: string;
}

/** Whether a token lives, and what an answer about it may say besides its claims. */
export interface TokenLiveness {
  live: boolean;
  /** Whose grant it is from; the token itself may name them by a pairwise identifier. Absent when it is no person's. */
  holder?: TokenHolder;
  /** Claims that the client asked for by name. */
  released?: ReleasedClaims;
}

/** Whether the client of a token is a registered one; those of the platform aren't in the database. */
export interface TokenOrigin {
  registeredClient: boolean;
}

/** Answers from the database whether tokens are alive at this moment. */
export interface LivenessStore {
  accessToken(tenant: string, claims: AccessTokenClaims, o: TokenOrigin): Promise<TokenLiveness>;
  /** A person who is there and active. */
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

/** A grant that has just been found alive in the database, as far as its tokens rest on it. */
export type IssuedGrant = Pick<LiveGrant, 'grantId' | 'subjectId' | 'claims'> & { clientId: string };

/** Learns of grants that tokens are issued from here. */
export interface GrantWitness {
  /** The database has just said that the grant lives: the first question about a token of it needn't ask that. */
  issued(tenant: string, grant: IssuedGrant): void;
}

/** Answers whether tokens were alive no longer ago than the feed of revocations may be behind. */
export interface FollowedLiveness {
  accessToken(tenant: string, token: SignedClaims, o: TokenOrigin): Promise<TokenLiveness>;
  /**
   * Does what an answer about a live token needs.
   * @returns undefined as soon as it is known that the token has ended meanwhile
   */
  answering<T>(
    tenant: string,
    token: SignedClaims,
    holder: Pick<TokenHolder, 'id'> | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined>;
}
