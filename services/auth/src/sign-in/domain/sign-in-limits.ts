import { createHash } from 'node:crypto';
import { userNameKey } from '@ostiary/scim';
import { networkOf } from '@ostiary/service';
import { counted } from '../../audit/index.ts';
import { type Attempts, type Guesses, signInFailures } from '../../limits/index.ts';
import type { KnownNetworks } from './known-networks.ts';

export interface SignInSource {
  tenant: string;
  userName: string;
  /** Where the attempt comes from. */
  address: string;
}

/** An attempt that has been counted and may be made. Exactly one of its methods is called, or none: a failure. */
export interface Admitted {
  admitted: true;
  /** It was the right password: the account is free again, the attempt no longer counts for the others. */
  succeeded(): Promise<void>;
  /** Nobody could tell whether it was right: as if it had not been made. */
  undecided(): Promise<void>;
}

/** Milliseconds until the next attempt may be made. */
interface Delayed {
  admitted: false;
  waitMs: number;
}

export interface SignInLimitOptions {
  known: KnownNetworks;
  /** By address and tenant. */
  attempts: Attempts;
  /** By account. */
  guesses: Guesses;
  /** Failed sign-ins a tenant may have in a quarter of an hour before strangers have to wait. */
  tenantFailures: number;
}

/** What an attempt is counted under. */
interface Counters {
  tenant: string;
  network: string;
  /** Whose network it isn't noted to be today: the tenant's, and the person's, however their name is typed. */
  unnoted: string[];
  /** Of the account, among the guesses. */
  account: string;
  /** Of the address, and of the tenant where that counts too. */
  attempts: string[];
}

/**
 * The tenant's limit spares networks from which a user has signed in lately, so that an attack from elsewhere delays
 * hardly anyone who works there. And a network from which the account itself was signed in to lately has a counter of its
 * own: guesses from elsewhere, however long they go on, can't keep the person out of where they usually are.
 */
export class SignInLimits {
  readonly #o: SignInLimitOptions;

  constructor(o: SignInLimitOptions) {
    this.#o = o;
  }

  /**
   * Counts an attempt before it is made: for the account, whether or not there is one; for the network it comes from (an
   * IPv6 /64 is one); and for the tenant, against guesses spread over many accounts and addresses.
   * @returns what was admitted, or the milliseconds until the next attempt may be made
   * @throws ServiceUnavailable when attempts cannot be counted: then none are made
   */
  async begin({ tenant, userName, address }: SignInSource): Promise<Admitted | Delayed> {
    const { attempts, guesses, known: networks, tenantFailures } = this.#o;
    const network = networkOf(address);
    const person = `${tenant}\0${userNameKey(userName.trim())}`;
    const source = `address:${digest(network)}`;
    // The address first: one that has to wait can't make its victim's account wait too.
    const [addressWait, known, usual] = await counted(
      Promise.all([
        attempts.begin(source, signInFailures.address(tenantFailures)),
        networks.find(tenant, network),
        networks.find(person, network),
      ]),
    );
    if (addressWait > 0) return { admitted: false, waitMs: addressWait };
    const account = `account:${digest(usual ? `${person}\0${network}` : person)}`;
    const accountWait = await guesses.begin(tenant, account, signInFailures.account);
    if (accountWait > 0) return { admitted: false, waitMs: accountWait };
    const unnoted = [...(known === 'today' ? [] : [tenant]), ...(usual === 'today' ? [] : [person])];
    const counters: Counters = { tenant, network, unnoted, account, attempts: [source] };
    return known ? this.#admitted(counters) : this.#beginAsStranger(counters);
  }

  /** From a network that isn't known, the attempt counts for the tenant too. */
  async #beginAsStranger(counters: Counters): Promise<Admitted | Delayed> {
    const everybody = `tenant:${counters.tenant}`;
    const limit = signInFailures.tenant(this.#o.tenantFailures);
    const waitMs = await counted(this.#o.attempts.begin(everybody, limit));
    if (waitMs === 0) return this.#admitted({ ...counters, attempts: [...counters.attempts, everybody] });
    // Only the crowd is to blame: that must not count against this account and address.
    await this.#giveBack(counters);
    return { admitted: false, waitMs };
  }

  #admitted(counters: Counters): Admitted {
    return {
      admitted: true,
      succeeded: () => this.#succeeded(counters),
      undecided: () => this.#giveBack(counters),
    };
  }

  async #succeeded({ tenant, network, unnoted, account, attempts }: Counters): Promise<void> {
    await Promise.all([
      this.#o.guesses.succeed(tenant, account, 'all'),
      ...unnoted.map((whose) => counted(this.#o.known.note(whose, network))),
      ...attempts.map((key) => counted(this.#o.attempts.succeed(key, 'this'))),
    ]);
  }

  async #giveBack({ tenant, account, attempts }: Counters): Promise<void> {
    await Promise.all([
      this.#o.guesses.succeed(tenant, account, 'this'),
      ...attempts.map((key) => counted(this.#o.attempts.succeed(key, 'this'))),
    ]);
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
