import { createHash } from 'node:crypto';
import { networkOf } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AttemptLimit } from '../data/attempts.ts';
import type { Interaction } from '../data/interactions.ts';
import { counted } from '../domain/counted.ts';
import { randomSecret } from '../domain/secret.ts';
import type { PeopleDependencies } from '../people.ts';
import { browserDigest, browserOf } from './browser.ts';
import { PageError } from './page.ts';

/**
 * Sign-ins of one network that were begun and not ended. Each takes memory for half an hour, and anybody can begin one: without
 * an end, a single machine could fill the memory that everybody's sign-ins need.
 */
const perNetwork: AttemptLimit = { free: 5_000, firstMs: 250, longestMs: 5_000, forgetMs: 1_800_000 };

const keyOf = (request: FastifyRequest): string =>
  `opened:${createHash('sha256').update(networkOf(request.ip)).digest('base64url')}`;

/** Keeps an interaction for this browser, under a new id. @throws PageError when its network has begun too many */
export async function putInteraction(
  deps: PeopleDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: string,
  interaction: Omit<Interaction, 'browser'>,
): Promise<string> {
  const id = randomSecret();
  const browser = browserDigest(browserOf(request, reply));
  // At once, as nearly every answer is yes.
  const [wait] = await Promise.all([
    counted(deps.attempts.begin(keyOf(request), perNetwork)),
    deps.interactions.put(tenant, id, { ...interaction, browser }),
  ]);
  if (wait === 0) return id;
  await deps.interactions.take(tenant, id);
  throw new PageError('unavailable', 429);
}

/** One has ended, and its memory is free again. Nobody waits for this to be counted. */
export function interactionEnded(deps: PeopleDependencies, request: FastifyRequest): void {
  deps.attempts
    .succeed(keyOf(request), 'this')
    .catch((error: unknown) => request.log.warn({ err: error }, 'the end of an interaction was not counted'));
}
