import { invalidToken } from '../rejections/access-error.ts';

/** A party that acts for the subject of a token (RFC 8693 §4.1). */
export interface ActingParty {
  /** `sub` of the actor: a user id, or a client id. */
  subject: string;
  /** The client through which it acts. */
  clientId?: string;
}

/**
 * A token from which another was exchanged, or that was presented as its actor token, with the values that
 * revocations match. The exchanged token contains all of them (claim `derived_from`), so that it is revoked
 * with each.
 */
export interface TokenAncestor {
  jti: string;
  subject: string;
  clientId: string;
  clientEpoch?: number;
  /** Only for a user's token. */
  subjectEpoch?: number;
  grantId?: string;
  sessionId?: string;
  /** Set for a personal access token or API key. */
  apiToken?: 'personal' | 'service_account';
}

/**
 * Maximum length of an actor chain and maximum number of ancestors, above any realistic chain of services.
 */
export const maxActorChainLength = 5;
export const maxAncestors = 12;

/**
 * Reports whether the token is from an exchange (RFC 8693): its holder got it for other purposes than actions
 * reserved for the user.
 */
export const isExchanged = (token: {
  actors?: readonly ActingParty[];
  ancestors?: readonly TokenAncestor[];
}): boolean => token.actors !== undefined || token.ancestors !== undefined;

/**
 * Returns the actors of an `act` claim, the current one first.
 * @throws AccessError invalid_token for an unreadable claim
 */
export function readActors(claim: unknown): ActingParty[] {
  const actors: ActingParty[] = [];
  for (let act = claim; act !== undefined; act = (act as Record<string, unknown>).act) {
    if (!isObject(act) || typeof act.sub !== 'string' || actors.length === maxActorChainLength) {
      throw invalidToken();
    }
    actors.push({
      subject: act.sub,
      ...(typeof act.client_id === 'string' ? { clientId: act.client_id } : {}),
    });
  }
  return actors;
}

/**
 * Returns the ancestors in a `derived_from` claim.
 * @throws AccessError invalid_token for an unreadable claim: a token with unknown ancestors could not be
 * revoked
 */
export function readAncestors(claim: unknown): TokenAncestor[] {
  if (!Array.isArray(claim) || claim.length === 0 || claim.length > maxAncestors) throw invalidToken();
  return claim.map(readAncestor);
}

function readAncestor(entry: unknown): TokenAncestor {
  if (!isObject(entry)) throw invalidToken();
  const { jti, sub, client_id: clientId, api_token: apiToken } = entry;
  if (typeof jti !== 'string' || typeof sub !== 'string' || typeof clientId !== 'string')
    throw invalidToken();
  const ancestor: TokenAncestor = { jti, subject: sub, clientId };
  if (typeof entry.client_epoch === 'number') ancestor.clientEpoch = entry.client_epoch;
  if (typeof entry.sub_epoch === 'number') ancestor.subjectEpoch = entry.sub_epoch;
  if (typeof entry.grant_id === 'string') ancestor.grantId = entry.grant_id;
  if (typeof entry.sid === 'string') ancestor.sessionId = entry.sid;
  if (apiToken === 'personal' || apiToken === 'service_account') ancestor.apiToken = apiToken;
  return ancestor;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
