import type { LiveGrant, Rotation } from './grants.ts';
import type { RefreshTokenParts } from './refresh-token.ts';

/** A refresh family as it is found when a token did not move it on. */
export interface InspectedFamily {
  /** Which of its tokens is good now. */
  generation: number;
  /** Family, grant, subject and client are all alive. */
  live: boolean;
  revoked: boolean;
  /** It was moved on so recently that a client may be repeating the request whose answer it lost. */
  inRetryWindow: boolean;
  /** The key that it is bound to (RFC 9449 §5). */
  dpopJkt: string | null;
  grant: LiveGrant;
}

/**
 * What a refresh token is that did not move its family on (RFC 9700 §4.14.2). One that was replaced before is a replay: somebody has a
 * copy. Unless it is the one that was replaced last, within the retry window: that gets the successor which was given before.
 * @param family undefined when the client has no such family
 */
export function outcomeOf(
  family: InspectedFamily | undefined,
  token: RefreshTokenParts,
  asked: { scopes?: readonly string[]; resources?: readonly string[]; dpopJkt?: string | undefined },
): Rotation {
  if (!family) return { outcome: 'dead', reason: 'no such family of this client' };
  // Before anything else: whoever lacks the key can't end the grant by replaying a stolen token either.
  if (family.dpopJkt !== null && family.dpopJkt !== asked.dpopJkt) {
    return { outcome: 'dead', reason: 'bound to another key' };
  }
  const { grant } = family;
  const next = { ...token, generation: token.generation + 1 };
  if (family.generation > token.generation) {
    const repeated = family.live && family.inRetryWindow && family.generation === next.generation;
    if (!repeated) {
      return family.revoked
        ? { outcome: 'dead', reason: 'revoked' }
        : { outcome: 'replayed', grantId: grant.grantId };
    }
  } else if (!family.live) return { outcome: 'dead', reason: 'revoked, expired, or its owner is gone' };
  const scope = firstBeyond(asked.scopes, grant.scopes);
  if (scope !== undefined) return { outcome: 'scope', scope };
  if (firstBeyond(asked.resources, grant.resources) !== undefined) return { outcome: 'resource' };
  return family.generation === next.generation
    ? { outcome: 'repeated', grant, next }
    : { outcome: 'dead', reason: 'changed while it was looked at' };
}

const firstBeyond = (asked: readonly string[] | undefined, granted: readonly string[]): string | undefined =>
  asked?.find((value) => !granted.includes(value));
