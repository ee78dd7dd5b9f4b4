import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Binds forms and interactions to their browser. One per origin. The underscore distinguishes it from the session
 * cookies, because tenant ids contain none.
 */
const browserCookie = '__Host-ostiary_browser';

/** `__Host-` makes browsers require Secure, Path=/ and no Domain, so that no other host or path can set it. */
const sessionCookie = (tenant: string): string => `__Host-ostiary-${tenant}`;

export const sessionCookieOf = (request: FastifyRequest, tenant: string): string | undefined =>
  cookie(request, sessionCookie(tenant));

export function setSessionCookie(reply: FastifyReply, tenant: string, value: string, seconds: number): void {
  setCookie(reply, sessionCookie(tenant), value, seconds);
}

export function clearSessionCookie(reply: FastifyReply, tenant: string): void {
  setCookie(reply, sessionCookie(tenant), '', 0);
}

/** Returns the secret of this browser, and creates one for a browser without it. */
export function browserOf(request: FastifyRequest, reply: FastifyReply): string {
  const known = knownBrowser(request);
  if (known !== undefined) return known;
  const made = randomBytes(32).toString('base64url');
  setCookie(reply, browserCookie, made);
  return made;
}

export function knownBrowser(request: FastifyRequest): string | undefined {
  const value = cookie(request, browserCookie);
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** Returns the stored digest of a browser's secret. */
export const browserDigest = (browser: string): string =>
  createHash('sha256').update(`browser\0${browser}`).digest('base64url');

/** Returns the CSRF token of a form for this browser and purpose. */
export const csrfToken = (browser: string, purpose: string): string =>
  createHmac('sha256', browser).update(`csrf\0${purpose}`).digest('base64url');

/**
 * Reports whether a form comes from a page of this service in the same browser. Its Origin cannot be compared,
 * because the pages send no referrer and browsers then send `Origin: null`.
 */
export function isOwnForm(request: FastifyRequest, purpose: string, token: string | undefined): boolean {
  const browser = knownBrowser(request);
  if (browser === undefined || token === undefined) return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const expected = Buffer.from(csrfToken(browser, purpose));
  const given = Buffer.from(token);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function cookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals !== -1 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

function setCookie(reply: FastifyReply, name: string, value: string, maxAge?: number): void {
  const lifetime = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  const earlier = reply.getHeader('set-cookie');
  const cookies = earlier === undefined ? [] : [earlier].flat().map(String);
  // Of two cookies with the same name only the last counts, so the previous one is removed.
  const others = cookies.filter((text) => !text.startsWith(`${name}=`));
  reply.removeHeader('set-cookie');
  reply.header('set-cookie', [
    ...others,
    `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${lifetime}`,
  ]);
}
