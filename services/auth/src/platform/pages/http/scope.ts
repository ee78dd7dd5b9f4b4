import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from './authorization-answer.ts';
import { AnsweredBefore, PageError, sendErrorPage } from './page.ts';
import { readBy } from './reader.ts';
import type { ErrorPageKind } from './words.ts';

/** Maximum size in bytes of a form: a sign-in, or an authorization request by POST. */
const formLimit = 65_536;

/** Configures a Fastify scope for pages: forms only, errors as pages. */
export function servePages(pages: FastifyInstance): void {
  acceptForms(pages);
  // The browser's language applies until the authorization request of an application names one.
  pages.addHook('onRequest', (request, _reply, next) => readBy(request.headers['accept-language'], next));
  pages.setErrorHandler(showError);
}

/** Answers unknown addresses of a tenant: browsers get a page, other clients JSON. */
export const notFoundPages: FastifyPluginAsync = async (app) => {
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
const maxBodyBytes = 4 * 1_048_576;

/** Leaves forms as text, so that routes can reject repeated parameters. A parser would drop them. */
function acceptForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBodyBytes },
    (_request, body: string, done) =>
      body.length > formLimit ? done(new PageError('malformed', 413)) : done(null, body),
  );
  pages.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
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
