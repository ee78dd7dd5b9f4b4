import type { FastifyRequest } from 'fastify';
import { presentedToken } from './presented.ts';

/**
 * The bearer token of a request, for surfaces that take no sender-constrained tokens. A DPoP token counts as none.
 * @throws AccessError as `presentedToken`
 */
export function bearerToken(request: FastifyRequest): string | undefined {
  const presented = presentedToken(request);
  return presented?.scheme === 'Bearer' ? presented.token : undefined;
}
