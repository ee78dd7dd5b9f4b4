import type { ActingParty, TokenAncestor } from '@ostiary/verifier/core';
import { type Principal, platformTenant } from './principal.ts';

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
