import { isTenantId, platformTenant } from '../tokens/principal.ts';

/** The services of which the outside may ask something. */
export type PublicService = 'auth' | 'provisioning';

/** Nothing that OAuth or OpenID Connect sends comes near this many bytes. */
export const oauthBodyLimit = 1_048_576;

/** Where a request goes, decided on its path alone. */
export interface Route {
  service: PublicService;
  /** Path and query exactly as the client sent them, but for an id that no resource has and that can't be sent on (`withPossibleId`). */
  target: string;
}

export type NoRoute = 'malformed' | 'unknown';

/**
 * The contract's routes at the edge: `/t/{tenant}/scim/...` is provisioning's, the rest of `/t/{tenant}` and
 * `/.well-known/oauth-authorization-server/t/{tenant}` is auth's (and `ssf-configuration` likewise); the metadata of each is
 * at the well-known address that belongs to it. Nothing else is reachable, `/internal` least of all.
 *
 * A path is passed on as it came, so it must mean the same here and there: one with dot segments, encoded slashes,
 * backslashes or double encoding, or with empty segments, is refused rather than normalised; only where the id of a SCIM resource stands
 * such a segment is an id that nothing has.
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

/** What needs no decoding, holds no dot segment, and can't be the graph of a tenant or an address of the platform. */
const plain =
  /^\/(?:t|\.well-known\/[a-z-]+\/t)\/(?!platform(?:[/?]|$))[a-z0-9-]+(?:\/(?!graphql)[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,255}|\/\.well-known)*(?:\?|$)/;

/** Whether any parser reads a path in one way, as nearly all are; whether anything is there, `routeOf` says. */
export const isPlain = (url: string): boolean => plain.test(url);

/** Where such a path goes; undefined for those that need `routeOf` and the router. */
export function plainRouteOf(url: string): Route | undefined {
  const route = isPlain(url) ? routeOf(url) : undefined;
  return typeof route === 'object' ? route : undefined;
}

/** `/t/{tenant}/scim/v2/{type}/{id}`, the id of what RFC 3986 §3.3 lets a segment consist of. */
const scimResource = /^(\/t\/[^/]+\/scim\/v2\/+[A-Za-z]+\/+)([\w.~!$&'()*+,;=:@%-]+)\/*$/;

/** The id that stands for all those that no resource has and no path can hold: nothing has it, and nothing can be given it. */
const impossible = '!';

/** Of one segment, in provisioning. */
const longestSegment = 256;

/**
 * A path whose last segment is to be the id of a SCIM resource and can't be one (a slash, NUL, too long) asks for what doesn't exist, and
 * its answer is to be that of any other id that nothing has, 401 without a token. So provisioning is asked for an id that nothing has; what
 * was written in its place, which another parser could read differently, goes no further.
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

// The platform tenant issues the services' own tokens; they fetch them from auth directly.
export const isPublicTenant = (text: string | undefined): boolean =>
  text !== undefined && isTenantId(text) && text !== platformTenant;

/** Decoded path segments, or undefined for a path that two parsers could read differently. */
function segmentsOf(path: string): string[] | undefined {
  if (!path.startsWith('/') || !visibleAscii.test(path) || path.includes('\\') || path.includes('#'))
    return undefined;
  const raw = path.slice(1).split('/');
  const segments: string[] = [];
  for (const [index, text] of raw.entries()) {
    const segment = decode(text);
    if (segment === undefined || segment === '.' || segment === '..' || ambiguous.test(segment))
      return undefined;
    // A slash at the very end is the one place for an empty segment; and behind SCIM's base URL, where provisioning reads several
    // slashes as one.
    if (segment === '' && index !== raw.length - 1 && !isBelowScim(segments)) return undefined;
    segments.push(segment);
  }
  return segments;
}

/** Where the gateway serves the console, and the rest of such a path. */
const console = /^\/console\/([^?]*)/;

/**
 * What a path below `/console/` asks for, as it was written: `assets/app.js`, or a place inside the console. It has one reading, or none.
 * @returns undefined for one that two parsers could read differently
 */
export function consolePathOf(url: string): string | undefined {
  const [path, below] = console.exec(url) ?? [];
  return path === undefined || segmentsOf(path) === undefined ? undefined : below;
}

/** `/t/{tenant}/scim/v2` stands before it. */
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
