import type { ConfirmedEvent, UndeliveredEvents } from '@ostiary/events';

/** The services that consume the directory's events. */
export const eventConsumers = ['auth', 'provisioning'] as const;

export type EventConsumerName = (typeof eventConsumers)[number];

/** What became of the events that were emitted here. */
export interface EventDeliveries {
  /** Events that end access and that the consumer hasn't confirmed, after the one with that id: a page. */
  undelivered(consumer: string, after?: string): Promise<UndeliveredEvents>;
  /** Those of the events that were emitted here, each with the current state of its subject. */
  confirmed(eventIds: readonly string[]): Promise<ConfirmedEvent[]>;
}
