import { type Logger, SpanKind, type Wake, withSpan } from '@ostiary/service';
import type { ReceiverKind } from '../../tenancy/index.ts';
import { nextPause, type RetryPolicy } from './backoff.ts';
import type { Outcome, Senders } from './delivery.ts';
import type { ClaimedDelivery, Decision, DeliveryQueue, Slots } from './delivery-queue.ts';
import type { ReceiverHealth } from './receiver-store.ts';

export interface EngineOptions {
  queue: DeliveryQueue;
  receivers: ReceiverHealth;
  senders: Senders;
  retry: RetryPolicy;
  /** Timeout of an attempt in seconds, enforced by the sender. */
  timeoutSeconds: number;
  /** Maximum number of messages in progress at the same time, not counting slow ones. */
  concurrency: number;
  log: Logger;
  wake: Wake;
  /** Poll interval in milliseconds when no notification arrives, default 1,000. */
  pollMs?: number;
  /** Called after each attempt. */
  onAttempt?: (attempt: Attempt) => void;
}

export interface Attempt {
  kind: ReceiverKind;
  outcome: Outcome['kind'];
  state: Decision['state'];
  /** Seconds since the event was written. */
  waitedSeconds: number;
}

/** Maximum number of messages in progress for one receiver. */
const perReceiver = 5;
/**
 * Milliseconds after which a message in progress no longer counts against the concurrency, so that slow receivers do
 * not delay others.
 */
const slowMs = 1_000;
/** Multiple of the concurrency that is the maximum in progress, including slow messages. */
const withSlow = 8;
/** Multiple of the concurrency that is the maximum for one tenant: a quarter of all. */
const ofTenant = withSlow / 4;
/** Seconds by which a lease is longer than the timeout of an attempt. */
const leaseMargin = 5;
/** Milliseconds before a failed round is retried; also the default poll interval. */
const retryMs = 1_000;
/** Milliseconds between rounds under load, to lease in batches. */
const betweenRounds = 10;
/** Milliseconds for which a receiver that failed or was slow gets one message at a time, unless one arrives quickly. */
const rememberMs = 60_000;

interface UnderWay {
  delivery: ClaimedDelivery;
  began: number;
  /** True when the receiver was known to be slow or failing at the start. */
  slow: boolean;
}

const keyOf = (delivery: ClaimedDelivery): string =>
  `${delivery.receiverKind} ${delivery.tenant} ${delivery.receiverId}`;

/**
 * Sends due deliveries; any number of processes may run it at the same time. Due deliveries are leased, a few per
 * receiver, so that a receiver that hangs delays no other. No transaction is open during an attempt. When a process
 * ends, its leases expire and another process sends the same messages again.
 */
export class DeliveryEngine {
  readonly #o: EngineOptions;
  readonly #underWay = new Set<UnderWay>();
  /** Receivers that failed or were slow in this process, with the time. */
  readonly #troubled = new Map<string, number>();
  #running: Promise<void> | undefined;
  #stopping = false;

