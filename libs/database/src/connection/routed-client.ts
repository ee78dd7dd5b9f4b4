import pg from 'pg';
import type { Host } from './address.ts';
import { type Droppable, type Routes, Servers, UnfitServer } from './servers.ts';
import { greet, isPromotedBy, isReadOnlyBy } from './term.ts';

/** What a client needs beside what pg knows. */
export interface Routing {
  servers: Routes;
  /** Statements that each connection begins with. A statement after connecting, and no startup parameter: poolers refuse those they don't know. */
  settings: string;
}

const quiet = () => undefined;

/** For connections that are no service's. @throws AddressError */
export const routingTo = (url: string, settings = "SET TIME ZONE 'UTC'"): Routing => ({
  servers: new Servers(url, { debug: quiet, info: quiet, warn: quiet, error: quiet }),
  settings,
});

/** What pg's types leave out. */
interface Wire {
  stream: { destroyed: boolean; destroy(error?: Error): void };
  on(
    event: 'parameterStatus',
    listener: (m: { parameterName: string; parameterValue: string }) => void,
  ): void;
  once(event: 'readyForQuery', listener: () => void): void;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection to the primary, wherever that is now; none comes about to a standby, or to a primary that was replaced. Where a replica is
 * wanted it is one to a standby, and ends with its promotion.
 */
export class RoutedClient extends pg.Client implements Droppable {
  readonly #routing: Routing;
  readonly #parameters = new Map<string, string>();
  #host: Host | undefined;
  #admitted = false;
  #unfit = isReadOnlyBy;

  constructor(config: pg.ClientConfig & Routing) {
    super({ ...config, connectionString: config.servers.address.url });
    this.#routing = { servers: config.servers, settings: config.settings };
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      this.#parameters.set(parameterName, parameterValue);
      if (this.#admitted && this.#unfit(this.#parameters)) this.#changed();
    });
    this.once('end', () => this.#routing.servers.gone(this));
  }

  override async connect(callback?: Connected): Promise<this> {
    const opened = this.#open();
    if (callback) {
      const tell = callback as (error: Error | null, client?: pg.Client) => void;
      await opened.then(
        () => tell(null, this),
        (error: Error) => tell(error),
      );
    } else {
      await opened;
    }
    return this;
  }

  /** Ends it, and what is under way on it, at once. */
  drop(reason: string): void {
    this.#wire.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  /** The server has said, to a statement, that it takes no writes. */
  protected refused(): void {
    this.#routing.servers.lost(this.#host);
  }

  get #wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  async #open(): Promise<void> {
    const { servers, settings } = this.#routing;
    this.#host = await servers.where();
    try {
      if (this.#wire.stream.destroyed) throw new Error('timeout exceeded when trying to connect');
      if (this.#host) Object.assign(this, this.#host);
      await super.connect();
      const { wanted } = servers.address;
      // What the server has said by itself saves the question.
      if (wanted === 'read-write' && isReadOnlyBy(this.#parameters)) {
        throw new UnfitServer('The server takes no writes');
      }
      if (wanted === 'standby') this.#unfit = isPromotedBy;
      servers.admit(this, this.#host, await greet(this, settings));
      this.#admitted = true;
    } catch (error) {
      servers.lost(this.#host);
      await super.end().catch(() => {});
      throw error;
    }
  }

  /** What it reads from now on is of the past; or, on what was a standby, of another history. */
  #changed(): void {
    this.#routing.servers.lost(this.#host);
    this.#wire.once('readyForQuery', () => this.drop('the role of the server has changed'));
  }
}
