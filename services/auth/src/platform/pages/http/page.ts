import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './error.ts';
import { formPostScript, formPostScriptHash } from './form-post.ts';
import type { Markup } from './layout.ts';
import { passkeyScript, passkeyScriptHash } from './passkey.ts';
import { reader } from './reader.ts';
import { stylesheetHash } from './stylesheet.ts';
import { type ErrorPageKind, words } from './words.ts';

/** An error that is shown as a page of the kind, with the HTTP status. */
export class PageError extends Error {
  readonly statusCode: number;
  readonly kind: ErrorPageKind;

  constructor(kind: ErrorPageKind, statusCode: number) {
    super(kind);
    this.name = 'PageError';
    this.kind = kind;
    this.statusCode = statusCode;
  }
}

/** Response to the client: a redirect, or a form that a page posts (OAuth 2.0 Form Post Response Mode). */
export type AuthorizationAnswer = string | { action: string; fields: Record<string, string> };

/** The form was sent before, by a second click or a reload. The browser gets the same response. */
export class AnsweredBefore extends Error {
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super('answered before');
    this.name = 'AnsweredBefore';
    this.answer = answer;
  }
}

/**
 * Sends a page that other sites cannot frame, script or cache, and whose address they do not receive.
 * @param formTarget source to which the response of the form may redirect, in addition to this origin
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  markup: Markup,
  formTarget?: string,
): FastifyReply {
  return protect(reply, { formTarget, script: scriptOf(markup), pictures: markup.includes('<img ') })
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-language', words.language)
    .send(markup);
}

/** Returns the hash of the page's script, if any. */
function scriptOf(markup: Markup): string | undefined {
  if (markup.includes(passkeyScript)) return passkeyScriptHash;
  return markup.includes(`<script>${formPostScript}</script>`) ? formPostScriptHash : undefined;
}

/** Redirects with GET regardless of the method: 307 would post a password again (RFC 9700 §2.11). */
export const sendOn = (reply: FastifyReply, location: string): FastifyReply =>
  protect(reply).code(303).header('location', location).send();

export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  error: { kind: ErrorPageKind; status: number; tenantName?: string | undefined },
): FastifyReply {
  const { kind, status, tenantName } = error;
  return sendPage(reply, status, errorPage({ kind, tenantName, reference: request.id }));
}

interface Protection {
  formTarget?: string | undefined;
  /** Hash of the page's script. */
  script?: string | undefined;
  /** The page contains images, all from this origin. */
  pictures?: boolean;
}

function protect(reply: FastifyReply, { formTarget, script, pictures }: Protection = {}): FastifyReply {
  const { look } = reader();
  return reply.headers({
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${stylesheetHash}${look.style === undefined ? '' : ` ${look.style.hash}`}`,
      ...(pictures ? ["img-src 'self'"] : []),
      // No other script runs, and these make no requests: they fill in or submit a form.
      ...(script === undefined ? [] : [`script-src ${script}`]),
      `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  });
}

/**
 * Returns the form-action source for a redirect URI. Browsers apply the policy to every redirect after a form, and
 * the callback of an app may redirect to another host, so all https addresses are permitted.
 */
export function formTargetOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol !== 'http:') return url.protocol;
  // An IPv6 address cannot be written as a source.
  return url.hostname.startsWith('[') ? 'http:' : url.origin;
}
