import type { DatabaseLog } from '../log.ts';
import { type DatabaseAddress, type Host, readAddress } from './address.ts';
import { type Answer, askServer, best } from './survey.ts';
import type { ServerState, Term } from './term.ts';

/** Change of the database's timeline or system. */
export interface TermChange {
  before: Term;
  now: Term;
  /**
   * Whether commits on the former primary last waited for a standby. If not, the latest ones may be missing.
   */
  synchronous: boolean;
}

/** A connection that can be dropped. */
export interface Droppable {
  drop(reason: string): void;
}

/** Selection of servers and of permitted connections. */
export type Routes = Pick<Servers, 'address' | 'where' | 'admit' | 'gone' | 'lost'>;

/**
 * Error of a server that must not be used. Its SQLSTATE (cannot_connect_now) makes it count as an unavailable
 * database.
 */
export class UnfitServer extends Error {
  readonly code = '57P03';
}

/** Interval in ms of the check for another primary among the hosts. */
const watchEveryMs = 5_000;
/** Time in ms that a process without a known timeline waits for the other hosts after one is writable. */
const graceMs = 1_000;
/** Pause in ms between checks while no server is writable. */
const pauseMs = 100;

/**
 * Servers of the database for one process: the primary, and its last known timeline. A server on an older
 * timeline is a former primary whose writes would be lost, so it is never used.
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
  /** Last rejected timeline, so that it is logged once instead of per connection. */
  #refused: number | undefined;

  /** @param url read for each connection if it may change, such as its password. @throws AddressError */
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

  /** Timeline in use. */
  get term(): Term | undefined {
    return this.#term;
  }

  onTermChange(listener: (change: TermChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Returns the host to connect to; undefined means that of the URL. @throws UnfitServer if no host is
   * writable
   */
  async where(): Promise<Host | undefined> {
    if (this.address.hosts.length === 0) return undefined;
    if (this.#primary) return this.#primary;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** @throws UnfitServer if the connected server must not be used */
  admit(connection: Droppable, host: Host | undefined, state: ServerState): void {
    if (state.standby) throw new UnfitServer('The server is a standby');
    if (state.readOnly && this.address.wanted === 'read-write') {
      throw new UnfitServer('The server takes no writes (default_transaction_read_only)');
    }
    if (state.term) this.#keepTo(state.term);
    this.#synchronous = state.synchronous;
    this.#connections.set(connection, host);
  }

  /** Records whether commits of the primary are synchronous, as reported with each connection. */
  hear(synchronous: boolean): void {
    this.#synchronous = synchronous;
  }

  gone(connection: Droppable): void {
    this.#connections.delete(connection);
  }

  /** Records that a host is unreachable or no longer writable. */
  lost(host: Host | undefined): void {
    if (host && host === this.#primary) this.#primary = undefined;
  }

  /** Starts to check for a new primary, so that a replaced one is left even if it still responds. */
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
    // If an address moves to another server, existing connections stay with the former one, which may be gone
    // or independent.
    for (const connection of this.#connections.keys()) connection.drop('another server has been promoted');
    for (const listener of this.#listeners) listener(change);
  }

  /** @throws UnfitServer if the timeline is older than a known one */
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

  /** Returns the responses of the hosts, without waiting for silent ones once the primary is known. */
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

  /** The former primary may still be writable after a promotion: the latest promotion is the database. */
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
