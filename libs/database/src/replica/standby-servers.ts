import { type DatabaseAddress, type Host, readAddress } from '../connection/address.ts';
import { type Droppable, type Routes, UnfitServer } from '../connection/servers.ts';
import type { ServerState } from '../connection/term.ts';
import type { DatabaseLog } from '../log.ts';

/**
 * The servers of DATABASE_REPLICA_URL: one that is a standby is used for as long as it answers, then the next. Which history it has, and how
 * old that is, is asked with every use.
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

  /** How many there are to try. */
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

  /** The one that is in use is of no use. */
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
