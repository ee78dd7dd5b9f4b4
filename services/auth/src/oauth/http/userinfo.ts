import {
  AccessError,
  type ChallengeOptions,
  challengeOptions,
  insufficientScope,
  invalidToken,
  missingToken,
  presentedToken,
  requirePossession,
} from '@ostiary/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { claimsOfScopes } from '../../access/index.ts';
import { type Client, userinfoAudience } from '../../clients/index.ts';
import { type Parameters, parseParameters } from '../../platform/index.ts';
import {
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import { type SigningAlgorithm, signJwt } from '../../tenancy/index.ts';
import { RequiredClaimMissing } from '../claims/domain/claim-mapper.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

type UserinfoRequest = FastifyRequest<TenantRoute>;

/** GET and POST /t/{tenant}/userinfo (OpenID Connect Core §5.3), a protected resource by the rules of RFC 6750. */
export function userinfoEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  app.register(async (scope) => {
    // On this endpoint the form only carries the token (RFC 6750 §2.2).
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
          const { claims, client } = await claimsFor(deps, tenant, request, reply);
          return await answerUserinfo(deps, client, claims, reply);
        } catch (error) {
          if (error instanceof AccessError) {
            return refuse(error, deps.issuer(tenant), reply, challengeOptions(request, deps.verifier));
          }
          throw error;
        }
      },
    });
    refuseOtherMethods(scope, '/t/:tenant/userinfo', ['GET', 'POST']);
  });
}

/** @throws AccessError; ServiceUnavailable if the directory is required and does not answer */
async function claimsFor(
  deps: OAuthEndpointDependencies,
  tenant: string,
  request: UserinfoRequest,
  reply: FastifyReply,
): Promise<{ claims: Record<string, unknown>; client: Client | null }> {
  const presented = presentedToken(request, reply);
  if (presented === undefined) throw missingToken();
  const { token } = presented;
  const live = await deps.introspection.followedAccessToken(tenant, token);
  const audiences = [deps.issuer(tenant), userinfoAudience(deps.issuer(tenant))];
  if (!live || ![live.claims.aud].flat().some((audience) => audiences.includes(audience)))
    throw invalidToken();
  await requirePossession(token, live.claims.cnf?.jkt, presented, {
    proofs: deps.proofs,
    publicOrigin: deps.env.PUBLIC_ORIGIN,
  });
  const scopes = new Set((live.claims.scope ?? '').split(' '));
  if (!scopes.has('openid')) throw insufficientScope(['openid']);
  // A personal access token comes from the database without a holder, so the user is read here.
  const person = live.holder ?? (await deps.subjects.find(tenant, live.claims.sub));
  if (!person || ('active' in person && !person.active)) throw invalidToken();
  const names = new Set([...claimsOfScopes(scopes), ...(live.released?.userinfo ?? [])]);
  // The user may be offboarded while the directory is queried.
  const client = await deps.clients.find(tenant, live.claims.client_id);
  const claims = await deps.introspection.answering(tenant, live, async () => {
    const ofUser = await deps.userClaims.of(person, names);
    return ofUser && { ...(client && (await mappedClaims(deps, client, person.id))), ...ofUser };
  });
  if (!claims) throw invalidToken();
  return { claims: { ...claims, sub: live.claims.sub }, client };
}

/** @throws AccessError if a required claim has no value */
async function mappedClaims(
  { claimMapper }: OAuthEndpointDependencies,
  client: Client,
  userId: string,
): Promise<Record<string, unknown>> {
  try {
    return await claimMapper.ofClient({ client, userId });
  } catch (error) {
    throw error instanceof RequiredClaimMissing ? invalidToken() : error;
  }
}

/** OpenID Connect Core §5.3.2: JSON, or a JWT with issuer and client if the client registered an algorithm. */
async function answerUserinfo(
  deps: OAuthEndpointDependencies,
  client: Client | null,
  claims: Record<string, unknown>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const alg = client?.metadata.userinfo_signed_response_alg as SigningAlgorithm | undefined;
  if (!client || alg === undefined) return reply.send(claims);
  const { tenant, clientId } = client;
  const signer = await deps.signingKeys.signer(tenant, alg);
  const jwt = signJwt('userinfo+jwt', { ...claims, iss: deps.issuer(tenant), aud: clientId }, signer);
  return reply.type('application/jwt').send(jwt);
}

function refuse(
  error: AccessError,
  realm: string,
  reply: FastifyReply,
  challenge: ChallengeOptions,
): FastifyReply {
  return reply
    .code(error.statusCode)
    .header('www-authenticate', error.wwwAuthenticate(realm, challenge))
    .send({ error: error.error ?? 'unauthorized', error_description: error.description });
}

const formObject = (parameters: Parameters | undefined): object =>
  Object.fromEntries(
    [...(parameters ?? [])].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
