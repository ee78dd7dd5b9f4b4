import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import {
  accountFactorRoutes,
  accountPasswordRoutes,
  accountRoutes,
  accountTokenRoutes,
  invitationRoutes,
  personalAccessTokenRoutes,
} from '../account/http/index.ts';
import { clientLogoRoutes } from '../clients/http/index.ts';
import { eventRoutes } from '../directory-events/http/index.ts';
import { authorizeRoutes, consentRoutes, deviceRoutes } from '../oauth/http/index.ts';
import { ownerRoutes } from '../ownership/http/index.ts';
import {
  AnsweredBefore,
  type ErrorPageKind,
  PageError,
  readBy,
  sendAnswer,
  sendErrorPage,
} from '../pages/http/index.ts';
import { administratorRoutes, roleRoutes } from '../roles/http/index.ts';
import {
  credentialRoutes,
  internalInvitationRoutes,
  loginRoutes,
  logoutRoutes,
  recoverRoutes,
  secondFactorRoutes,
  selectAccountRoutes,
} from '../sign-in/http/index.ts';
import { revocationRoutes } from '../subjects/http/index.ts';
import { brandingRoutes } from '../tenants/http/index.ts';
import { nodeRoutes } from '../upkeep/http/index.ts';
import type { PeopleDependencies } from './people.ts';

/** Maximum size in bytes of a form: a sign-in, or an authorization request by POST. */
const formLimit = 65_536;

/** Routes of the user half: pages, and internal routes about users. */
export function peopleRoutes(deps: PeopleDependencies): FastifyPluginAsync {
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
