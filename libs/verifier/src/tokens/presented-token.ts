import { invalidRequest } from '../rejections/access-error.ts';
import {
  authorizationHeaders,
  hasTokenInQuery,
  headerToken,
  pathOf,
  requireWellFormed,
} from './authorization-header.ts';

/** A request of the Fetch API, such as Hono's `context.req.raw`. */
interface FetchRequest {
  headers: { get(name: string): string | null };
  method: string;
  url: string;
}

/** A request of Node's HTTP server, also of Express. */
interface NodeRequest {
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the target before a router removed its prefix. */
  originalUrl?: string;
}

/** The parts of a request that matter. Without `method` and `url`, no DPoP proof is accepted. */
interface RequestParts {
  authorization?: string | null | undefined;
  /** The DPoP header. */
  dpop?: string | null | undefined;
  method?: string | undefined;
  /** URL or path. */
  url?: string | undefined;
}

/** A request, its parts, or its Authorization header. */
export type TokenSource = string | null | undefined | FetchRequest | NodeRequest | RequestParts;

/** A token as presented in a request, with the values that a proof of possession must match. */
export interface PresentedToken {
  readonly token: string;
  readonly scheme: 'Bearer' | 'DPoP';
  readonly proof: string | undefined;
  readonly method: string | undefined;
  /** Path of the request without the query. */
  readonly path: string | undefined;
}

/**
 * Returns the access token of a request's Authorization header (RFC 6750 §2.1, RFC 9449 §7.1).
 * @throws AccessError invalid_request for a token in the query or several headers; invalid_token for a malformed
 * token
 */
export function presentedToken(source: TokenSource): PresentedToken | undefined {
  const { authorization, dpop, method, url } = partsOf(source);
  if (url !== undefined && hasTokenInQuery(url))
    throw invalidRequest('An access token must not be sent in the query string.');
  const found = headerToken(authorization ?? undefined);
  if (found === undefined) return undefined;
  requireWellFormed(found.token);
  return { ...found, proof: dpop ?? undefined, method, path: url === undefined ? undefined : pathOf(url) };
}

function partsOf(source: TokenSource): RequestParts {
  if (typeof source !== 'object' || source === null) return { authorization: source };
  if (!('headers' in source)) return source;
  if (isFetchRequest(source)) {
    const { headers, method, url } = source;
    return { authorization: headers.get('authorization'), dpop: headers.get('dpop'), method, url };
  }
  const { headers, rawHeaders, method, url, originalUrl = url } = source;
  if (authorizationHeaders(rawHeaders) > 1)
    throw invalidRequest('The Authorization header was sent more than once.');
  // Node joins repeated DPoP headers, and a joined one is malformed.
  const [authorization, dpop] = [headers.authorization, headers.dpop].map((value) => [value].flat().join());
  return {
    authorization: authorization || undefined,
    dpop: dpop || undefined,
    method,
    url: originalUrl,
  };
}

const isFetchRequest = (source: FetchRequest | NodeRequest): source is FetchRequest =>
  typeof source.headers.get === 'function';
