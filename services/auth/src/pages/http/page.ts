import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './error.ts';
import { formPostScript, formPostScriptHash } from './form-post.ts';
import type { Markup } from './layout.ts';
import { passkeyScript, passkeyScriptHash } from './passkey.ts';
import { reader } from './reader.ts';
import { stylesheetHash } from './stylesheet.ts';
import { type ErrorPageKind, words } from './words.ts';

/** A page instead of an answer: what kind, and with which HTTP status. */
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

/** How a browser leaves: to an address, or with a form that a page of ours posts (OAuth 2.0 Form Post Response Mode). */
export type AuthorizationAnswer = string | { action: string; fields: Record<string, string> };

/** The form was sent before, by a second click or a reload: the browser goes where it went then. */
export class AnsweredBefore extends Error {
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super('answered before');
    this.name = 'AnsweredBefore';
    this.answer = answer;
  }
}

/**
 * Sends a page no other site can frame, script, cache or learn the address of.
 * @param formTarget where the answer to the form may lead, beside this origin
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

/** The hash of the one script that a page has, if it has one. */
function scriptOf(markup: Markup): string | undefined {
  if (markup.includes(passkeyScript)) return passkeyScriptHash;
  return markup.includes(`<script>${formPostScript}</script>`) ? formPostScriptHash : undefined;
}

/** Sends the browser on, by a GET whatever the method was: 307 would post a password again (RFC 9700 §2.11). */
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
  /** The hash of the page's script. */
  script?: string | undefined;
  /** Whether the page shows any; they come from here. */
  pictures?: boolean;
}

function protect(reply: FastifyReply, { formTarget, script, pictures }: Protection = {}): FastifyReply {
  const { look } = reader();
  return reply.headers({
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${stylesheetHash}${look.style === undefined ? '' : ` ${look.style.hash}`}`,
      ...(pictures ? ["img-src 'self'"] : []),
      // Nothing else runs, and what runs asks nobody anything: it fills in a form, or sends it.
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
 * The form-action source for a redirect URI. Browsers hold the policy against every hop after a form, and an app's
 * callback may well lead on to another of its hosts: so https stays open as a whole.
 */
export function formTargetOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (url.protocol !== 'http:') return url.protocol;
  // An IPv6 address can't be written as a source.
  return url.hostname.startsWith('[') ? 'http:' : url.origin;
}
