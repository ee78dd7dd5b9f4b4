import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Binds forms and interactions to the browser they were made for. One for the whole origin; the underscore keeps it
 * apart from every tenant's session cookie, whose names can't hold one.
 */
const browserCookie = '__Host-ostiary_browser';

/** `__Host-` makes browsers insist on Secure, Path=/ and no Domain: no other host or path can plant it. */
const sessionCookie = (tenant: string): string => `__Host-ostiary-${tenant}`;

export const sessionCookieOf = (request: FastifyRequest, tenant: string): string | undefined =>
  cookie(request, sessionCookie(tenant));

export function setSessionCookie(reply: FastifyReply, tenant: string, value: string, seconds: number): void {
  setCookie(reply, sessionCookie(tenant), value, seconds);
}

export function clearSessionCookie(reply: FastifyReply, tenant: string): void {
  setCookie(reply, sessionCookie(tenant), '', 0);
}

/** The secret this browser is known by; a new one is given to a browser that has none. */
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

/** What is stored of a browser's secret. */
export const browserDigest = (browser: string): string =>
  createHash('sha256').update(`browser\0${browser}`).digest('base64url');

/** The token a form must bring back: only this browser's pages of this purpose can have it. */
export const csrfToken = (browser: string, purpose: string): string =>
  createHmac('sha256', browser).update(`csrf\0${purpose}`).digest('base64url');

/**
 * Whether a form comes from a page of ours in the same browser. Its Origin can't be compared: our pages send no
 * referrer, and browsers then say `Origin: null`.
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
  // Of two cookies of one name only the last counts, so the earlier one need not be sent.
  const others = cookies.filter((text) => !text.startsWith(`${name}=`));
  reply.removeHeader('set-cookie');
  reply.header('set-cookie', [
    ...others,
    `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${lifetime}`,
  ]);
}
