import { AccessError, bearerToken, insufficientScope, invalidToken, missingToken } from '@ostiary/access';
import { ServiceUnavailable } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, parseParameters } from '../domain/parameters.ts';
import { userinfoClaims } from '../domain/userinfo.ts';
import {
  type EndpointDependencies,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from './oauth-endpoint.ts';

type UserinfoRequest = FastifyRequest<TenantRoute>;

/** GET and POST /t/{tenant}/userinfo (OpenID Connect Core §5.3), a protected resource by the rules of RFC 6750. */
export function userinfoEndpoint(app: FastifyInstance, deps: EndpointDependencies): void {
  app.register(async (scope) => {
    // Here the form is only another place for the token (RFC 6750 §2.2).
    scope.removeContentTypeParser('application/x-www-form-urlencoded');
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request: FastifyRequest, body: string, done: (error: null, form: object) => void) =>
        done(null, formObject(parseParameters(body))),
    );
    scope.route<TenantRoute>({
      method: ['GET', 'POST'],
      url: '/t/:tenant/userinfo',
      handler: async (request, reply) => {
        const tenant = await tenantOf(deps, request);
        try {
          return await claimsFor(deps, tenant, request);
        } catch (error) {
          if (error instanceof AccessError) return refuse(error, deps.issuer(tenant), reply);
          throw error;
        }
      },
    });
    refuseOtherMethods(scope, '/t/:tenant/userinfo', ['GET', 'POST']);
  });
}

/** @throws AccessError; ServiceUnavailable when the directory is needed and doesn't answer */
async function claimsFor(
  deps: EndpointDependencies,
  tenant: string,
  request: UserinfoRequest,
): Promise<Record<string, unknown>> {
  const token = bearerToken(request);
  if (token === undefined) throw missingToken();
  const live = await deps.introspection.liveAccessToken(tenant, token);
  if (!live || ![live.claims.aud].flat().includes(deps.issuer(tenant))) throw invalidToken();
  const scopes = new Set((live.claims.scope ?? '').split(' '));
  if (!scopes.has('openid')) throw insufficientScope(['openid']);
  const subject = await deps.subjects.find(tenant, live.claims.sub);
  if (!subject?.active) throw invalidToken();
  return userinfoClaims(
    subject,
    scopes,
    scopes.has('groups') ? await groupsOf(deps, tenant, subject.id) : undefined,
  );
}

/** Names of the person's groups, asked of their owner: membership changes without this service hearing of it. */
async function groupsOf(deps: EndpointDependencies, tenant: string, subjectId: string): Promise<string[]> {
  const { status, body } = await deps.directory.request<{ groups?: { value: string; display?: string }[] }>({
    method: 'GET',
    path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(subjectId)}`,
    query: { attributes: 'groups' },
  });
  if (status === 404) throw invalidToken();
  if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
  return (body.groups ?? []).map((group) => group.display ?? group.value);
}

function refuse(error: AccessError, realm: string, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.statusCode)
    .header('www-authenticate', error.wwwAuthenticate(realm))
    .send({ error: error.error ?? 'unauthorized', error_description: error.description });
}

const formObject = (parameters: Parameters | undefined): object =>
  Object.fromEntries(
    [...(parameters ?? [])].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
