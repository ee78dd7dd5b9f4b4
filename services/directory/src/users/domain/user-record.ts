import type { EventType, NewEvent, UserDeparture } from '@ostiary/events';
import type { SchemaRegistry } from '@ostiary/scim';
import { auditContext, type NewAuditEntry } from '../../audit/index.ts';
import { attributesIn, type Origin, type StoredResource, shownChanges } from '../../resources/index.ts';
import { userSnapshot } from './snapshot.ts';

/** A state of a user to be written, with its audit entry and event. */
export interface UserRecord {
  after: StoredResource;
  entry: NewAuditEntry;
  event: NewEvent;
}

interface RecordedChange {
  tenant: string;
  registry: SchemaRegistry;
  before: StoredResource | undefined;
  command: Origin & { credentialTicket?: string };
}

/** Returns the audit entry and the event of a change. The event of a departure has the id of the departure. */
export function recordUser(
  type: Extract<EventType, `user.${string}`>,
  after: StoredResource,
  { tenant, registry, before, command: { actor, source, credentialTicket } }: RecordedChange,
  extra: { departure?: UserDeparture | undefined; restorableUntil?: Date | undefined } = {},
): UserRecord {
  const departure = extra.departure ?? after.departure ?? before?.departure ?? null;
  const changes = {
    ...shownChanges(before, type === 'user.deleted' ? undefined : after, registry, 'User'),
    ...(credentialTicket !== undefined && { password: { after: '(changed)' } }),
  };
  return {
    after,
    entry: {
      occurredAt: after.updatedAt,
      actor,
      action: type,
      resourceType: 'User',
      resourceId: after.id,
      resourceVersion: after.version,
      ...(source !== undefined && { source }),
      changes,
      ...auditContext(),
    },
    event: {
      ...(departure?.version === after.version && { id: departure.eventId }),
      tenant,
      type,
      subject: after.id,
      version: after.version,
      actor,
      payload: {
        ...userSnapshot(after, { source, credentialTicket, restorableUntil: extra.restorableUntil }),
        departure,
        ...(type !== 'user.deleted' && { changedAttributes: attributesIn(changes) }),
      },
    },
  };
}
