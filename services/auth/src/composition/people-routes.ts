import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ownerRoutes } from '../access/ownership/internal-owners.http.ts';
import { administratorRoutes } from '../access/roles/http/internal-administrators.ts';
import { roleRoutes } from '../access/roles/http/internal-roles.ts';
import { clientLogoRoutes } from '../clients/http/client-logo.ts';
import { accountRoutes } from '../identity/account/http/account.ts';
import { accountFactorRoutes } from '../identity/account/http/account-factors.ts';
import { accountPasswordRoutes } from '../identity/account/http/account-password.ts';
import { accountTokenRoutes } from '../identity/account/http/account-tokens.ts';
import { invitationRoutes } from '../identity/account/http/invitation.ts';
import { personalAccessTokenRoutes } from '../identity/account/http/personal-access-tokens.ts';
import { credentialRoutes } from '../identity/sign-in/http/internal-credentials.ts';
import { internalInvitationRoutes } from '../identity/sign-in/http/internal-invitations.ts';
import { loginRoutes } from '../identity/sign-in/http/login.ts';
import { logoutRoutes } from '../identity/sign-in/http/logout.ts';
import { recoverRoutes } from '../identity/sign-in/http/recover.ts';
import { secondFactorRoutes } from '../identity/sign-in/http/second-factor.ts';
import { selectAccountRoutes } from '../identity/sign-in/http/select-account.ts';
import { eventRoutes } from '../lifecycle/directory-events/http/internal-events.ts';
import { nodeRoutes } from '../lifecycle/maintenance/http/internal-nodes.ts';
import { authorizeRoutes } from '../oauth/http/authorize.ts';
import { consentRoutes } from '../oauth/http/consent.ts';
import { deviceRoutes } from '../oauth/http/device.ts';
import { sendAnswer } from '../platform/pages/http/authorization-answer.ts';
import { AnsweredBefore, PageError, sendErrorPage } from '../platform/pages/http/page.ts';
import { readBy } from '../platform/pages/http/reader.ts';
import type { ErrorPageKind } from '../platform/pages/http/words.ts';
import { brandingRoutes } from '../tenancy/tenants/http/branding.ts';
import { revocationRoutes } from '../tenancy/users/internal-revocations.http.ts';
import type { Dependencies } from './dependencies.ts';

/** Maximum size in bytes of a form: a sign-in, or an authorization request by POST. */
const formLimit = 65_536;

/** Routes of the user half: pages, and internal routes about users. */
export function peopleRoutes(deps: Dependencies): FastifyPluginAsync {
  return async (app) => {
    await app.register(async (pages) => {
      acceptForms(pages);
      // The browser's language applies until the authorization request of an application names one.
      pages.addHook('onRequest', (request, _reply, next) => readBy(request.headers['accept-language'], next));
      pages.setErrorHandler(showError);
      authorizeRoutes(pages, deps);
      loginRoutes(pages, deps);
      secondFactorRoutes(pages, deps);
      recoverRoutes(pages, deps);
      accountRoutes(pages, deps);
      accountPasswordRoutes(pages, deps);
      accountFactorRoutes(pages, deps);
      accountTokenRoutes(pages, deps);
      invitationRoutes(pages, deps);
      consentRoutes(pages, deps);
      if (deps.env.DEVICE_FLOW_ENABLED) deviceRoutes(pages, deps);
      logoutRoutes(pages, deps);
      selectAccountRoutes(pages, deps);
      brandingRoutes(pages, deps);
      clientLogoRoutes(pages, deps);
    });
    await app.register(notFoundPages, { prefix: '/t' });
    await app.register(async (rest) => personalAccessTokenRoutes(rest, deps));
    await app.register(async (internal) => {
      credentialRoutes(internal, deps);
      revocationRoutes(internal, deps);
      eventRoutes(internal, deps);
      roleRoutes(internal, deps);
      administratorRoutes(internal, deps);
      nodeRoutes(internal, deps);
      ownerRoutes(internal, deps);
      internalInvitationRoutes(internal, deps);
    });
  };
}

/** Answers unknown addresses of a tenant: browsers get a page, other clients JSON. */
const notFoundPages: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', (request, _reply, next) => readBy(request.headers['accept-language'], next));
  app.setNotFoundHandler((request, reply) => {
    const accepts = request.headers.accept ?? '';
    if (request.method === 'GET' && accepts.includes('text/html'))
      return sendErrorPage(request, reply, { kind: 'not_found', status: 404 });
    return reply.code(404).send({ error: 'not_found', message: 'There is nothing at this address.' });
  });
};

/**
 * Maximum number of bytes read before a body is rejected. A response that is sent while the edge proxy still sends the
 * body is lost, and the user sees that the service is unavailable.
 */
const longestBody = 4 * 1_048_576;

/** Leaves forms as text, so that routes can reject repeated parameters. A parser would drop them. */
function acceptForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: longestBody },
    (_request, body: string, done) =>
      body.length > formLimit ? done(new PageError('malformed', 413)) : done(null, body),
  );
  pages.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: longestBody },
    (_request: FastifyRequest, _body: Buffer, done: (error: Error) => void) =>
      done(new PageError('malformed', 415)),
  );
}

/** Answers every error with a page. */
function showError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof AnsweredBefore) return sendAnswer(reply, error.answer);
  const status = statusOf(error);
  if (!(error instanceof PageError) && status >= 500) logFailure(request, error, status);
  if (status === 503 || status === 429) reply.header('retry-after', 1);
  return sendErrorPage(request, reply, { kind: kindOf(error, status), status });
}

function kindOf(error: Error, status: number): ErrorPageKind {
  if (error instanceof PageError) return error.kind;
  if (isUnavailable(error)) return 'unavailable';
  return status < 500 ? 'malformed' : 'internal';
}
