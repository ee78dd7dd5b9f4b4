import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

interface FetchedKeys {
  at: number;
  keys: JWTVerifyGetKey | undefined;
}

const maxAge = 600_000;
const cooldown = 5_000;

export interface SigningKeysOptions {
  /** Fetches the key set; undefined if the issuer does not exist. */
  fetch(): Promise<JSONWebKeySet | undefined>;
  /** Milliseconds. */
  clock: () => number;
}

/**
 * Keys of one issuer, fetched and cached. An unknown key triggers a request at most every five seconds, so that
 * invented key ids do not load the server. During an outage, cached keys stay valid.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  #fetched: FetchedKeys | undefined;
  #fetching: Promise<FetchedKeys> | undefined;

  constructor(options: SigningKeysOptions) {
    this.#options = options;
  }

  /**
   * Returns the keys; undefined for an unknown issuer.
   * @param refresh requests a newer copy than the previous one
   * @throws errors of `fetch` if no key could be fetched
   */
  async keys(refresh: boolean): Promise<JWTVerifyGetKey | undefined> {
    const cached = this.#fetched;
    const age = cached ? this.#options.clock() - cached.at : Number.POSITIVE_INFINITY;
    const wanted = refresh || age > maxAge || cached?.keys === undefined;
    if (cached && !(wanted && age > cooldown)) return cached.keys;
    try {
      return (await this.#fetch()).keys;
    } catch (error) {
      if (cached?.keys) return cached.keys;
      throw error;
    }
  }

  #fetch(): Promise<FetchedKeys> {
    this.#fetching ??= this.#ask().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #ask(): Promise<FetchedKeys> {
    const found = await this.#options.fetch();
    this.#fetched = { at: this.#options.clock(), keys: found && createLocalJWKSet(found) };
    return this.#fetched;
  }
}
