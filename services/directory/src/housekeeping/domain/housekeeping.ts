import type { ResourceType } from '../../schemas/index.ts';

/** What is due in all tenants. Each may be done by several processes at once. */
export interface HousekeepingTasks {
  /** Makes keys of names anew that an earlier release made. @returns how many users have a name that is also another user's */
  rekeyNames(stopped: () => boolean): Promise<number>;
  /** Removes values of what is no longer defined. */
  finishRemovals(stopped: () => boolean): Promise<void>;
  /** Notes yesterday's totals for the statistics. */
  noteTotals(): Promise<void>;
  /** Deletes what is kept no longer, a bounded part of it. */
  prune(now: Date): Promise<number>;
  /** Some of the deleted resources that can't be restored any more. */
  expiredResources(now: Date): Promise<{ tenant: string; id: string; type: ResourceType }[]>;
  purge(tenant: string, type: ResourceType, id: string): Promise<void>;
}

export interface Tidied {
  /** Users, in all tenants, whose user name is also another user's. */
  sharedUserNames: number;
}

/** What no request waits for. */
export class Housekeeping {
  readonly #tasks: HousekeepingTasks;
  readonly #clock: () => number;

  constructor(tasks: HousekeepingTasks, clock: () => number) {
    this.#tasks = tasks;
    this.#clock = clock;
  }

  /** Does all that is due, until it is stopped. */
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
