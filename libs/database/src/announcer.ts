import type { Listener } from './connection/listener.ts';
import { notify } from './notify.ts';
import type { Sql } from './sql.ts';
import { type Announcements, plainNote } from './transaction.ts';

/** Notifies the listeners of a channel: those of this process directly, others by NOTIFY. */
export class Announcer {
  readonly #sql: Sql;
  readonly #listener: Listener;
  /** Channels with a NOTIFY in progress, with the latest later note. */
  readonly #notifying = new Map<string, string | undefined>();

  constructor(sql: Sql, listener: Listener) {
    this.#sql = sql;
    this.#listener = listener;
  }

  announce(channel: string, note = plainNote): void {
    if (!this.#listener.notify(channel, note)) this.#notifyOthers(channel, note);
  }

  announceAll(announcements: Announcements): void {
    for (const [channel, notes] of announcements) for (const note of notes) this.announce(channel, note);
  }

  /** After the commit and outside of it: NOTIFY inside a transaction serialises all commits of the server. */
  #notifyOthers(channel: string, note: string): void {
    if (this.#notifying.has(channel)) {
      this.#notifying.set(channel, note);
      return;
    }
    this.#notifying.set(channel, undefined);
    notify(this.#sql, channel, note)
      .catch(() => {})
      .finally(() => {
        const next = this.#notifying.get(channel);
        this.#notifying.delete(channel);
        if (next !== undefined) this.#notifyOthers(channel, next);
      });
  }
}
