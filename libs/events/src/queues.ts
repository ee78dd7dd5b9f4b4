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

/** An event is tried until it works: giving up would be losing it. */
const attempts = 1_000_000;

/** Events that travel together to one consumer. */
export interface EventJob {
  /** BullMQ swallows an id that it has seen, so each sending has its own. */
  id: string;
  events: DomainEvent[];
}

/** Events as a job of a consumer's queue. */
export function sealedJob(
  signatures: Signatures,
  consumer: string,
  events: readonly DomainEvent[],
): SealedJob {
  const batch = JSON.stringify({ events } satisfies { events: readonly DomainEvent[] });
  return { sealed: signatures.seal('jobs', eventQueue(consumer), batch) };
}

/** The events of a job; undefined when it isn't one of ours for this consumer. */
export function openJob(signatures: Signatures, consumer: string, data: unknown): DomainEvent[] | undefined {
  const { sealed } = (typeof data === 'object' && data !== null ? data : {}) as Partial<SealedJob>;
  const batch = signatures.open('jobs', eventQueue(consumer), sealed);
  return batch === undefined ? undefined : (JSON.parse(batch) as EventBatch).events;
}

/** The sending side of the consumers' BullMQ queues. Every call fails at once while Redis can't be reached. */
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

  /** Calls back whenever the connection is (again) usable. */
  onReady(listener: () => void): void {
    this.#redis.on('ready', listener);
  }

  /**
   * Hands over jobs, all in one round trip.
   * @throws ServiceUnavailable, or the error of Redis; then any part of the jobs may have been enqueued
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
          // What is over must not stay: its presence means "on its way".
          removeOnComplete: true,
          removeOnFail: true,
          stackTraceLimit: 1,
          // However many wait: what closes doors is next.
          lifo: events.some(isUrgent),
        },
      })),
    );
  }

  /** Those of the jobs of which Redis knows nothing: neither waiting, nor delayed, nor being worked on. */
  async absent(consumer: string, jobs: readonly string[]): Promise<Set<string>> {
    if (jobs.length === 0) return new Set();
    const queue = await this.#queue(consumer);
    const pipeline = this.#redis.pipeline();
    for (const job of jobs) pipeline.exists(queue.toKey(job));
    const answers = (await pipeline.exec()) ?? [];
    const gone = jobs.filter((_, i) => {
      const [error, found] = answers[i] ?? [new Error('no answer')];
      if (error) throw error;
      return found === 0;
    });
    return new Set(gone);
  }

  /** Those of the jobs that are in no list of the queue, though Redis has them: nobody will work on these. */
  async stray(consumer: string, jobs: readonly string[]): Promise<string[]> {
    if (jobs.length === 0) return [];
    const queue = await this.#queue(consumer);
    const states = await Promise.all(jobs.map((job) => queue.getJobState(job)));
    return jobs.filter((_, i) => states[i] === 'unknown');
  }

  async close(): Promise<void> {
    for (const queue of this.#queues.values()) await queue.close().catch(() => {});
    this.#redis.disconnect();
  }

  /** A BullMQ queue that is made while Redis is away stays broken for good, so it is made when Redis is there. */
  async #queue(consumer: string): Promise<Queue> {
    if (this.#redis.status !== 'ready') throw new ServiceUnavailable('redis');
    const known = this.#queues.get(consumer);
    if (known) return known;
    const queue = new Queue(eventQueue(consumer), {
      connection: this.#redis,
      prefix: this.#prefix,
      skipMetasUpdate: true,
      skipWaitingForReady: true,
      // Nobody reads this stream.
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', () => {}); // the connection's own listener reports it
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
