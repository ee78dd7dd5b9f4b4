/** Prefix of access tokens that only the issuer can read. It distinguishes them from JWTs, and secret scanners find it. */
export const opaqueTokenPrefix = 'ost_at_';

export const isOpaqueToken = (token: string): boolean => token.startsWith(opaqueTokenPrefix);
