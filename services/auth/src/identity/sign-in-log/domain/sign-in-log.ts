import { networkOf } from '@ostiary/service';
import type { NewSignInAttempt } from './sign-in-attempts.ts';

/** Period in which attempts are counted, in milliseconds. */
const periodMs = 60_000;
/** Maximum number of delayed attempts recorded in a period. They cost an attacker nothing. */
const maxDelayed = 1;
/** Maximum number of attempts without a known user recorded in a period. No account's limit applies to them. */
const maxUnknown = 10;
/** Maximum number of failed attempts of one user recorded in a period. No other limit counts rejected passkeys. */
const maxFailedOfUser = 30;
/** Maximum number of networks and users counted simultaneously. The oldest one is dropped. */
const maxCounted = 10_000;

export interface SignInLogOptions {
  insert(tenant: string, attempt: NewSignInAttempt): Promise<void>;
  /** Milliseconds, monotonic. */
  clock?: () => number;
  /** Called if an attempt could not be stored. */
  onError: (error: unknown) => void;
}

/**
 * Records sign-in attempts. A failure to store one does not fail the sign-in, because the security log also records
 * started sessions.
 */
export class SignInLog {
  readonly #o: SignInLogOptions;
  /** By tenant, network or user, and kind of attempt, oldest first. */
  readonly #counts = new Map<string, { since: number; recorded: number }>();

  constructor(options: SignInLogOptions) {
    this.#o = options;
  }

  /**
   * Records an attempt. Per minute, records one delayed attempt and ten attempts without a known user for each
   * network and tenant, and thirty failed attempts for each user, so that an attacker cannot fill the log. Every
   * successful attempt is recorded.
   * @param findSubject finds the user of an attempt that was not checked; called only if the attempt is recorded
   */
  async record(
    tenant: string,
    attempt: Omit<NewSignInAttempt, 'subjectId'> & { subjectId?: string | undefined },
    findSubject?: () => Promise<string | undefined>,
  ): Promise<void> {
    if (!this.#isWithinBounds(tenant, attempt)) return;
    try {
      const { subjectId = await findSubject?.(), ...rest } = attempt;
      await this.#o.insert(tenant, { ...rest, ...(subjectId !== undefined && { subjectId }) });
    } catch (error) {
      this.#o.onError(error);
    }
  }

  #isWithinBounds(
    tenant: string,
    {
      outcome,
      subjectId,
      ipAddress,
    }: Pick<NewSignInAttempt, 'outcome' | 'ipAddress'> & {
      subjectId?: string | undefined;
    },
  ): boolean {
    if (outcome === 'delayed') return this.#counted(`delayed/${tenant}/${networkOf(ipAddress)}`, maxDelayed);
    if (outcome === 'succeeded') return true;
    if (subjectId !== undefined) return this.#counted(`user/${tenant}/${subjectId}`, maxFailedOfUser);
    return this.#counted(`unknown/${tenant}/${networkOf(ipAddress)}`, maxUnknown);
  }

  #counted(key: string, most: number): boolean {
    const now = (this.#o.clock ?? (() => performance.now()))();
    const known = this.#counts.get(key);
    const count = known && now - known.since < periodMs ? known : { since: now, recorded: 0 };
    if (count.recorded >= most) return false;
    count.recorded += 1;
    if (count !== known) {
      this.#counts.delete(key);
      this.#counts.set(key, count);
      const [oldest] = this.#counts.keys();
      if (this.#counts.size > maxCounted && oldest !== undefined) this.#counts.delete(oldest);
    }
    return true;
  }
}
