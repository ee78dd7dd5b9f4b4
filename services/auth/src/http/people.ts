import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { PeopleDependencies } from '../people.ts';
import { authorizeRoutes } from './authorize.ts';
import { consentRoutes } from './consent.ts';
import { credentialRoutes } from './internal-credentials.ts';
import { eventRoutes } from './internal-events.ts';
import { revocationRoutes } from './internal-revocations.ts';
import { roleRoutes } from './internal-roles.ts';
import { loginRoutes } from './login.ts';
import { logoutRoutes } from './logout.ts';
import { AnsweredBefore, PageError, sendErrorPage, sendOn } from './page.ts';
import type { ErrorPageKind } from './pages/words.ts';

/** Bytes of a form: a sign-in, or an authorization request by POST. */
const formLimit = 65_536;

/** Every route of the people half: the pages they see, and the internal ones about them. */
export function peopleRoutes(deps: PeopleDependencies): FastifyPluginAsync {
  return async (app) => {
    await app.register(async (pages) => {
      acceptForms(pages);
      pages.setErrorHandler(showError);
      authorizeRoutes(pages, deps);
      loginRoutes(pages, deps);
      consentRoutes(pages, deps);
      logoutRoutes(pages, deps);
    });
    await app.register(async (internal) => {
      credentialRoutes(internal, deps);
      revocationRoutes(internal, deps);
      eventRoutes(internal, deps);
      roleRoutes(internal, deps);
    });
  };
}

/** Forms stay text until a route reads them strictly: a parser would drop what was sent twice. */
function acceptForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, body),
  );
}

/** People get a page, whatever failed. */
function showError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof AnsweredBefore) return sendOn(reply, error.location);
  const status = statusOf(error);
  if (!(error instanceof PageError) && status >= 500) logFailure(request, error, status);
  if (status === 503) reply.header('retry-after', 1);
  return sendErrorPage(request, reply, { kind: kindOf(error, status), status });
}

function kindOf(error: Error, status: number): ErrorPageKind {
  if (error instanceof PageError) return error.kind;
  if (isUnavailable(error)) return 'unavailable';
  return status < 500 ? 'malformed' : 'internal';
}
