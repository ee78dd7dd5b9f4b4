export { confirmedEvents } from './confirmed.ts';
export { type AfterCommit, type Confirmation, type ConsumerOptions, EventConsumer } from './consumer.ts';
export {
  type Actor,
  type DomainEvent,
  type EventOfType,
  type EventPayloads,
  type EventType,
  eventQueue,
  eventTypes,
  type GroupSnapshot,
  liveConsumer,
  type NewEvent,
  queuePrefix,
  readEvents,
  type TenantSnapshot,
  type UserDeparture,
  type UserSnapshot,
} from './contracts.ts';
export { type ConfirmedEvent, confirmedByDirectory } from './event-confirmation.ts';
export {
  LiveRelay,
  type LiveRelayOptions,
  liveOutbox,
  type NewLiveEvent,
  type TakeLiveEvents,
  takeFromOutbox,
} from './live-relay.ts';
export { type ClausePlace, createOutbox, type Outbox, type OutboxClause, outboxChannel } from './outbox.ts';
export { lookIntoOutbox, type OutboxWork } from './outbox-table.ts';
export { openJob, sealedJob } from './queues.ts';
export { OutboxRelay, type RelayOptions } from './relay.ts';
export { inRounds } from './rounds.ts';
export {
  InvalidPolicySetting,
  readTenantPolicy,
  standardTenantPolicy,
  type TenantPolicy,
  type TenantPolicySettings,
  tenantPolicyEnv,
  tenantPolicyNames,
  tenantPolicyOf,
  type VersionedTenantPolicy,
} from './tenant-policy.ts';
export { readUndelivered, type UndeliveredEvents, undeliveredEvents } from './undelivered.ts';
