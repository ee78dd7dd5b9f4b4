import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@ostiary/service';
import type { AcknowledgedChanges, Change } from './acknowledged.ts';
import { type Reapplied, type Remembered, type RestoredDirectory, reapply } from './restoring.ts';

interface TakeoverPorts {
  acknowledged: AcknowledgedChanges;
  /** Returns the events that the database does not have. */
  missing(events: readonly string[]): Promise<string[]>;
  directory: RestoredDirectory;
  /** Counts acknowledged changes that are missing. */
  onLost(count: number): void;
  log: Logger;
}

/** Interval between two attempts in milliseconds: a recently promoted server may reject connections. */
const againMs = 500;
/** Maximum number of changes named in the log. */
const namedAtMost = 20;
/** Action of the operator for changes that this process cannot repeat. */
const remedy = 'npm run reapply-departures, then a full cycle of the identity sources';

/**
 * Compares the changes that this process has acknowledged with the database after a failover, and repeats lost
 * offboardings. Other lost changes are reported; identity sources repeat them in their next cycle.
 */
export class Takeover {
  readonly #o: TakeoverPorts;
  readonly #stopped = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(ports: TakeoverPorts) {
    this.#o = ports;
  }

  /** Number of detected failovers. */
  get count(): number {
    return this.#count;
  }

  /** Records a failover and starts the comparison. */
  noticed(): void {
    this.#count += 1;
    this.#work = this.#work.then(() => this.#untilMended());
  }

  /** Resolves when all detected failovers have been processed. */
  settled(): Promise<void> {
    return this.#work;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#work;
  }

  async #untilMended(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        return await this.#mend();
      } catch (error) {
        this.#o.log.warn(
          { event: 'takeover.check_failed', err: error },
          'Changes missing after a database failover could not be determined yet',
        );
        await sleep(againMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #mend(): Promise<void> {
    const { acknowledged, missing, onLost, log } = this.#o;
    const changes = acknowledged.recent();
    const lacking = new Set(await missing(changes.map(({ event }) => event)));
    const lost = changes.filter(({ event }) => lacking.has(event));
    if (lost.length === 0) {
      log.info(
        { event: 'takeover.complete', acknowledged: changes.length },
        'Database holds every recently acknowledged change',
      );
      return;
    }
    const people = asTheyWere(lost);
    const named = lost.slice(0, namedAtMost).map(({ tenant, type, subject }) => ({ tenant, type, subject }));
    log.error(
      {
        event: 'takeover.changes_lost',
        lost: lost.length,
        acknowledged: changes.length,
        departures: people.filter(({ active }) => !active).length,
        named,
        remedy,
      },
      'Database lacks acknowledged changes after a failover',
    );
    await this.#restore(people);
    onLost(lost.length);
    acknowledged.forget(lacking);
  }

  async #restore(people: readonly Remembered[]): Promise<void> {
    const { directory, log } = this.#o;
    const standings = await directory.standings(people);
    const versions = new Map(standings.map(({ tenant, id, version }) => [`${tenant} ${id}`, version]));
    const done: Partial<Reapplied> = {};
    for (const person of people) {
      // The version is raised above later changes: the acknowledged change was an offboarding.
      const above = person.active ? 0 : (versions.get(`${person.tenant} ${person.id}`) ?? 0) + 1;
      const outcome = await reapply(directory, [{ ...person, version: Math.max(person.version, above) }]);
      for (const name of Object.keys(outcome) as (keyof Reapplied)[]) {
        done[name] = (done[name] ?? 0) + outcome[name];
      }
    }
    if (people.length > 0)
      log.warn(
        { event: 'takeover.offboardings_reapplied', ...done },
        'Offboardings lost in a database failover are applied again',
      );
  }
}

/**
 * Returns the users' states by the lost changes, also of users who returned or only changed: other services may have
 * that version.
 */
function asTheyWere(lost: readonly Change[]): Remembered[] {
  const people = new Map<string, Remembered>();
  for (const { tenant, subject: id, version, type } of lost) {
    if (!type.startsWith('user.')) continue;
    const key = `${tenant} ${id}`;
    const before = people.get(key) ?? {
      tenant,
      id,
      version: 0,
      active: true,
      deleted: false,
      departedVersion: 0,
    };
    const leaves = type === 'user.deactivated' || type === 'user.deleted';
    const returns = type === 'user.reactivated' || type === 'user.created';
    people.set(key, {
      ...before,
      version: Math.max(version, before.version),
      // Other changes of an offboarded user do not reactivate it.
      ...((leaves || returns) && { active: returns, deleted: type === 'user.deleted' }),
      ...(leaves && { departedVersion: version }),
    });
  }
  return [...people.values()];
}
