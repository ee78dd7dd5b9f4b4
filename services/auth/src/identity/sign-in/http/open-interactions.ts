import { createHash } from 'node:crypto';
import { networkOf } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { counted, interactionsOf } from '../../../platform/index.ts';
import { browserDigest, browserOf } from '../../../platform/pages/http/browser.ts';
import { PageError } from '../../../platform/pages/http/page.ts';
import { randomSecret } from '../../../tenancy/index.ts';
import type { Interaction } from '../domain/interaction.ts';
import type { InteractionDependencies } from './dependencies.ts';

const keyOf = (request: FastifyRequest): string =>
  `opened:${createHash('sha256').update(networkOf(request.ip)).digest('base64url')}`;

/** Stores an interaction for this browser under a new id. @throws PageError if its network has too many open ones */
export async function putInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: string,
  interaction: Omit<Interaction, 'browser'>,
): Promise<string> {
  const id = randomSecret();
  const browser = browserDigest(browserOf(request, reply));
  // Counted first, so that rejected requests store nothing.
  const wait = await counted(deps.attempts.begin(keyOf(request), interactionsOf(deps.env.SIGN_INS_WAITING)));
  if (wait > 0) throw new PageError('unavailable', 429);
  await deps.interactions.put(tenant, id, { ...interaction, browser });
  return id;
}

/** Discounts an ended interaction. The response does not wait for it. */
export function interactionEnded(deps: InteractionDependencies, request: FastifyRequest): void {
  deps.attempts
    .succeed(keyOf(request), 'this')
    .catch((error: unknown) =>
      request.log.warn(
        { event: 'interaction.end_not_counted', err: error },
        'End of an interaction could not be counted',
      ),
    );
}
