import type { RemoteAccess } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import { type DomainEvent, OutboxRelay, type OutboxWork } from '@ostiary/events';
import {
  HttpPeer,
  type ServiceKit,
  ServiceUnavailable,
  type Signatures,
  type WorkPoll,
} from '@ostiary/service';
import { type EventConsumerName, eventConsumers } from '../domain/deliveries.ts';

export interface RelayParts {
  kit: ServiceKit;
  database: Pick<Database<unknown>, 'sql' | 'transaction' | 'listen'>;
  redisUrl: string;
  prefix: string;
  signatures: Signatures;
  /** Where each consumer is reached, to ask what has arrived. */
  origins: Record<EventConsumerName, string>;
  tokenFor: RemoteAccess['tokenFor'];
  /** Called where and when something that ends access was committed. */
  onUrgent?: () => void;
}

/** How often it is looked for something to do, in ms; and how often a relay looks that nobody pokes. */
export const lookEveryMs = 800;
export const unpokedMs = 60_000;

/**
 * Carries events from the outbox to the consumers: what ends access directly and at once, and everything that isn't taken in at
 * once by their queues. Asks the consumers which of them never arrived: those are sent again, whatever happened to Redis in between.
 */
export class Relay {
  readonly #peers: ReadonlyMap<string, HttpPeer>;
  readonly #outbox: OutboxRelay;

  constructor({ kit, database, redisUrl, prefix, signatures, origins, tokenFor, onUrgent }: RelayParts) {
    this.#peers = new Map(
      eventConsumers.map((consumer) => [
        consumer,
        new HttpPeer({
          name: consumer,
          origin: origins[consumer],
          connections: 2,
          token: tokenFor(consumer),
          neighbours: kit.neighbours,
          // Asked inside a transaction, and another process may answer when this one doesn't.
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
      pollMs: unpokedMs,
      confirm: (consumer, ids) => missingAt(consumer, this.#peers.get(consumer), ids),
      deliver: (consumer, events) => deliverTo(consumer, this.#peers.get(consumer), events),
      immediatelyTo: eventConsumers,
      ...(onUrgent && { onUrgent }),
    });
  }

  start(): Promise<void> {
    return this.#outbox.start();
  }

  /** Has it poked when there is something to do, whoever wrote that down. */
  pokedBy(poll: Pick<WorkPoll<OutboxWork>, 'on'>): void {
    poll.on('toSend', lookEveryMs, this.#outbox);
    poll.on('toConfirm', lookEveryMs, { poke: () => this.#outbox.pokeConfirm() });
  }

  /** Resolves when what ends access and was committed here before has been handed over, or is left to the queue. */
  settled(): Promise<void> {
    return this.#outbox.settled();
  }

  async stop(): Promise<void> {
    await this.#outbox.stop();
    await Promise.all([...this.#peers.values()].map((peer) => peer.close()));
  }
}

/** Which of the events a consumer hasn't received. @throws ServiceUnavailable when it doesn't answer */
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
