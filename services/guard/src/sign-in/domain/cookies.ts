/** Beginning of the names of all cookies of the guard. Browsers bind them to one host (RFC 6265bis §4.1.3.2). */
export const cookiePrefix = '__Host-ostiary-';
export const sessionCookie = `${cookiePrefix}session`;
const signInPrefix = `${cookiePrefix}sign-in-`;

/** Returns the name of the cookie of one sign-in, so that those of several tabs do not replace each other. */
export const signInCookie = (state: string): string => `${signInPrefix}${state}`;

/** Returns the values of all cookies with a name. */
export const cookieValues = (header: string | undefined, name: string): string[] =>
  pairsIn(header)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** Returns the value of a cookie; undefined if it is absent or ambiguous. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const values = cookieValues(header, name);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns the names of the cookies of sign-ins, without the latest ones whose sizes together fit.
 * @param bytes default 0: returns all
 */
export function signInCookies(header: string | undefined, bytes = 0): string[] {
  const pairs = pairsIn(header).filter((pair) => pair.startsWith(signInPrefix));
  let left = bytes;
  // Browsers send the earliest first (RFC 6265 §5.4).
  const kept = pairs.toReversed().findIndex((pair) => {
    left -= pair.length;
    return left < 0;
  });
  const earlier = kept < 0 ? [] : pairs.slice(0, pairs.length - kept);
  return earlier.map((pair) => pair.split('=', 1)[0] ?? '');
}

/** Returns the cookies that the app may receive. */
export const appCookies = (header: string | undefined): string =>
  pairsIn(header)
    .filter((pair) => !pair.toLowerCase().startsWith(cookiePrefix.toLowerCase()))
    .join('; ');

const pairsIn = (header: string | undefined): string[] =>
  (header ?? '')
    .split(';')
    // `trim` also removes U+00A0, before which browsers do not reserve the prefix `__Host-` (RFC 6265bis §5.6).
    .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter(Boolean);

/**
 * Returns a Set-Cookie header. `Lax`, because the issuer redirects to the callback from another site.
 * @param maxAge seconds; undefined until the browser ends
 */
export const setCookie = (name: string, value: string, maxAge?: number): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}`;

export const removeCookie = (name: string): string => setCookie(name, '', 0);
