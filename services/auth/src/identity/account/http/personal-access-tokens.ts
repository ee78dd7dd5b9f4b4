import { AccessError, challengeOptions, requireAccess } from '@ostiary/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiTokenSummary, OwnerGone, TooManyApiTokens } from '../../../access/index.ts';
import { invalidRequest, OAuthError } from '../../../platform/index.ts';
import { objectOf, uuidOf } from '../../../platform/protocol/http/internal.ts';
import { answerError, refuseOtherMethods } from '../../../platform/protocol/http/oauth-endpoint.ts';
import type { AccountDependencies } from './dependencies.ts';

const collection = '/t/:tenant/personal-access-tokens';
const item = `${collection}/:id`;
const bodyLimit = 16_384;

/**
 * Personal access tokens of a user over REST, a protected resource (RFC 6750). Creating one requires a recent
 * sign-in, with the second factor if the user has one; otherwise the error is that of RFC 9470.
 */
export function personalAccessTokenRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  const { PUBLIC_ORIGIN: publicOrigin } = deps.env;
  const rule = { publicOrigin, user: true, tenantParam: 'tenant' };
  const preHandler = requireAccess(deps.verifier, { ...rule, scopes: ['openid'] });
  const changing = requireAccess(deps.verifier, { ...rule, scopes: ['self:tokens'] });
  app.setErrorHandler((error: Error, request, reply) =>
    error instanceof AccessError
      ? refuse(deps, error, request, reply)
      : answerError(error as OAuthError, request, reply),
  );
  app.addHook('onRequest', (_request, reply, next) => {
    reply.header('cache-control', 'no-store');
    next();
  });

  app.get(collection, { preHandler }, async (request) => {
    const { tenant, subject } = callerOf(request);
    const tokens = await deps.apiTokens.listPersonal(tenant, [subject]);
    return { personal_access_tokens: tokens.map(described) };
  });

  // The table of routes (`conferring.ts`) checks for a recent sign-in after these handlers.
  app.post(collection, { preHandler: [changing, refuseSuccessors], bodyLimit }, async (request, reply) => {
    const caller = callerOf(request);
    const { tenant } = caller;
    const wanted = readRequest(request.body);
    const subject = await deps.subjects.find(tenant, caller.subject);
    if (!subject) throw goneError();
    try {
      const { scopes, grantId, clientId, acr } = caller;
      const limits = { scopes, epoch: caller.subjectEpoch ?? -1, grantId, clientId, acr };
      const { summary, token } = await deps.apiTokens.createPersonal(tenant, subject, wanted, limits);
      return reply.code(201).send({ ...described(summary), token });
    } catch (error) {
      if (error instanceof OwnerGone) throw goneError();
      if (error instanceof TooManyApiTokens) {
        const message = 'A user has at most 50 active personal access tokens. Revoke one first.';
        throw new OAuthError('invalid_request', message, { statusCode: 409 });
      }
      throw error;
    }
  });
  refuseOtherMethods(app, collection, ['GET', 'POST']);

  app.delete(item, { preHandler: changing }, async (request, reply) => {
    const { tenant, subject } = callerOf(request);
    const id = uuidOf((request.params as { id: string }).id);
    const owner = id === undefined ? undefined : await deps.apiTokens.personalOwner(tenant, id);
    // Another user's token is reported as not found.
    if (id === undefined || owner !== subject || !(await deps.apiTokens.revoke(tenant, id))) {
      throw new OAuthError('invalid_request', 'There is no such token.', { statusCode: 404 });
    }
    return reply.code(204).send();
  });
  refuseOtherMethods(app, item, ['DELETE']);
}

/** As in the graph: a personal access token creates no tokens, and an exchanged token ends with its ancestors. */
async function refuseSuccessors(request: FastifyRequest): Promise<void> {
  const { apiToken, ancestors } = callerOf(request);
  if (apiToken || ancestors) throw new OAuthError('access_denied', notFromThis, { statusCode: 403 });
}

const notFromThis = 'Personal access tokens and exchanged tokens cannot create personal access tokens.';

function callerOf(request: FastifyRequest) {
  if (!request.principal) throw new Error('a route without its guard');
  return request.principal;
}

const goneError = (): AccessError =>
  new AccessError('invalid_token', 'The access token is expired, revoked or invalid.');

/** @throws OAuthError invalid_request */
function readRequest(body: unknown): { name: string; scopes?: string[]; expiresAt?: Date } {
  const { name, scope, expires_in: expiresIn } = objectOf(body);
  if (typeof name !== 'string') throw invalidRequest('name must be a string.');
  if (scope !== undefined && typeof scope !== 'string') {
    throw invalidRequest('scope must be a space-separated string of scopes.');
  }
  if (
    expiresIn !== undefined &&
    !(typeof expiresIn === 'number' && Number.isInteger(expiresIn) && expiresIn > 0)
  ) {
    throw invalidRequest('expires_in must be a whole number of seconds.');
  }
  // Limited to the maximum date, which is rejected like any other too long lifetime.
  const until = typeof expiresIn === 'number' ? Math.min(Date.now() + expiresIn * 1000, 8.64e15) : undefined;
  return {
    name,
    ...(scope === undefined ? {} : { scopes: scope.split(' ').filter((part) => part !== '') }),
    ...(until === undefined ? {} : { expiresAt: new Date(until) }),
  };
}

const described = (token: ApiTokenSummary) => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  scope: token.scopes.join(' '),
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
});

function refuse(
  deps: AccountDependencies,
  error: AccessError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { tenant } = request.params as { tenant: string };
  return reply
    .code(error.statusCode)
    .header(
      'www-authenticate',
      error.wwwAuthenticate(deps.issuer(tenant), challengeOptions(request, deps.verifier)),
    )
    .send({ error: error.error ?? 'unauthorized', error_description: error.description });
}
