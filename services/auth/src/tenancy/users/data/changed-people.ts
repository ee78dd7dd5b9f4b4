import { notify } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { ChangedUsers, UserKey } from '../domain/changed-people.ts';

const channel = 'auth_subjects';
/** Maximum number of users per notification, whose limit is 8,000 bytes: an id has 36 bytes, a tenant at most 63. */
const batch = 75;

type Listen = { listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> };

/**
 * Announces with NOTIFY outside of the transaction of the change. Within it, all commits of the server would be
 * serialized.
 */
export class AnnouncedUsers implements ChangedUsers {
  readonly #database: { sql: Connection } & Listen;
  readonly #here = new Set<(person?: UserKey) => void>();

  constructor(database: { sql: Connection } & Listen) {
    this.#database = database;
  }

  async announce(people: readonly UserKey[]): Promise<void> {
    for (const person of people) for (const forget of this.#here) forget(person);
    for (let start = 0; start < people.length; start += batch) {
      const some = people.slice(start, start + batch).map(({ tenant, id }) => `${tenant}/${id}`);
      await notify(this.#database.sql, channel, some.join(' ')).catch(() => {});
    }
  }

  async follow(forget: (person?: UserKey) => void): Promise<() => Promise<void>> {
    this.#here.add(forget);
    const stop = await this.#database.listen(channel, (payload) => {
      if (payload === '') return forget();
      for (const key of payload.split(' ')) {
        const slash = key.indexOf('/');
        forget({ tenant: key.slice(0, slash), id: key.slice(slash + 1) });
      }
    });
    return async () => {
      this.#here.delete(forget);
      await stop();
    };
  }
}
