import type { DatabaseLog } from '../log.ts';
import { type DatabaseAddress, type Host, readAddress } from './address.ts';
import { type Answer, askServer, best } from './survey.ts';
import type { ServerState, Term } from './term.ts';

/** What there is to know when another timeline, or another system, has become the database. */
export interface TermChange {
  before: Term;
  now: Term;
  /** Whether commits on the former primary waited for a standby, as it said last. Otherwise the last ones may be missing now. */
  synchronous: boolean;
}

/** A connection, as far as it matters here. */
export interface Droppable {
  drop(reason: string): void;
}

/** Where connections go, and which of them come about. */
export type Routes = Pick<Servers, 'address' | 'where' | 'admit' | 'gone' | 'lost'>;

/** A server that must not be worked with. By its SQLSTATE (cannot_connect_now) it counts as a database that is away. */
export class UnfitServer extends Error {
  readonly code = '57P03';
}

/** How often it is looked whether another of the hosts has become the primary, in ms. */
const watchEveryMs = 5_000;
/** How long a process that knows no timeline yet waits for the other hosts once one takes writes, in ms. */
const graceMs = 1_000;
/** Between two looks at servers none of which took writes, in ms. */
const pauseMs = 100;

/**
 * The servers that are the database for one process: which of them is the primary, and which timeline it has been seen to be on. One on an
 * older timeline is a former primary that has come back, and what is written there is lost: nobody connects to it.
 */
export class Servers {
  readonly #url: () => string;
  #text: string;
  #address: DatabaseAddress;
  readonly #log: DatabaseLog;
  readonly #connections = new Map<Droppable, Host | undefined>();
  readonly #listeners = new Set<(change: TermChange) => void>();
  #primary: Host | undefined;
  #looking: Promise<Host> | undefined;
  #term: Term | undefined;
  #synchronous = false;
  #watch: NodeJS.Timeout | undefined;
  /** The timeline that was refused last: one line in the log for it, not one a connection. */
  #refused: number | undefined;

  /** @param url asked for each connection where it may change, as a password does. @throws AddressError */
  constructor(url: string | (() => string), log: DatabaseLog) {
    this.#url = typeof url === 'string' ? () => url : url;
    this.#text = this.#url();
    this.#address = readAddress(this.#text);
    this.#log = log;
  }

  get address(): DatabaseAddress {
    const text = this.#url();
    if (text !== this.#text) this.#moveTo(text);
    return this.#address;
  }

  /** The timeline that this process works on. */
  get term(): Term | undefined {
    return this.#term;
  }

  onTermChange(listener: (change: TermChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Where to connect to; undefined: where the URL says. @throws UnfitServer when no host takes writes */
  async where(): Promise<Host | undefined> {
    if (this.address.hosts.length === 0) return undefined;
    if (this.#primary) return this.#primary;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** @throws UnfitServer when a server, which a connection was made to, must not be worked with */
  admit(connection: Droppable, host: Host | undefined, state: ServerState): void {
    if (state.standby) throw new UnfitServer('The server is a standby');
    if (state.readOnly && this.address.wanted === 'read-write') {
      throw new UnfitServer('The server takes no writes (default_transaction_read_only)');
    }
    if (state.term) this.#keepTo(state.term);
    this.#synchronous = state.synchronous;
    this.#connections.set(connection, host);
  }

  /** What the primary says, as often as somebody asks it. */
  hear(synchronous: boolean): void {
    this.#synchronous = synchronous;
  }

  gone(connection: Droppable): void {
    this.#connections.delete(connection);
  }

  /** A connection to the host could not be made, or it takes no writes any more. */
  lost(host: Host | undefined): void {
    if (host && host === this.#primary) this.#primary = undefined;
  }

  /** From now on a primary that was replaced is left as soon as its successor is seen, although it answers as ever. */
  watch(): void {
    if (this.address.hosts.length === 0) return;
    this.#watch ??= setInterval(() => void this.#lookAround(), watchEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#watch);
  }

  #moveTo(text: string): void {
    this.#text = text;
    try {
      this.#address = readAddress(text);
      this.#primary = undefined;
    } catch (error) {
      this.#log.error(
        { event: 'database.address_invalid', err: error },
        'New database address cannot be used; the previous one stays in use',
      );
    }
  }

  #keepTo(term: Term): void {
    if (this.#term?.system === term.system && this.#term.timeline === term.timeline) return;
    this.#assertNotFormer(term);
    const before = this.#term;
    this.#term = term;
    if (!before) return;
    const change = { before, now: term, synchronous: this.#synchronous };
    this.#log.warn({ event: 'database.failed_over', ...change }, 'Database failed over to another server');
    if (!change.synchronous) {
      this.#log.error(
        { event: 'database.failover_data_loss_possible', ...change },
        'Database failed over without a synchronous standby; recently acknowledged changes may be lost',
      );
    }
    // Where one address comes to lead elsewhere, what was connected stays connected: to a server that is gone, or goes on by itself.
    for (const connection of this.#connections.keys()) connection.drop('another server has been promoted');
    for (const listener of this.#listeners) listener(change);
  }

  /** @throws UnfitServer when the timeline is older than one that was seen */
  #assertNotFormer(term: Term): void {
    const newest = this.#term?.system === term.system ? this.#term.timeline : 0;
    if (term.timeline >= newest) return;
    if (this.#refused !== term.timeline) {
      this.#log.error(
        { event: 'database.old_primary_rejected', timeline: term.timeline, newest, system: term.system },
        'PostgreSQL server rejected: its timeline is older than one already in use',
      );
    }
    this.#refused = term.timeline;
    throw new UnfitServer('The server is a former primary');
  }

  async #look(): Promise<Host> {
    const answers = await this.#answers();
    const found = best(answers, this.#term);
    if (!found) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      throw new UnfitServer(`No host takes writes (${answers.map(({ says }) => says).join('; ')})`);
    }
    this.#primary = found.host;
    return found.host;
  }

  /** What the hosts say; without those that say nothing while it is clear already where the primary is. */
  #answers(): Promise<Answer[]> {
    const { hosts } = this.address;
    const answers: Answer[] = [];
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        resolve([...answers]);
      };
      let timer: NodeJS.Timeout | undefined;
      for (const host of hosts) {
        void askServer(this.address, host).then((answer) => {
          answers.push(answer);
          if (answers.length === hosts.length || this.#isCurrent(answer)) done();
          else if (answer.writable) timer ??= setTimeout(done, graceMs);
        });
      }
    });
  }

  #isCurrent({ writable, term }: Answer): boolean {
    return (
      writable && this.#term?.system === term?.system && (term?.timeline ?? -1) >= (this.#term?.timeline ?? 0)
    );
  }

  /** The former primary may still take writes while another has been promoted: whoever is promoted last is the database. */
  async #lookAround(): Promise<void> {
    const primary = this.#primary;
    if (!primary) return;
    const others = this.address.hosts.filter((host) => host !== primary);
    const answers = await Promise.all(others.map((host) => askServer(this.address, host)));
    const newer = answers.find(
      ({ writable, term }) =>
        writable &&
        term?.system === this.#term?.system &&
        (term?.timeline ?? 0) > (this.#term?.timeline ?? Infinity),
    );
    if (!newer || this.#primary !== primary) return;
    this.#primary = newer.host;
    for (const [connection, host] of this.#connections) {
      if (host === primary) connection.drop('another server has been promoted');
    }
  }
}
