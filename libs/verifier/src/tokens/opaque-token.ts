/** Prefix of access tokens that only the issuer can read. It distinguishes them from JWTs, and secret scanners find it. */
export const opaqueTokenPrefix = 'ost_at_';

export const isOpaqueToken = (token: string): boolean => token.startsWith(opaqueTokenPrefix);

/** Reports whether prefix, alphabet and length are those of a token, not whether it was issued. */
export const isWellFormedOpaqueToken = (token: string): boolean =>
  isOpaqueToken(token) && /^[\w-]{128,16384}$/.test(token);
