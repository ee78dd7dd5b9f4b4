import type { Sql } from '@ostiary/database';
import type { DomainEvent } from '@ostiary/events';
import { projectLinks } from '../data/links.ts';
import { upsertTenant } from '../data/tenants.ts';

/** The name under which this service consumes the directory's events. */
export const consumerName = 'provisioning';

/** Brings the projections up to one event of the directory, in the transaction that also notes its arrival. */
export async function projectEvent(event: DomainEvent, tx: Sql): Promise<void> {
  switch (event.type) {
    case 'tenant.created':
    case 'tenant.updated':
      return upsertTenant(tx, { ...event.payload, version: event.version });
    case 'user.created':
    case 'user.updated':
    case 'user.deactivated':
    case 'user.reactivated':
    case 'user.deleted':
    case 'group.created':
    case 'group.updated':
    case 'group.deleted':
      return projectLinks(tx, {
        tenant: event.tenant,
        resourceType: event.type.startsWith('user.') ? 'User' : 'Group',
        resourceId: event.subject,
        version: event.version,
        externalIds: event.payload.externalIds,
        source: event.payload.source,
        changedAt: new Date(event.payload.changedAt),
        deleted: event.type === 'user.deleted' || event.type === 'group.deleted',
      });
  }
}
