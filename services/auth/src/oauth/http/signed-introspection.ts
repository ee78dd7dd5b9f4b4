import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Client } from '../../clients/index.ts';
import { type SigningAlgorithm, signJwt } from '../../tenancy/index.ts';
import type { IntrospectionResponse } from '../domain/introspection.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

const mediaType = 'application/token-introspection+jwt';
const typ = 'token-introspection+jwt';

/** Reports whether a request prefers a signed response (RFC 9701 §4). The media type must be named explicitly. */
export function wantsSignedIntrospection(request: FastifyRequest): boolean {
  const ranges = (request.headers.accept ?? '').toLowerCase().split(',').map(readRange);
  const signed = ranges.find(({ type }) => type === mediaType)?.quality ?? 0;
  const plain = ranges.find(({ type }) => type === 'application/json')?.quality ?? 0;
  return signed > 0 && signed >= plain;
}

/**
 * Sends an introspection response as a JWT (RFC 9701 §5). The token's data is in a claim of its own, so that the
 * response cannot be used as an access token or ID token.
 */
export async function signedIntrospection(
  deps: OAuthEndpointDependencies,
  tenant: string,
  caller: Client,
  response: IntrospectionResponse,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const algorithm = (caller.metadata.introspection_signed_response_alg ?? 'RS256') as SigningAlgorithm;
  const jwt = signJwt(
    typ,
    {
      iss: deps.issuer(tenant),
      aud: caller.clientId,
      iat: Math.floor(deps.kit.clock() / 1000),
      token_introspection: response,
    },
    await deps.signingKeys.signer(tenant, algorithm),
  );
  return reply.header('content-type', mediaType).send(jwt);
}

function readRange(range: string): { type: string; quality: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
