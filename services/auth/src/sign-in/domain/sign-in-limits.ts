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

export interface SignInLimits {
  /**
   * Counts an attempt before it is made: for the account, whether or not there is one; for the network it comes from (an
   * IPv6 /64 is one); and for the tenant, against guesses spread over many accounts and addresses.
   * @returns what was admitted, or the milliseconds until the next attempt may be made
   * @throws ServiceUnavailable when attempts cannot be counted: then none are made
   */
  begin(source: SignInSource): Promise<Admitted | { admitted: false; waitMs: number }>;
}

/**
 * The tenant's limit spares networks from which somebody has signed in lately, so that an attack from elsewhere delays
 * hardly anyone who works there. And a network from which the account itself was signed in to lately has a counter of its
 * own: whoever guesses from elsewhere, however long, can't keep the person out of where they usually are.
 */
export function createSignInLimits(o: {
  known: KnownNetworks;
  /** By address and tenant. */
  attempts: Attempts;
  /** By account. */
  guesses: Guesses;
  /** Failed sign-ins a tenant may have in a quarter of an hour before strangers have to wait. */
  tenantFailures: number;
}): SignInLimits {
  const { known } = o;

  return {
    async begin({ tenant, userName, address }) {
      const network = networkOf(address);
      // However the name is typed, the guesses are at one person.
      const person = `${tenant}\0${userNameKey(userName.trim())}`;
      const source = `address:${digest(network)}`;
      const everybody = `tenant:${tenant}`;
      // The address first: one that has to wait can't make its victim's account wait too.
      const [addressWait, isKnown, isUsual] = await counted(
        Promise.all([
          o.attempts.begin(source, signInFailures.address(o.tenantFailures)),
          known.has(tenant, network),
          known.has(person, network),
        ]),
      );
      if (addressWait > 0) return { admitted: false, waitMs: addressWait };
      const account = `account:${digest(isUsual ? `${person}\0${network}` : person)}`;
      const accountWait = await o.guesses.begin(tenant, account, signInFailures.account);
      if (accountWait > 0) return { admitted: false, waitMs: accountWait };
      const counters = [source];
      const giveBack = async (): Promise<void> => {
        await Promise.all([
          o.guesses.succeed(tenant, account, 'this'),
          ...counters.map((key) => counted(o.attempts.succeed(key, 'this'))),
        ]);
      };
      if (!isKnown) {
        const crowdWait = await counted(o.attempts.begin(everybody, signInFailures.tenant(o.tenantFailures)));
        if (crowdWait > 0) {
          // Only the crowd is to blame: that must not count against this account and address.
          await giveBack();
          return { admitted: false, waitMs: crowdWait };
        }
        counters.push(everybody);
      }
      return {
        admitted: true,
        async succeeded() {
          await Promise.all([
            o.guesses.succeed(tenant, account, 'all'),
            counted(known.note(tenant, network)),
            counted(known.note(person, network)),
            ...counters.map((key) => counted(o.attempts.succeed(key, 'this'))),
          ]);
        },
        undecided: giveBack,
      };
    },
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
