import { isOwnPath } from './own-paths.ts';

/** Maximum length of a return address in characters: cookies have at most 4,096 bytes. */
const maxLength = 1_000;

/** Returns the path and query of a request to which a user returns after a sign-in. */
export const returnTo = (target: string): string => (isReturnAddress(target) ? target : '/');

/**
 * Reports whether a text is a path of the same host, also for a browser: it reads `\` as `/`, and ignores tabs and
 * line feeds (WHATWG URL §4.4). The guard's own paths are excluded, because one of them ends the session.
 */
export function isReturnAddress(text: string): boolean {
  if (text.length > maxLength || !/^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(text)) return false;
  const base = 'https://host.invalid';
  if (!URL.canParse(text, base)) return false;
  const { origin, pathname } = new URL(text, base);
  return origin === base && !pathname.startsWith('//') && !isOwnPath(pathname);
}
