import type { ResourceType } from '../schemas/index.ts';

/** Periodic tasks of all tenants. Each can run in several processes concurrently. */
export interface HousekeepingTasks {
  /** Computes name keys again that an earlier release wrote. @returns the number of users who share a user name */
  rekeyNames(stopped: () => boolean): Promise<number>;
  /** Removes the values of attributes that are no longer defined. */
  finishRemovals(stopped: () => boolean): Promise<void>;
  /** Records yesterday's totals for the statistics. */
  noteTotals(): Promise<void>;
  /** Deletes a bounded number of expired rows. */
  prune(now: Date): Promise<number>;
  /** Returns some of the deleted resources that can no longer be restored. */
  expiredResources(now: Date): Promise<{ tenant: string; id: string; type: ResourceType }[]>;
  purge(tenant: string, type: ResourceType, id: string): Promise<void>;
}

export interface Tidied {
  /** Number of users, in all tenants, who share their user name. */
  sharedUserNames: number;
}

/** Periodic tasks for which no request waits. */
export class Housekeeping {
  readonly #tasks: HousekeepingTasks;
  readonly #clock: () => number;

  constructor(tasks: HousekeepingTasks, clock: () => number) {
    this.#tasks = tasks;
    this.#clock = clock;
  }

  /** Runs all tasks until it is stopped. */
  async tidy(stopped: () => boolean = () => false): Promise<Tidied> {
    const sharedUserNames = await this.#tasks.rekeyNames(stopped);
    await this.#tasks.finishRemovals(stopped);
    await this.#tasks.noteTotals();
    if (!stopped()) await this.#tasks.prune(new Date(this.#clock()));
    for (;;) {
      const expired = stopped() ? [] : await this.#tasks.expiredResources(new Date(this.#clock()));
      for (const { tenant, id, type } of expired) {
        if (!stopped()) await this.#tasks.purge(tenant, type, id);
      }
      if (expired.length === 0) return { sharedUserNames };
    }
  }
}
