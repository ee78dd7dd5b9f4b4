import { createHash } from 'node:crypto';
import { networkOf } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { counted } from '../../audit/index.ts';
import { randomSecret } from '../../keys/index.ts';
import { interactionsOf } from '../../limits/index.ts';
import { browserDigest, browserOf, PageError } from '../../pages/http/index.ts';
import type { Interaction } from '../domain/interaction.ts';
import type { InteractionDependencies } from './dependencies.ts';

const keyOf = (request: FastifyRequest): string =>
  `opened:${createHash('sha256').update(networkOf(request.ip)).digest('base64url')}`;

/** Keeps an interaction for this browser, under a new id. @throws PageError when its network has begun too many */
export async function putInteraction(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: string,
  interaction: Omit<Interaction, 'browser'>,
): Promise<string> {
  const id = randomSecret();
  const browser = browserDigest(browserOf(request, reply));
  // First: what is refused leaves nothing behind, however often it is tried.
  const wait = await counted(deps.attempts.begin(keyOf(request), interactionsOf(deps.env.SIGN_INS_WAITING)));
  if (wait > 0) throw new PageError('unavailable', 429);
  await deps.interactions.put(tenant, id, { ...interaction, browser });
  return id;
}

/** One has ended, and its memory is free again. Nobody waits for this to be counted. */
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
