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

/** Brings back what a takeover of the database has lost. */
export interface Mending {
  /** How many takeovers have been noticed. */
  readonly count: number;
  settled(): Promise<void>;
}

/** What the authorization server has yet to hear, departures that a takeover had lost included: it lets nobody in before. */
export async function undeliveredSince(
  deliveries: EventDeliveries,
  takeover: Mending,
  after: string | undefined,
): Promise<UndeliveredEvents> {
  for (;;) {
    await takeover.settled();
    const { count } = takeover;
    const page = await deliveries.undelivered('auth', after);
    // The question itself may have been the first to reach the new primary.
    if (takeover.count === count) return page;
  }
}
