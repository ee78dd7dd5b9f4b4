import { consoleClientId } from './console-client.ts';

/** The members of a client that decide on its redirect URIs. */
export interface RedirectingClient {
  type: string;
  redirectUris: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Matches a requested redirect URI with the registered ones byte for byte. Case folding, normalization and patterns
 * have caused open redirects. The only exception is the port of a native app's loopback address, which the operating
 * system chooses (RFC 8252 §7.3).
 * @returns the redirect URI, or undefined when the response must not leave this server
 */
export function matchRedirectUri(
  client: RedirectingClient,
  requested: string | undefined,
): string | undefined {
  if (requested === undefined) {
    // May be omitted only if exactly one is registered (RFC 6749 §3.1.2.3).
    return client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  }
  if (client.redirectUris.includes(requested)) return requested;
  if (!isNative(client)) return undefined;
  const loopback = withoutLoopbackPort(requested);
  if (loopback === undefined) return undefined;
  return client.redirectUris.some((registered) => withoutLoopbackPort(registered) === loopback)
    ? requested
    : undefined;
}

/**
 * Reports whether another program on the user's device may receive the response: a public client is not authenticated,
 * and any program may listen on a loopback port, even a registered one, or claim a custom scheme. Such a request always
 * needs interaction with the user (RFC 8252 §8.6, RFC 6749 §10.2). The console is exempt: its address is that of this
 * installation.
 */
export const mayBeImpersonated = (
  client: RedirectingClient & { clientId: string },
  redirectUri: string,
): boolean =>
  client.type === 'public' && client.clientId !== consoleClientId && !/^https:/i.test(redirectUri);

const isNative = (client: RedirectingClient): boolean =>
  client.metadata.application_type === 'native' ||
  (client.type === 'public' && client.metadata.application_type !== 'web');

/**
 * `http://127.0.0.1:8123/cb` → `http://127.0.0.1/cb`; undefined for other addresses. RFC 8252 §8.3 advises against
 * `localhost`, but native clients use it.
 */
function withoutLoopbackPort(uri: string): string | undefined {
  const match = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri);
  if (!match) return undefined;
  if (match[2] !== undefined && Number(match[2]) > 65_535) return undefined;
  // Characters that a URL parser interprets differently do not match.
  if (/[\s\\#]/.test(match[3] ?? '')) return undefined;
  return `http://${match[1]}${match[3]}`;
}

/** Adds response parameters to a redirect URI without changing its registered bytes. */
export function redirectTo(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.set(name, value);
  if (query.size === 0) return uri;
  const separator = !uri.includes('?') ? '?' : uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
  return `${uri}${separator}${query}`;
}
