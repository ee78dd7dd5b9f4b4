import type { Principal } from '@ostiary/verifier';

/** Beginning of the names of all identity headers. Clients must not send headers that begin with it. */
export const reservedPrefix = 'x-ostiary-';

/** Values of the identity headers by name; empty for an absent value. */
export type Identity = Readonly<Record<IdentityHeader, string>>;

type IdentityHeader = (typeof identityHeaders)[number];

/** Every identity header. Each answer has all of them, so that a proxy that copies them overwrites those of the client. */
export const identityHeaders = [
  'x-ostiary-kind',
  'x-ostiary-subject',
  'x-ostiary-client',
  'x-ostiary-scopes',
  'x-ostiary-roles',
  'x-ostiary-acr',
  'x-ostiary-auth-time',
  'x-ostiary-session',
  'x-ostiary-actor',
  'x-ostiary-assertion',
] as const;

export const noIdentity = Object.freeze(
  Object.fromEntries(identityHeaders.map((name) => [name, ''])),
) as Identity;

/** Returns the identity headers of a caller. */
export function identityOf(principal: Principal, assertion: string): Identity {
  const { kind, subject, clientId, scopes, roles, actors } = principal;
  const user = principal.kind === 'user' ? principal : undefined;
  return {
    'x-ostiary-kind': kind,
    'x-ostiary-subject': inAscii(subject),
    'x-ostiary-client': inAscii(clientId),
    'x-ostiary-scopes': inAscii([...scopes].join(' ')),
    'x-ostiary-roles': [...roles].map((role) => inAscii(role).replaceAll(' ', '%20')).join(' '),
    'x-ostiary-acr': inAscii(user?.acr ?? ''),
    'x-ostiary-auth-time': String(user?.authTime ?? ''),
    'x-ostiary-session': inAscii(user?.sessionId ?? ''),
    'x-ostiary-actor': inAscii(actors?.[0]?.subject ?? ''),
    'x-ostiary-assertion': assertion,
  };
}

/** Percent-encodes characters that a header cannot contain (RFC 9110 §5.5), and the percent sign. */
const inAscii = (text: string): string =>
  text.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);

/**
 * Returns the first header of a client that an app could read as an identity header. CGI and its successors (WSGI,
 * PHP) replace characters of names by underscores, so `X_Ostiary_Subject` is the same variable (RFC 3875 §4.1.18).
 * @param rawHeaders alternating names and values
 */
export function forgedHeader(rawHeaders: readonly string[]): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length > reservedPrefix.length && isReserved(name)) return name;
  }
  return undefined;
}

const isReserved = (name: string): boolean => folded(name.slice(0, reservedPrefix.length)) === reservedPrefix;

/** Returns the name of a header in the form that all of its spellings share. */
export const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '-');
