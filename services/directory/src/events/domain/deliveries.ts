import type { ConfirmedEvent, UndeliveredEvents } from '@ostiary/events';
import type { Takeover } from '../../recovery/index.ts';

/** The services that consume the directory's events. */
export const eventConsumers = ['auth', 'provisioning'] as const;

export type EventConsumerName = (typeof eventConsumers)[number];

/** Deliveries of the emitted events. */
export interface EventDeliveries {
  /**
   * Returns a page of the events that end access and that the consumer has not confirmed, after the event with that
   * id.
   */
  undelivered(consumer: string, after?: string): Promise<UndeliveredEvents>;
  /** Returns the emitted events of these ids, each with the current state of its subject. */
  confirmed(eventIds: readonly string[]): Promise<ConfirmedEvent[]>;
}

/**
 * Returns the events that the authorization server has not confirmed, including offboardings that a failover had
 * lost. The authorization server grants no access before it has applied them.
 */
export async function undeliveredSince(
  deliveries: EventDeliveries,
  takeover: Takeover,
  after: string | undefined,
): Promise<UndeliveredEvents> {
  for (;;) {
    await takeover.settled();
    const { count } = takeover;
    const page = await deliveries.undelivered('auth', after);
    // The query itself may have been the first to reach the new primary.
    if (takeover.count === count) return page;
  }
}
