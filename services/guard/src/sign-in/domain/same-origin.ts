import type { IncomingHttpHeaders } from 'node:http';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Reports whether a page of another origin sent a request that can change something. Cookies with `SameSite=Lax` are
 * absent from requests of other sites, but not from those of other hosts of the same site.
 */
export function isForgery(method: string, headers: IncomingHttpHeaders, origin: string): boolean {
  if (safeMethods.includes(method) && !isSocket(headers)) return false;
  if (headers.origin !== undefined) return headers.origin !== origin;
  return isForeign(headers);
}

/** Proxies remove `Upgrade` before they ask, and some browsers do not send Fetch Metadata. */
const isSocket = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] === 'websocket' ||
  ['upgrade', 'sec-websocket-key', 'sec-websocket-version'].some((name) => headers[name] !== undefined);

/** Reports whether another origin led to a request (Fetch Metadata). Some browsers do not state it. */
export const isForeign = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

/** Reports whether a browser loads a page, so that it can follow a redirect to the issuer. */
export const isPageLoad = (method: string, headers: IncomingHttpHeaders): boolean =>
  method === 'GET' &&
  (headers.accept ?? '').includes('text/html') &&
  (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate' &&
  headers['sec-purpose'] === undefined;
