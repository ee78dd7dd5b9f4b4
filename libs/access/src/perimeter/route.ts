import { isTenantId, platformTenant } from '../tokens/principal.ts';

/** Services with public routes. */
export type PublicService = 'auth' | 'provisioning';

/** Maximum size of a body in bytes; OAuth and OpenID Connect messages are far smaller. */
export const oauthBodyLimit = 1_048_576;

/** Destination of a request, decided by its path alone. */
export interface Route {
  service: PublicService;
  /** Path and query as the client sent them, except an id that no resource can have (`withPossibleId`). */
  target: string;
}

export type NoRoute = 'malformed' | 'unknown';

/**
 * Returns the service of a public path: `/t/{tenant}/scim/...` is provisioning's, the rest of `/t/{tenant}`
 * and `/.well-known/oauth-authorization-server/t/{tenant}` (also `ssf-configuration`) is auth's; metadata is
 * at the well-known path of its resource. No other path is public, in particular not `/internal`.
 * Paths are forwarded unchanged, so they must have one interpretation: dot segments, encoded slashes,
 * backslashes, double encoding and empty segments are rejected instead of normalised. As the id of a SCIM
 * resource, such a segment becomes an id that no resource has.
 */
export function routeOf(url: string): Route | NoRoute {
  const query = url.indexOf('?');
  const path = withPossibleId(query === -1 ? url : url.slice(0, query));
  const segments = segmentsOf(path);
  if (segments === undefined) return 'malformed';
  const service = serviceOf(segments);
  return service === undefined
    ? 'unknown'
    : { service, target: query === -1 ? path : path + url.slice(query) };
}

/**
 * Paths that need no decoding, have no dot segment, and are neither a tenant's graph nor a path of the
 * platform.
 */
const plain =
  /^\/(?:t|\.well-known\/[a-z-]+\/t)\/(?!platform(?:[/?]|$))[a-z0-9-]+(?:\/(?!graphql)[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,255}|\/\.well-known)*(?:\?|$)/;

/**
 * Reports whether a path has one interpretation for every parser, as nearly all have. `routeOf` decides
 * whether it exists.
 */
export const isPlain = (url: string): boolean => plain.test(url);

/** Returns the destination of such a path; undefined if it needs `routeOf` and the router. */
export function plainRouteOf(url: string): Route | undefined {
  const route = isPlain(url) ? routeOf(url) : undefined;
  return typeof route === 'object' ? route : undefined;
}

/** `/t/{tenant}/scim/v2/{type}/{id}`, with an id of the characters of a segment (RFC 3986 §3.3). */
const scimResource = /^(\/t\/[^/]+\/scim\/v2\/+[A-Za-z]+\/+)([\w.~!$&'()*+,;=:@%-]+)\/*$/;

/** Id sent in place of ids that no path can contain; no resource has it or can get it. */
const impossible = '!';

/** Maximum length of a segment in provisioning. */
const longestSegment = 256;

/**
 * Replaces an impossible SCIM resource id (with a slash or NUL, or too long) by an id that no resource has,
 * so that the response equals that for any unknown id, including 401 without a token. The original text,
 * which parsers could interpret differently, is not forwarded.
 */
function withPossibleId(path: string): string {
  const [, resource, id] = scimResource.exec(path) ?? [];
  const decoded = id === undefined ? undefined : decode(id);
  if (resource === undefined || id === undefined || decoded === undefined) return path;
  return id.length > longestSegment || ambiguous.test(decoded) ? resource + impossible : path;
}

function serviceOf(segments: readonly string[]): PublicService | undefined {
  const [first, second, third] = segments;
  if (first === 't' && isPublicTenant(second)) return third === 'scim' ? 'provisioning' : 'auth';
  if (
    first === '.well-known' &&
    (second === 'oauth-authorization-server' || second === 'ssf-configuration')
  ) {
    return third === 't' && segments.length === 4 && isPublicTenant(segments[3]) ? 'auth' : undefined;
  }
  if (first === '.well-known' && second === 'oauth-protected-resource') {
    const [, , , tenant, surface, version] = segments;
    const isScim = third === 't' && surface === 'scim' && version === 'v2' && segments.length === 6;
    return isScim && isPublicTenant(tenant) ? 'provisioning' : undefined;
  }
  return undefined;
}

// The platform tenant issues the services' own tokens, which they request directly from auth.
export const isPublicTenant = (text: string | undefined): boolean =>
  text !== undefined && isTenantId(text) && text !== platformTenant;

/** Returns the decoded segments of a path, or undefined if two parsers could interpret it differently. */
function segmentsOf(path: string): string[] | undefined {
  if (!path.startsWith('/') || !visibleAscii.test(path) || path.includes('\\') || path.includes('#'))
    return undefined;
  const raw = path.slice(1).split('/');
  const segments: string[] = [];
  for (const [index, text] of raw.entries()) {
    const segment = decode(text);
    if (segment === undefined || segment === '.' || segment === '..' || ambiguous.test(segment))
      return undefined;
    // Empty segments are permitted at the end, and below SCIM's base URL, where provisioning merges slashes.
    if (segment === '' && index !== raw.length - 1 && !isBelowScim(segments)) return undefined;
    segments.push(segment);
  }
  return segments;
}

/** Path of the console at the gateway, and its rest. */
const console = /^\/console\/([^?]*)/;

/**
 * Returns the part of a path below `/console/`, as sent: `assets/app.js`, or a place inside the console.
 * @returns undefined for a path that two parsers could interpret differently
 */
export function consolePathOf(url: string): string | undefined {
  const [path, below] = console.exec(url) ?? [];
  return path === undefined || segmentsOf(path) === undefined ? undefined : below;
}

/** Reports whether the segments before are `/t/{tenant}/scim/v2`. */
const isBelowScim = (segments: readonly string[]): boolean =>
  segments.length >= 4 && segments[0] === 't' && segments[2] === 'scim';

const visibleAscii = /^[\x21-\x7e]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const ambiguous = /[/\\\u0000-\u001f\u007f]|%[0-9a-fA-F]{2}/;

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
