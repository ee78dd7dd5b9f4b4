import { type DatabaseAddress, type Host, readAddress } from '../connection/address.ts';
import { type Droppable, type Routes, UnfitServer } from '../connection/servers.ts';
import type { ServerState } from '../connection/term.ts';
import type { DatabaseLog } from '../log.ts';

/**
 * Servers of DATABASE_REPLICA_URL: a standby is used as long as it responds, then the next. Its history and
 * age are queried with every use.
 */
export class StandbyServers implements Routes {
  readonly #url: () => string;
  readonly #log: DatabaseLog;
  #text: string;
  #address: DatabaseAddress;
  #next = 0;

  /** @throws AddressError */
  constructor(url: string | (() => string), log: DatabaseLog) {
    this.#url = typeof url === 'string' ? () => url : url;
    this.#log = log;
    this.#text = this.#url();
    this.#address = readAddress(this.#text, 'standby');
  }

  get address(): DatabaseAddress {
    const text = this.#url();
    if (text !== this.#text) this.#moveTo(text);
    return this.#address;
  }

  /** Number of hosts. */
  get hosts(): number {
    return Math.max(1, this.#address.hosts.length);
  }

  async where(): Promise<Host | undefined> {
    const { hosts } = this.address;
    return hosts.length === 0 ? undefined : hosts[this.#next % hosts.length];
  }

  /** @throws UnfitServer */
  admit(_connection: Droppable, _host: Host | undefined, { standby }: ServerState): void {
    if (!standby) throw new UnfitServer('The server is no standby');
  }

  gone(): void {}

  lost(host: Host | undefined): void {
    const { hosts } = this.#address;
    if (host && host === hosts[this.#next % hosts.length]) this.#next += 1;
  }

  /** Moves to the next host. */
  moveOn(): void {
    this.#next += 1;
  }

  #moveTo(text: string): void {
    this.#text = text;
    try {
      this.#address = readAddress(text, 'standby');
      this.#next = 0;
    } catch (error) {
      this.#log.error(
        { event: 'replica.address_invalid', err: error },
        'New replica address cannot be used; the previous one stays in use',
      );
    }
  }
}
