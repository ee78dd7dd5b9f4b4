import { createRedis, type Logger, type Redis, ServiceUnavailable, type Signatures } from '@ostiary/service';
import { Queue } from 'bullmq';
import {
  type DomainEvent,
  type EventBatch,
  eventQueue,
  isUrgent,
  queuePrefix,
  type SealedJob,
} from './contracts.ts';

/** Practically unlimited, because an event must not be lost. */
const attempts = 1_000_000;

/** Events sent together to one consumer. */
export interface EventJob {
  /** Unique per sending, because BullMQ ignores known ids. */
  id: string;
  events: DomainEvent[];
}

/** Returns events as a job of a consumer's queue. */
export function sealedJob(
  signatures: Signatures,
  consumer: string,
  events: readonly DomainEvent[],
): SealedJob {
  const batch = JSON.stringify({ events } satisfies { events: readonly DomainEvent[] });
  return { sealed: signatures.seal('jobs', eventQueue(consumer), batch) };
}

/** Returns the events of a job; undefined if it is not authentic for this consumer. */
export function openJob(signatures: Signatures, consumer: string, data: unknown): DomainEvent[] | undefined {
  const { sealed } = (typeof data === 'object' && data !== null ? data : {}) as Partial<SealedJob>;
  const batch = signatures.open('jobs', eventQueue(consumer), sealed);
  return batch === undefined ? undefined : (JSON.parse(batch) as EventBatch).events;
}

/** Sending side of the consumers' BullMQ queues. Every call fails immediately while Redis is unavailable. */
export class EventQueues {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #signatures: Signatures;
  readonly #queues = new Map<string, Queue>();

  constructor(o: { redisUrl: string; prefix: string; name: string; log: Logger; signatures: Signatures }) {
    this.#signatures = o.signatures;
    this.#prefix = queuePrefix(o.prefix);
    this.#redis = createRedis(o.redisUrl, { name: o.name, log: o.log });
  }

  /** Calls back on each (re)connection. */
  onReady(listener: () => void): void {
    this.#redis.on('ready', listener);
  }

  /**
   * Enqueues jobs in one round trip.
   * @throws ServiceUnavailable, or the error of Redis; any of the jobs may then have been enqueued
   */
  async send(consumer: string, jobs: readonly EventJob[]): Promise<void> {
    const queue = await this.#queue(consumer);
    await queue.addBulk(
      jobs.map(({ id, events }) => ({
        name: 'events',
        data: sealedJob(this.#signatures, consumer, events),
        opts: {
          jobId: id,
          attempts,
          backoff: { type: 'custom' },
          removeOnComplete: true,
          removeOnFail: true,
          stackTraceLimit: 1,
          // Urgent events are next, however many jobs wait.
          lifo: events.some(isUrgent),
        },
      })),
    );
  }

  async close(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.close().catch(() => {});
    this.#redis.disconnect();
  }

  /** Creates the queue only while Redis is available: a BullMQ queue created during an outage never works. */
  async #queue(consumer: string): Promise<Queue> {
    if (this.#redis.status !== 'ready') throw new ServiceUnavailable('redis');
    const known = this.#queues.get(consumer);
    if (known) return known;
    const queue = new Queue(eventQueue(consumer), {
      connection: this.#redis,
      prefix: this.#prefix,
      skipMetasUpdate: true,
      skipWaitingForReady: true,
      // This stream has no reader.
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', () => {}); // reported by the connection's own listener
    try {
      await queue.waitUntilReady();
    } catch (error) {
      await queue.close().catch(() => {});
      throw error;
    }
    this.#queues.set(consumer, queue);
    return queue;
  }
}
