import type { FastifyRequest } from 'fastify';
import { presentedToken } from './presented.ts';

/**
 * Returns the bearer token of a request, for surfaces without sender-constrained tokens. A DPoP token is
 * ignored.
 * @throws AccessError as `presentedToken`
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  const presented = presentedToken(request);
  return presented?.scheme === 'Bearer' ? presented.token : undefined;
}
