import type { VerifiedToken } from './tokens/verified-token.ts';

/** Claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user, with the client that has the token. */
export type UserPrincipal = Readonly<Omit<VerifiedToken, 'kind'>> & {
  readonly kind: 'user';
  readonly roles: ReadonlySet<string>;
  readonly claims: Claims;
};

/** A client that acts for itself, so there is no sign-in. */
export type ClientPrincipal = Readonly<Omit<VerifiedToken, 'kind' | 'authTime' | 'acr' | 'sessionId'>> & {
  readonly kind: 'client';
  readonly roles: ReadonlySet<string>;
  readonly claims: Claims;
};

/** The party that a verified access token represents. */
export type Principal = UserPrincipal | ClientPrincipal;