  constructor(options: EngineOptions) {
    this.#o = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops leasing and waits for the attempts in progress. Unfinished ones are sent again after their leases expire. */
  async stop(deadlineMs = this.#o.timeoutSeconds * 1_000): Promise<void> {
    this.#stopping = true;
    this.#o.wake.poke();
    await this.#running;
    const end = performance.now() + deadlineMs;
    while (this.#underWay.size > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #run(): Promise<void> {
    const { log, wake, pollMs = retryMs } = this.#o;
    let failures = 0;
    while (!this.#stopping) {
      let more = false;
      try {
        more = await this.#round();
        if (failures > 0) log.info({ event: 'deliveries.recovered', failures }, 'Deliveries resumed');
        failures = 0;
      } catch (error) {
        failures += 1;
        // One log line per outage, not per round.
        if (failures === 1)
          log.warn({ event: 'deliveries.retry', err: error }, 'Deliveries could not be read; retrying');
      }
      if (this.#stopping) return;
      const idle = failures > 0 ? retryMs : pollMs;
      const pause = more ? betweenRounds : idle * (0.75 + Math.random() / 4);
      await wake.wait(pause, performance.now() + betweenRounds);
    }
  }

  /** @returns whether another round may find more immediately */
  async #round(): Promise<boolean> {
    const free = this.#free();
    if (free <= 0) return false;
    const { looked, claimed } = await this.#o.queue.claimDue({
      kinds: Object.keys(this.#o.senders) as ReceiverKind[],
      limit: free,
      perReceiver,
      slots: this.#slots(),
      perTenant: this.#maxOfTenant,
      rooms: this.#rooms(),
      leaseSeconds: this.#o.timeoutSeconds + leaseMargin,
    });
    for (const delivery of claimed) void this.#attempt(delivery);
    return looked > 0;
  }

  #free(): number {
    const { concurrency } = this.#o;
    const now = performance.now();
    let quick = 0;
    for (const { began, slow } of this.#underWay) if (!slow && now - began < slowMs) quick += 1;
    return Math.min(concurrency - quick, withSlow * concurrency - this.#underWay.size);
  }

  get #maxOfTenant(): number {
    return ofTenant * this.#o.concurrency;
  }

  /** Tenants with messages in progress, and their remaining capacity. */
  #rooms(): { tenant: string; room: number }[] {
    const rooms = new Map<string, number>();
    for (const { delivery } of this.#underWay)
      rooms.set(delivery.tenant, (rooms.get(delivery.tenant) ?? this.#maxOfTenant) - 1);
    return [...rooms].map(([tenant, room]) => ({ tenant, room }));
  }

  /** Receivers whose limit differs from the default. */
  #slots(): Slots[] {
    const now = performance.now();
    const slots = new Map<string, Slots & { slow: boolean }>();
    for (const { delivery, began } of this.#underWay) {
      const key = keyOf(delivery);
      const of = slots.get(key) ?? { ...slotsOf(delivery), slow: this.#troubled.has(key) };
      of.slots -= 1;
      of.slow ||= now - began > slowMs || delivery.receiver?.failingSince != null;
      slots.set(key, of);
    }
    for (const [key, failedAt] of this.#troubled) {
      if (now - failedAt > rememberMs) this.#troubled.delete(key);
      else if (!slots.has(key)) slots.set(key, { ...parse(key), slots: perReceiver, slow: true });
    }
    return [...slots.values()].map(({ slow, ...of }) => ({
      ...of,
      slots: Math.max(0, slow ? of.slots - perReceiver + 1 : of.slots),
    }));
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { log, wake } = this.#o;
    const underWay = { delivery, began: performance.now(), slow: this.#troubled.has(keyOf(delivery)) };
    this.#underWay.add(underWay);
    try {
      const outcome = await this.#send(delivery).catch((error: unknown): Outcome => {
        log.warn(
          { event: 'delivery.attempt_failed', delivery: delivery.id, tenant: delivery.tenant, err: error },
          'Delivery attempt failed',
        );
        return { kind: 'failed', reason: 'The message could not be created.' };
      });
      const isSlow = performance.now() - underWay.began > slowMs;
      if (isSlow) this.#troubled.set(keyOf(delivery), performance.now());
      await this.#decide(delivery, outcome, isSlow);
    } catch (error) {
      // It is unknown whether the message arrived: it is sent again after the lease expires.
      log.warn(
        { event: 'delivery.outcome_not_stored', delivery: delivery.id, err: error },
        'Outcome of a delivery could not be stored',
      );
    } finally {
      this.#underWay.delete(underWay);
      wake.poke(false);
    }
  }

  /** Continues the trace of the event. */
  #send(delivery: ClaimedDelivery): Promise<Outcome> {
    const { receiverKind, fact, id, attempt } = delivery;
    const sender = this.#o.senders[receiverKind];
    if (!sender)
      return Promise.resolve({
        kind: 'failed',
        reason: 'No sender is configured for this kind of delivery.',
      });
    return withSpan(
      `send ${receiverKind}`,
      {
        kind: SpanKind.PRODUCER,
        parent: fact?.traceparent ?? undefined,
        attributes: { 'messaging.message.id': id, 'ostiary.attempt': attempt },
      },
      async (span) => {
        const outcome = await sender.send(delivery);
        span?.setAttribute('ostiary.outcome', outcome.kind);
        return outcome;
      },
    );
  }

  async #decide(delivery: ClaimedDelivery, outcome: Outcome, isSlow: boolean): Promise<void> {
    const { queue, receivers, retry, log, onAttempt } = this.#o;
    const decision = decisionOn(delivery, outcome, retry);
    const { decided } = await queue.finish(delivery, decision);
    const { receiverKind: kind, tenant, receiverId, receiver, waitedSeconds } = delivery;
    onAttempt?.({ kind, outcome: outcome.kind, state: decided ? decision.state : 'pending', waitedSeconds });
    const key = keyOf(delivery);
    if (outcome.kind === 'delivered') {
      if (!isSlow) this.#troubled.delete(key);
      if (receiver?.failingSince) await receivers.note(tenant, receiver.id, true);
      return;
    }
    if (outcome.kind === 'failed') {
      this.#troubled.set(key, performance.now());
      if (receiver && !receiver.failingSince) await receivers.note(tenant, receiver.id, false);
    }
    if (outcome.kind === 'gone' && receiver && (await receivers.disable(receiver, outcome.reason)))
      log.warn(
        { event: 'delivery.receiver_disabled', tenant, kind, receiver: receiverId },
        'Receiver no longer exists and was disabled',
      );
    if (decision.state === 'dead' && decided)
      log.warn(
        {
          event: 'delivery.abandoned',
          tenant,
          kind,
          receiver: receiverId,
          delivery: delivery.id,
          attempts: delivery.attempt,
          reason: decision.error,
        },
        'Delivery abandoned after the last attempt',
      );
  }
}

const slotsOf = ({ receiverKind, tenant, receiverId }: ClaimedDelivery): Slots => ({
  kind: receiverKind,
  tenant,
  receiverId,
  slots: perReceiver,
});

function parse(key: string): Omit<Slots, 'slots'> {
  const [kind, tenant, ...receiverId] = key.split(' ');
  return { kind: kind as ReceiverKind, tenant: tenant ?? '', receiverId: receiverId.join(' ') };
}

/** Decides on the state of a message after an attempt. */
export function decisionOn(
  delivery: Pick<ClaimedDelivery, 'attempt' | 'ageSeconds'>,
  outcome: Outcome,
  retry: RetryPolicy,
  random = Math.random(),
): Decision {
  const { status } = outcome;
  if (outcome.kind === 'delivered') return { state: 'delivered', status, error: undefined };
  const error = outcome.reason.slice(0, 200);
  if (outcome.kind !== 'failed') return { state: 'dead', status, error };
  const pauseSeconds = nextPause(retry, {
    failed: delivery.attempt,
    ageSeconds: delivery.ageSeconds,
    retryAfterSeconds: outcome.retryAfterSeconds,
    random,
  });
  return pauseSeconds === undefined
    ? { state: 'dead', status, error }
    : { state: 'pending', pauseSeconds, status, error };
}
