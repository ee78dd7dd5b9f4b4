import type { ServiceKit } from '@ostiary/service';
import { VerificationError } from '@ostiary/verifier';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerRejected } from './domain/issuer.ts';
import { ownPath } from './domain/own-paths.ts';
import { isForeign, isForgery } from './domain/same-origin.ts';
import { SessionTooLarge } from './domain/sessions.ts';
import { type Redirect, SignInError, type SignInFailure, type WebApp } from './domain/web-app.ts';
import { pageOf } from './page.http.ts';

export interface SignInRoutesOptions {
  log: ServiceKit['log'];
  /** Apps with a sign-in, by host. */
  apps: ReadonlyMap<string, WebApp>;
}

type Query = Record<string, unknown>;

/** Adds the pages of the sign-in, which the proxies route to the guard on the host of each app. */
export function signInRoutes(app: FastifyInstance, { log, apps }: SignInRoutesOptions): void {
  void app.register(async (routes) => {
    routes.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, body),
    );
    routes.setErrorHandler((error, request, reply) => {
      if (isOfClient(error)) return reply.code(error.statusCode).send();
      return answerFailure(error, request, reply, log);
    });
    const get = { exposeHeadRoute: false };
    routes.get(ownPath('sign-in'), get, async (request, reply) => {
      const { return: target } = request.query as Query;
      const found = appOf(apps, request);
      if (!found) return reply.callNotFound();
      const redirect = await found.begin(typeof target === 'string' ? target : '', request.headers);
      return sendRedirect(reply, redirect);
    });
    routes.get(ownPath('callback'), get, async (request, reply) => {
      const found = appOf(apps, request);
      if (!found) return reply.callNotFound();
      const { searchParams } = new URL(request.url, found.origin);
      const redirect = await found.finish(searchParams, request.headers.cookie, (error) =>
        log.warn(
          { event: 'guard.revocation_failed', err: error },
          'Revocation of the previous session failed',
        ),
      );
      return sendRedirect(reply, redirect);
    });
    routes.route({
      method: ['GET', 'POST'],
      url: ownPath('sign-out'),
      ...get,
      handler: async (request, reply) => {
        const found = appOf(apps, request);
        if (!found) return reply.callNotFound();
        if (!isWanted(request, found)) return sendPage(reply, 403, 'foreign', ownPath('sign-out'));
        const redirect = await found.end(request.headers.cookie, (error) =>
          log.warn({ event: 'guard.sign_out_failed', err: error }, 'Sign-out at the issuer failed'),
        );
        return sendRedirect(reply, redirect);
      },
    });
    routes.post(ownPath('backchannel-logout'), async (request, reply) => {
      const found = appOf(apps, request);
      if (!found) return reply.callNotFound();
      const token = new URLSearchParams(String(request.body ?? '')).getAll('logout_token');
      reply.header('cache-control', 'no-store');
      // OpenID Connect Back-Channel Logout 1.0 §2.8
      if (token.length !== 1) return reply.code(400).send({ error: 'invalid_request' });
      await found.receiveLogout(token[0] ?? '');
      return reply.code(200).send();
    });
  });
}

/** Reports whether the user requested a sign-out: a page of another site could otherwise end sessions. */
const isWanted = ({ method, headers }: FastifyRequest, { origin }: WebApp): boolean =>
  method === 'POST'
    ? !isForgery(method, headers, origin)
    : // Without Fetch Metadata, the site of a link is unknown.
      headers['sec-fetch-site'] !== undefined && !isForeign(headers);

function appOf(apps: ReadonlyMap<string, WebApp>, { host }: FastifyRequest): WebApp | undefined {
  return apps.get(host.toLowerCase().replace(/:(?:80|443)$/, ''));
}

const sendRedirect = (reply: FastifyReply, { location, cookies }: Redirect): FastifyReply =>
  reply
    .code(303)
    .headers({
      location,
      'set-cookie': [...cookies],
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send();

const statuses: Record<SignInFailure, number> = {
  return: 400,
  unknown: 400,
  denied: 403,
  answer: 403,
  weak: 403,
  client: 500,
  cookies: 400,
};

function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: ServiceKit['log'],
): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (error instanceof AnswerRejected) {
    log.warn({ event: 'guard.logout_token_rejected', err: error }, 'Logout token rejected');
    return reply.code(400).send({ error: 'invalid_request', error_description: error.message });
  }
  if (error instanceof SignInError) {
    const { reason, returnTo } = error;
    log.warn({ event: 'guard.sign_in_failed', reason, err: error.cause }, 'Sign-in failed');
    return sendPage(reply, statuses[reason], reason, againAt(returnTo));
  }
  if (error instanceof SessionTooLarge) {
    log.error({ event: 'guard.session_too_large', err: error }, 'Session does not fit into a cookie');
    return sendPage(reply, 500, 'client', againAt('/'));
  }
  if (!(error instanceof VerificationError))
    log.warn({ event: 'guard.issuer_failed', err: error }, 'Request to the issuer failed');
  reply.header('retry-after', '1');
  return sendPage(reply, 503, 'unavailable', request.method === 'GET' ? request.url : againAt('/'));
}

const againAt = (target: string): string => `${ownPath('sign-in')}?return=${encodeURIComponent(target)}`;

/** Errors of Fastify, such as of a body that is too large. */
const isOfClient = (error: unknown): error is { statusCode: number } => {
  const { statusCode } = error as { statusCode?: unknown };
  return !(error instanceof VerificationError) && typeof statusCode === 'number' && statusCode < 500;
};

function sendPage(
  reply: FastifyReply,
  status: number,
  text: Parameters<typeof pageOf>[0],
  link: string,
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      // Without a referrer, the form of the page would have the origin `null`.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(pageOf(text, link));
}
