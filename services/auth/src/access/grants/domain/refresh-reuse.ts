import type { LiveGrant, Rotation } from './grants.ts';
import type { RefreshTokenParts } from './refresh-token.ts';

/** State of a refresh family after a rotation failed. */
export interface InspectedFamily {
  /** Generation of the valid token. */
  generation: number;
  /** Family, grant, subject and client are live. */
  live: boolean;
  revoked: boolean;
  /** It was rotated so recently that a client may be repeating a request whose response was lost. */
  inRetryWindow: boolean;
  /** Key that the family is bound to (RFC 9449 §5). */
  dpopJkt: string | null;
  grant: LiveGrant;
}

/**
 * Decides about a refresh token that did not rotate its family (RFC 9700 §4.14.2). A token that was replaced before is
 * a replay, unless it is the last replaced one within the retry window: that one gets the same successor again.
 * @param family undefined if the client has no such family
 */
export function outcomeOf(
  family: InspectedFamily | undefined,
  token: RefreshTokenParts,
  asked: { scopes?: readonly string[]; resources?: readonly string[]; dpopJkt?: string | undefined },
): Rotation {
  if (!family) return { outcome: 'dead', reason: 'no such family of this client' };
  // Checked first: without the key, replaying a stolen token must not end the grant.
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

/** Reports whether a token is the current one of its family, or the last replaced one within the retry window. */
export const isUsable = (family: InspectedFamily, { generation }: RefreshTokenParts): boolean =>
  family.live &&
  (family.generation === generation || (family.inRetryWindow && family.generation === generation + 1));

const firstBeyond = (asked: readonly string[] | undefined, granted: readonly string[]): string | undefined =>
  asked?.find((value) => !granted.includes(value));
