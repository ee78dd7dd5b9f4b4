import { type Sql, statement, typed, type ValuesOf } from '@ostiary/database';
import { currentRequestId, currentTraceparent, uuidv7 } from '@ostiary/service';
import { currentActor, currentOrigin } from '../domain/origin.ts';
import type { NewSecurityEvent, SecurityLog } from '../domain/security-log.ts';

/** Longest user agent that is kept. */
const longestUserAgent = 256;

const insertion = `INSERT INTO auth.security_log (tenant, id, action, actor, actor_id, subject_id, resource_type, resource_id, changes,
    client_id, ip_address, user_agent, request_id, trace_id)
  SELECT $tenant::text, $eventId::uuid, $eventAction::text, $eventActor::jsonb, $eventActorId::text, $eventSubjectId::uuid,
    $eventResourceType::text, $eventResourceId::text, $eventChanges::jsonb, $eventClientId::text, $eventIpAddress::text,
    $eventUserAgent::text, $eventRequestId::text, $eventTraceId::text`;

/** What a statement that has `recordingClause` declares beside its tenant. */
export const recordedParameters = {
  eventId: 'uuid',
  eventAction: 'text',
  eventActor: typed<NonNullable<NewSecurityEvent['actor']>>('jsonb'),
  eventActorId: 'text',
  eventSubjectId: 'uuid?',
  eventResourceType: 'text',
  eventResourceId: 'text',
  eventChanges: typed<NonNullable<NewSecurityEvent['changes']>>('jsonb'),
  eventClientId: 'text?',
  eventIpAddress: 'text?',
  eventUserAgent: 'text?',
  eventRequestId: 'text?',
  eventTraceId: 'text?',
} as const;

/**
 * Records as a common table expression of the statement that makes the change, where one more round trip would be felt.
 * Its parameters are `tenant` and `recordedParameters`, its values `recorded`.
 * @param onlyIf an expression without whose rows nothing is remembered
 */
export const recordingClause = (onlyIf: string): string =>
  `security_event AS (${insertion} WHERE EXISTS (SELECT FROM ${onlyIf}))`;

/** The values of what is recorded: by whom it is done, and in which request. */
export function recorded(event: NewSecurityEvent): ValuesOf<typeof recordedParameters> {
  const origin = currentOrigin();
  const actor = event.actor ?? currentActor(event.subjectId);
  return {
    eventId: event.id ?? uuidv7(),
    eventAction: event.action,
    eventActor: actor,
    eventActorId: actor.id,
    eventSubjectId: event.subjectId,
    eventResourceType: event.resourceType,
    eventResourceId: event.resourceId,
    eventChanges: event.changes ?? {},
    eventClientId: origin?.principal?.clientId,
    eventIpAddress: origin?.ipAddress,
    eventUserAgent: storable(origin?.userAgent),
    eventRequestId: currentRequestId(),
    eventTraceId: (event.traceparent ?? currentTraceparent())?.split('-')[1],
  };
}

const storable = (text: string | undefined): string | undefined =>
  text?.replaceAll('\u0000', '').slice(0, longestUserAgent);

/** Every sign-in leaves one, too. */
const recordEvent = statement({
  name: 'audit.record',
  reason: 'hot path',
  text: insertion,
  parameters: { tenant: 'text', ...recordedParameters },
});

/** Records what the caller's transaction does. */
export async function record(tx: Sql, tenant: string, event: NewSecurityEvent): Promise<void> {
  await recordEvent.run(tx, { tenant, ...recorded(event) });
}

/** The security log in PostgreSQL. */
export const postgresSecurityLog: SecurityLog = { record };
