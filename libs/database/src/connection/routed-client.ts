import pg from 'pg';
import type { Host } from './address.ts';
import { type Droppable, type Routes, Servers, UnfitServer } from './servers.ts';
import { greet, isPromotedBy, isReadOnlyBy } from './term.ts';

/** Parameters of a client in addition to pg's. */
export interface Routing {
  servers: Routes;
  /**
   * Statements at the start of each connection. Not startup parameters, because poolers reject unknown ones.
   */
  settings: string;
}

const quiet = () => undefined;

/** Returns routing for connections outside of services. @throws AddressError */
export const routingTo = (url: string, settings = "SET TIME ZONE 'UTC'"): Routing => ({
  servers: new Servers(url, { debug: quiet, info: quiet, warn: quiet, error: quiet }),
  settings,
});

/** Members that pg's types omit. */
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
 * A connection to the current primary, never to a standby or a replaced primary. For a replica it is a
 * connection to a standby, closed on its promotion.
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

  /** Closes the connection immediately, with its current statement. */
  drop(reason: string): void {
    this.#wire.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  /** Called if the server rejects a statement as read-only. */
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
      // A status that the server reported itself saves a query.
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

  /** Its data is outdated from now on or, for a former standby, of another history. */
  #changed(): void {
    this.#routing.servers.lost(this.#host);
    this.#wire.once('readyForQuery', () => this.drop('the role of the server has changed'));
  }
}
