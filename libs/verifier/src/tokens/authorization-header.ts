import { invalidToken } from '../rejections/access-error.ts';

/** A token of an Authorization header; nothing is verified yet. */
export interface HeaderToken {
  scheme: 'Bearer' | 'DPoP';
  token: string;
}

const b64token = /^[A-Za-z0-9\-._~+/]+=*$/;
const maxTokenLength = 8_192;

/** Returns the text after `Bearer` or `DPoP`; undefined for other schemes, which count as no token. */
export function headerToken(header: string | undefined): HeaderToken | undefined {
  const match = header === undefined ? null : /^(Bearer|DPoP)(?: +(.*))?$/i.exec(header);
  if (!match) return undefined;
  return { scheme: isDpop(header) ? 'DPoP' : 'Bearer', token: (match[2] ?? '').trim() };
}

/** Reports whether an Authorization header uses the DPoP scheme. */
export const isDpop = (header: string | undefined): boolean =>
  header !== undefined && /^DPoP(?: |$)/i.test(header);

/** @throws AccessError invalid_token for a malformed token (RFC 6750 section 3.1) */
export function requireWellFormed(token: string): void {
  if (token.length > maxTokenLength || !b64token.test(token))
    throw invalidToken('The access token is malformed.');
}

/** Returns the number of Authorization headers of a request of Node, which silently keeps the first. */
export function authorizationHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count;
}

/** Reads the raw query, because a parser that drops or merges duplicates could hide a token. */
export function hasTokenInQuery(url: string): boolean {
  const start = url.indexOf('?');
  return start >= 0 && new URLSearchParams(url.slice(start + 1)).has('access_token');
}

/**
 * Returns the path of a request target without the query; the target may be absolute (RFC 9112 section
 * 3.2.2).
 */
export function pathOf(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  return path.startsWith('/') || !URL.canParse(path) ? path : new URL(path).pathname;
}
