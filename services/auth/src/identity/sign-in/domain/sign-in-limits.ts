import { createHash } from 'node:crypto';
import { userNameKey } from '@ostiary/scim';
import { networkOf } from '@ostiary/service';
import { type Attempts, counted, type Guesses, signInFailures } from '../../../platform/index.ts';
import type { KnownNetworks } from './known-networks.ts';

export interface SignInSource {
  tenant: string;
  userName: string;
  /** Source address. */
  address: string;
}

/** A counted attempt that may be made. The caller calls one of the methods, or none after a failure. */
export interface Admitted {
  admitted: true;
  /** The password was correct: resets the account's counter and discounts the attempt elsewhere. */
  succeeded(): Promise<void>;
  /** The password could not be checked: discounts the attempt. */
  undecided(): Promise<void>;
}

/** `waitMs`: milliseconds until the next attempt is permitted. */
interface Delayed {
  admitted: false;
  waitMs: number;
}

export interface SignInLimitOptions {
  known: KnownNetworks;
  /** Counters by address and tenant. */
  attempts: Attempts;
  /** Counters by account. */
  guesses: Guesses;
  /** Failed sign-ins of a tenant in 15 minutes before attempts from unknown networks are delayed. */
  tenantFailures: number;
}

/** Counters of an attempt. */
interface Counters {
  tenant: string;
  network: string;
  /** Owners for which the network is not recorded today: the tenant, and the user by normalized name. */
  unnoted: string[];
  /** Key of the account in `guesses`. */
  account: string;
  /** Keys of the address and, for an unknown network, the tenant. */
  attempts: string[];
}

/**
 * Limits sign-in attempts. The limit of the tenant does not apply to networks of recent successful sign-ins, so that
 * an attack from elsewhere hardly delays users there. A network from which the account itself was recently used has a
 * separate counter, so that guesses from elsewhere cannot lock the user out.
 */
export class SignInLimits {
  readonly #o: SignInLimitOptions;

  constructor(o: SignInLimitOptions) {
    this.#o = o;
  }

  /**
   * Counts an attempt before it is made: for the account, whether or not it exists; for the source network (one per
   * IPv6 /64); and for the tenant, against guesses spread over many accounts and addresses.
   * @returns the permitted attempt, or the delay in milliseconds
   * @throws ServiceUnavailable if attempts cannot be counted; none is permitted then
   */
  async begin({ tenant, userName, address }: SignInSource): Promise<Admitted | Delayed> {
    const { attempts, guesses, known: networks, tenantFailures } = this.#o;
    const network = networkOf(address);
    const person = `${tenant}\0${userNameKey(userName.trim())}`;
    const source = `address:${digest(network)}`;
    // The address first, so that a delayed attacker cannot delay the account of a victim.
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

  /** Also counts an attempt from an unknown network for the tenant. */
  async #beginAsStranger(counters: Counters): Promise<Admitted | Delayed> {
    const everybody = `tenant:${counters.tenant}`;
    const limit = signInFailures.tenant(this.#o.tenantFailures);
    const waitMs = await counted(this.#o.attempts.begin(everybody, limit));
    if (waitMs === 0) return this.#admitted({ ...counters, attempts: [...counters.attempts, everybody] });
    // The limit of the tenant must not count against this account and address.
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
