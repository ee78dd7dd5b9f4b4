/**
 * Ports of other protocols: those that browsers block (Fetch standard, section 2.9, "port blocking"), and
 * those of databases and caches.
 */
const otherProtocols: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720,
  1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379, 6566, 6665, 6666,
  6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
]);

/**
 * Scheme and authority that all parsers read alike: no userinfo, not even an empty one, and no backslash,
 * which some treat as a slash.
 */
const plainAuthority = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i;

/**
 * Parses a web address that a client, receiver, issuer or user supplied: http or https, at most 2,048
 * characters without spaces, without credentials, and without a port of another protocol. The same rule
 * applies to stored, fetched and linked addresses.
 * @returns the address, or the text of the requirement, to follow the name of the field
 */
export function readWebAddress(text: string): URL | string {
  if (text.length > 2_048 || /[\s\p{C}]/u.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'must be a web address';
  }
  const url = new URL(text);
  if (!plainAuthority.test(text) || url.username !== '' || url.password !== '')
    return 'must not contain credentials';
  if (url.port !== '' && otherProtocols.has(Number(url.port)))
    return 'must not name a port of another protocol';
  return url;
}
