import type { RemoteAccess } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import { type DomainEvent, OutboxRelay } from '@ostiary/events';
import { HttpPeer, type ServiceKit, ServiceUnavailable, type Signatures } from '@ostiary/service';

/** Who is told about changes in the directory. */
export const eventConsumers = ['auth', 'provisioning'] as const;

export type EventConsumerName = (typeof eventConsumers)[number];

export interface RelayParts {
  kit: ServiceKit;
  database: Pick<Database<unknown>, 'sql' | 'transaction' | 'listen'>;
  redisUrl: string;
  prefix: string;
  signatures: Signatures;
  /** Where each consumer is reached, to ask what has arrived. */
  origins: Record<EventConsumerName, string>;
  tokenFor: RemoteAccess['tokenFor'];
}

export interface Relay {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Carries events from the outbox to the consumers' queues, and asks the consumers which of them never arrived: those
 * are sent again, whatever happened to Redis in between.
 */
export function createRelay(parts: RelayParts): Relay {
  const { kit, database, redisUrl, prefix, signatures, origins, tokenFor } = parts;
  const peers = new Map<string, HttpPeer>(
    eventConsumers.map((consumer) => [
      consumer,
      new HttpPeer({
        name: consumer,
        origin: origins[consumer],
        connections: 2,
        token: tokenFor(consumer),
        // Asked inside a transaction, and another process may answer when this one doesn't.
        timeoutMs: 1_500,
      }),
    ]),
  );
  const relay = new OutboxRelay({
    database,
    schema: 'directory',
    redisUrl,
    prefix,
    signatures,
    log: kit.log,
    metrics: kit.metrics,
    confirm: (consumer, ids) => missingAt(consumer, peers.get(consumer), ids),
    deliver: (consumer, events) => deliverTo(consumer, peers.get(consumer), events),
  });
  return {
    start: () => relay.start(),
    async stop() {
      await relay.stop();
      await Promise.all([...peers.values()].map((peer) => peer.close()));
    },
  };
}

/** Which of the events a consumer hasn't taken in. @throws ServiceUnavailable when it doesn't say */
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

/** Hands events over past the queue. @throws ServiceUnavailable unless they have had their effect */
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
