import { consoleClientId } from './console-client.ts';

/** What of a client decides where an answer may go. */
export interface RedirectingClient {
  type: string;
  redirectUris: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * The registered redirect URI a requested one equals, byte for byte: no case folding, no normalisation, no pattern,
 * for each of those has been an open redirect somewhere. The one exception is the port of a loopback address of a
 * native app, which the operating system chooses (RFC 8252 §7.3).
 * @returns where to answer, or undefined when the answer must not leave this server
 */
export function matchRedirectUri(
  client: RedirectingClient,
  requested: string | undefined,
): string | undefined {
  if (requested === undefined) {
    // Left out, there must be no doubt which one is meant (RFC 6749 §3.1.2.3).
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
 * Whether another program on the user's machine may receive the answer: nothing proves which program a public client is, and any program may
 * listen on a loopback port, a registered one too, or claim a custom scheme. Such a request is never answered without the user
 * (RFC 8252 §8.6, RFC 6749 §10.2). The console is exempt: its address is that of this installation.
 */
export const mayBeImpersonated = (
  client: Pick<RedirectingClient, 'type'> & { clientId: string },
  redirectUri: string,
): boolean =>
  client.type === 'public' && client.clientId !== consoleClientId && !/^https:/i.test(redirectUri);

const isNative = (client: RedirectingClient): boolean =>
  client.metadata.application_type === 'native' ||
  (client.type === 'public' && client.metadata.application_type !== 'web');

/** `http://127.0.0.1:8123/cb` → `http://127.0.0.1/cb`; undefined for what isn't a loopback address. RFC 8252 §8.3 advises against `localhost`, but native clients use it. */
function withoutLoopbackPort(uri: string): string | undefined {
  const match = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri);
  if (!match) return undefined;
  if (match[2] !== undefined && Number(match[2]) > 65_535) return undefined;
  // Anything a URL parser would read differently from these bytes is no match.
  if (/[\s\\#]/.test(match[3] ?? '')) return undefined;
  return `http://${match[1]}${match[3]}`;
}

/** Adds answer parameters to a redirect URI, leaving every byte of it as registered. */
export function redirectTo(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.set(name, value);
  if (query.size === 0) return uri;
  const separator = !uri.includes('?') ? '?' : uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
  return `${uri}${separator}${query}`;
}
