import type { NewEvent } from '@ostiary/events';

/** A change that PostgreSQL has acknowledged to this process. */
export interface Change {
  /** Id of its event in the outbox. */
  event: string;
  tenant: string;
  type: NewEvent['type'];
  subject: string;
  version: number;
}

/** Lifetime in milliseconds, and maximum number of changes: a standby that lags further behind must not be promoted. */
const keptMs = 10 * 60_000;
const keptAtMost = 50_000;

/** The recent changes of this process, in their order. They survive a failover of the database. */
export class AcknowledgedChanges {
  readonly #changes = new Map<string, Change & { at: number }>();
  readonly #now: () => number;

  /** @param now returns monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(events: readonly (NewEvent & { id: string })[]): void {
    const at = this.#now();
    for (const { id, tenant, type, subject, version } of events) {
      this.#changes.set(id, { event: id, tenant, type, subject, version, at });
    }
    this.#forget(at);
  }

  recent(): Change[] {
    this.#forget(this.#now());
    return [...this.#changes.values()];
  }

  forget(events: Iterable<string>): void {
    for (const event of events) this.#changes.delete(event);
  }

  #forget(now: number): void {
    for (const [event, { at }] of this.#changes) {
      if (this.#changes.size <= keptAtMost && now - at <= keptMs) return;
      this.#changes.delete(event);
    }
  }
}
