import type { ActingParty } from '@ostiary/access';
import { type Client, exchangePolicyOf } from '../../../clients/index.ts';
import { invalidRequest } from '../../../platform/index.ts';
import type { PresentedToken } from '../../domain/presented-token.ts';

/** Right of an agent to act for a user under one of the user's grants. */
export interface PermittedDelegation {
  grantId: string;
  subjectId: string;
  subjectEpoch: number;
  /** Seconds. */
  maxLifetime: number;
}

/**
 * Decides whether a client acts as an agent for the user of a token. A delegation needs a grant of the user, because it
 * ends with it: a personal access token and a client's own token have none.
 * @returns undefined for a client that is no agent
 * @throws OAuthError invalid_request when an agent must not act with this token
 */
export function permitDelegation(
  client: Client,
  subject: PresentedToken,
  actor: PresentedToken | undefined,
): PermittedDelegation | undefined {
  const { agent, agentTokenLifetimeSeconds } = exchangePolicyOf(client);
  if (!agent || agentTokenLifetimeSeconds === null) return undefined;
  const { grant_id: grantId, sub_epoch: subjectEpoch } = subject.origin;
  if (!subject.ofUser || grantId === undefined || subjectEpoch === undefined) {
    throw invalidRequest('An agent requires a subject_token that a user granted to a client.');
  }
  if (actor && (actor.subject !== client.clientId || actor.clientId !== client.clientId)) {
    throw invalidRequest('An agent acts itself: actor_token must be its own token.');
  }
  return { grantId, subjectId: subject.subject, subjectEpoch, maxLifetime: agentTokenLifetimeSeconds };
}

/** Returns whether the current actor of a token is this client. */
export const isActor = ([current]: readonly ActingParty[], { clientId }: Client): boolean =>
  current?.subject === clientId && current.clientId === clientId;
