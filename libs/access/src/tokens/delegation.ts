import { invalidToken } from '../errors.ts';
import { type ActingParty, type Principal, platformTenant, type TokenAncestor } from './principal.ts';

/**
 * Maximum length of an actor chain and maximum number of ancestors, above any realistic chain of services.
 */
export const maxActorChainLength = 5;
export const maxAncestors = 12;

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

/** Returns the `act` claim of a chain of actors, the current one first. */
export function actClaim(actors: readonly ActingParty[]): Record<string, unknown> | undefined {
  return actors.reduceRight<Record<string, unknown> | undefined>(
    (act, { subject, clientId }) => ({
      sub: subject,
      ...(clientId === undefined ? {} : { client_id: clientId }),
      ...(act === undefined ? {} : { act }),
    }),
    undefined,
  );
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

/** Returns the `derived_from` claim of a token's ancestors. */
export const derivedFromClaim = (ancestors: readonly TokenAncestor[]): Record<string, unknown>[] =>
  ancestors.map((ancestor) => ({
    jti: ancestor.jti,
    sub: ancestor.subject,
    client_id: ancestor.clientId,
    ...(ancestor.clientEpoch === undefined ? {} : { client_epoch: ancestor.clientEpoch }),
    ...(ancestor.subjectEpoch === undefined ? {} : { sub_epoch: ancestor.subjectEpoch }),
    ...(ancestor.grantId === undefined ? {} : { grant_id: ancestor.grantId }),
    ...(ancestor.sessionId === undefined ? {} : { sid: ancestor.sessionId }),
    ...(ancestor.apiToken === undefined ? {} : { api_token: ancestor.apiToken }),
  }));

/**
 * Returns the actor recorded with a change: the acting party if there is one, with the user or client for
 * which it acts; else the subject of the token.
 */
export function whoActs(principal: Principal): {
  kind: Principal['kind'];
  id: string;
  onBehalfOf?: string;
} {
  const actor = principal.actors?.[0];
  if (!actor) return { kind: principal.kind, id: principal.subject };
  const kind = actor.subject === actor.clientId ? 'client' : 'user';
  return { kind, id: actor.subject, onBehalfOf: principal.subject };
}

/** A user or a program that receives the response to a request, or supplied its content. */
export type Caller =
  | { kind: 'user'; id: string }
  | {
      kind: 'program';
      /** Id of the client or service account. */
      id: string;
      /** Epoch of the client when the token was issued; absent for an API key. */
      epoch?: number;
      /** Id of the API key that was presented. */
      apiKeyId?: string;
    };

/**
 * Returns the subject of a token, followed by the parties that act for it (RFC 8693 section 4.1). Returns nothing for the
 * platform operator and for the services themselves, which no user owns.
 */
export function callersOf(principal: Principal): Caller[] {
  if (principal.home !== undefined || principal.tenant === platformTenant || principal.kind === 'service')
    return [];
  const acting = (principal.actors ?? []).map(
    ({ subject, clientId }): Caller => ({ kind: subject === clientId ? 'program' : 'user', id: subject }),
  );
  return [subjectOf(principal), ...acting];
}

function subjectOf({ kind, subject, clientEpoch, apiToken, jti }: Principal): Caller {
  if (kind === 'user') return { kind: 'user', id: subject };
  if (apiToken === 'service_account') return { kind: 'program', id: subject, apiKeyId: jti };
  return { kind: 'program', id: subject, ...(clientEpoch !== undefined && { epoch: clientEpoch }) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
