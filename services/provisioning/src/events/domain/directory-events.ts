import { type DomainEvent, type EventOfType, inRounds } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import type { ResourceLinks, ResourceState } from './resource-links.ts';
import type { TenantSettings } from './tenants.ts';

/** The name under which this service consumes the directory's events. */
export const consumerName = 'provisioning';

type TenantEvent = EventOfType<'tenant.created' | 'tenant.updated'>;
type ResourceEvent = Exclude<DomainEvent, TenantEvent>;

export interface ProjectionOptions {
  links: ResourceLinks;
  tenants: TenantSettings;
}

/** Applies events of the directory to the projections, in the transaction that also records their receipt. */
export const projectEvents =
  ({ links, tenants }: ProjectionOptions) =>
  async (events: readonly DomainEvent[], tx: Transaction): Promise<void> => {
    for (const round of inRounds(events)) {
      for (const event of round) {
        if (isTenantEvent(event)) await tenants.upsert(tx, { ...event.payload, version: event.version });
      }
      const states = round.filter(isResourceEvent).map(stateOf);
      if (states.length > 0) await links.project(tx, states);
    }
  };

/** Returns the ids of the events that admit callers here: those of active tenants. */
export const grantingEvents = async (events: readonly DomainEvent[]): Promise<ReadonlySet<string>> =>
  new Set(
    events.filter((event) => isTenantEvent(event) && event.payload.status === 'active').map(({ id }) => id),
  );

const isTenantEvent = (event: DomainEvent): event is TenantEvent => event.type.startsWith('tenant.');

/** Excludes event types that are newer than this release. */
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
