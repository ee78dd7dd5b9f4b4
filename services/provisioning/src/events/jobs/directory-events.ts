import type { Sql } from '@ostiary/database';
import { type DomainEvent, type EventOfType, inRounds } from '@ostiary/events';
import { projectLinks, type ResourceState } from '../data/links.ts';
import { upsertTenant } from '../data/tenants.ts';

/** The name under which this service consumes the directory's events. */
export const consumerName = 'provisioning';

type TenantEvent = EventOfType<'tenant.created' | 'tenant.updated'>;
type ResourceEvent = Exclude<DomainEvent, TenantEvent>;

/** Brings the projections up to events of the directory, in the transaction that also notes their arrival. */
export async function projectEvents(events: readonly DomainEvent[], tx: Sql): Promise<void> {
  for (const round of inRounds(events)) {
    for (const event of round) {
      if (isTenantEvent(event)) await upsertTenant(tx, { ...event.payload, version: event.version });
    }
    const states = round.filter(isResourceEvent).map(stateOf);
    if (states.length > 0) await projectLinks(tx, states);
  }
}

/** What lets somebody in here: a tenant that is active. */
export const grantingEvents = async (events: readonly DomainEvent[]): Promise<ReadonlySet<string>> =>
  new Set(
    events.filter((event) => isTenantEvent(event) && event.payload.status === 'active').map(({ id }) => id),
  );

const isTenantEvent = (event: DomainEvent): event is TenantEvent => event.type.startsWith('tenant.');

/** Types that are newer than this release are none of these. */
const isResourceEvent = (event: DomainEvent): event is ResourceEvent => /^(?:user|group)\./.test(event.type);

const stateOf = (event: ResourceEvent): ResourceState => ({
  tenant: event.tenant,
  resourceType: event.type.startsWith('user.') ? 'User' : 'Group',
  resourceId: event.subject,
  version: event.version,
  externalIds: event.payload.externalIds,
  source: event.payload.source,
  changedAt: new Date(event.payload.changedAt),
  deleted: event.type === 'user.deleted' || event.type === 'group.deleted',
});
