import type { RemoteAccess } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import { type DomainEvent, OutboxRelay, type OutboxWork } from '@ostiary/events';
import {
  HttpPeer,
  msWithoutWake,
  type ServiceKit,
  ServiceUnavailable,
  type Signatures,
  type WorkPoll,
} from '@ostiary/service';
import { type EventConsumerName, eventConsumers } from './domain/deliveries.ts';

export interface RelayParts {
  kit: ServiceKit;
  database: Database<unknown>;
  redisUrl: string;
  prefix: string;
  signatures: Signatures;
  /** Origin of each consumer, for requests about received events. */
  origins: Record<EventConsumerName, string>;
  tokenFor: RemoteAccess['tokenFor'];
  /** Called when a change that ends access was committed, in the same context. */
  onUrgent?: () => void;
  /** @see RelayOptions */
  directMs?: number;
}

/** Poll interval of the outbox in milliseconds. */
export const lookEveryMs = 800;

/**
 * Delivers events from the outbox to the consumers through the queues, and events that end access also directly. Asks
 * the consumers which events they have not received and sends those again, also after a data loss of Redis.
 */
export class Relay {
  readonly #peers: ReadonlyMap<string, HttpPeer>;
  readonly #outbox: OutboxRelay;

  constructor(parts: RelayParts) {
    const { kit, database, redisUrl, prefix, signatures, origins, tokenFor, onUrgent, directMs } = parts;
    this.#peers = new Map(
      eventConsumers.map((consumer) => [
        consumer,
        new HttpPeer({
          name: consumer,
          origin: origins[consumer],
          connections: 2,
          token: tokenFor(consumer),
          neighbours: kit.neighbours,
          // The call runs inside a transaction, and another process can answer when this one does not.
          timeoutMs: 1_500,
        }),
      ]),
    );
    this.#outbox = new OutboxRelay({
      database,
      schema: 'directory',
      redisUrl,
      prefix,
      signatures,
      log: kit.log,
      metrics: kit.metrics,
      pollMs: msWithoutWake,
      confirm: (consumer, ids) => missingAt(consumer, this.#peers.get(consumer), ids),
      deliver: (consumer, events) => deliverTo(consumer, this.#peers.get(consumer), events),
      ...(onUrgent && { onUrgent }),
      ...(directMs !== undefined && { directMs }),
    });
  }

  start(): Promise<void> {
    return this.#outbox.start();
  }

  /** Registers the relay to be notified when the outbox has work, written by any process. */
  wokenBy(poll: WorkPoll<OutboxWork>): void {
    poll.on('toSend', lookEveryMs, this.#outbox);
    poll.on('toConfirm', lookEveryMs, { poke: () => this.#outbox.wakeConfirm() });
  }

  /**
   * Resolves when the changes that end access and were committed here have been delivered, or are left to the queue.
   */
  settled(): Promise<void> {
    return this.#outbox.settled();
  }

  async stop(): Promise<void> {
    await this.#outbox.stop();
    await Promise.all([...this.#peers.values()].map((peer) => peer.close()));
  }
}

/** Returns the events that a consumer has not received. @throws ServiceUnavailable when it does not answer */
async function missingAt(
  consumer: string,
  peer: HttpPeer | undefined,
  ids: readonly string[],
): Promise<{ missing: string[] }> {
  if (!peer) throw new ServiceUnavailable(consumer);
  const answer = await peer.request<{ missing?: unknown }>({
    method: 'POST',
    path: '/internal/v1/events/missing',
    body: { ids },
    idempotent: true,
  });
  const { missing } = answer.body;
  if (answer.status !== 200 || !Array.isArray(missing)) {
    throw new ServiceUnavailable(consumer, { cause: `answered ${answer.status}` });
  }
  return { missing: missing.filter((id): id is string => typeof id === 'string') };
}

/** Delivers events without the queue. @throws ServiceUnavailable unless they were applied */
async function deliverTo(
  consumer: string,
  peer: HttpPeer | undefined,
  events: readonly DomainEvent[],
): Promise<void> {
  if (!peer) throw new ServiceUnavailable(consumer);
  const answer = await peer.request({
    method: 'POST',
    path: '/internal/v1/events',
    body: { events },
    idempotent: true,
  });
  if (answer.status !== 204) throw new ServiceUnavailable(consumer, { cause: `answered ${answer.status}` });
}
