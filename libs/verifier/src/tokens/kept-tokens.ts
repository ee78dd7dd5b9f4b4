import type { Claims } from '../principal.ts';
import { invalidToken } from '../rejections/access-error.ts';
import { digestOf } from './token-digest.ts';
import { tokenOf, type VerifiedToken } from './verified-token.ts';

/** Tokens of a sign-in that the caller has verified once, and has kept unchanged. */
export interface KeptTokens {
  /** Claims of the access token. */
  readonly claims: Claims;
  /** `kid` of the access token. */
  readonly keyId?: string | undefined;
  /** Refresh token without `offline_access`: it ends with the session of the user. */
  readonly refreshToken: string;
  /** End of the sign-in, in Unix seconds. */
  readonly expiresAt: number;
}

const scopesIn = (scope: unknown): readonly string[] =>
  typeof scope === 'string' && scope !== '' ? scope.split(' ') : [];

/** @throws AccessError invalid_token after the end of the sign-in */
export function keptToken({ claims, keyId, expiresAt }: KeptTokens): VerifiedToken {
  if (expiresAt * 1_000 <= Date.now()) throw invalidToken();
  return { ...tokenOf(claims), ...(keyId !== undefined && { keyId }), expiresAt };
}

/** The answer about a refresh token is about these claims only. */
export const digestOfKept = ({ claims, refreshToken }: KeptTokens): string =>
  digestOf(`${refreshToken} ${JSON.stringify(claims)}`);

/** Reports whether introspection confirms a refresh token and what an access token of its sign-in contains. */
export function isOfTokens(
  { active, sub, scope, client_epoch: epoch }: Readonly<Record<string, unknown>>,
  claims: Claims,
): boolean {
  if (active !== true || sub !== claims.sub) return false;
  // The list no longer has the entry of a client that was narrowed before.
  if (claims.client_epoch !== undefined && typeof epoch !== 'number') return false;
  if (typeof epoch === 'number' && !(Number(claims.client_epoch) >= epoch)) return false;
  const left = new Set(scopesIn(scope));
  return scopesIn(claims.scope).every((one) => left.has(one));
}
