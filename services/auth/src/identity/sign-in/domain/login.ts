import type { Transaction } from '@ostiary/service';
import type { CarriedRoles, Subject } from '../../../tenancy/index.ts';
import { passwordMark } from '../../sessions/domain/password-mark.ts';
import type { SignInProof } from '../../sessions/domain/sessions.ts';
import type { AttemptReason } from '../../sign-in-log/domain/sign-in-attempts.ts';
import type { PasswordInForce, PasswordStore } from './credential-store.ts';
import { maxPasswordBytes } from './new-password.ts';
import type { PasswordHasher } from './password.ts';
import type { Admitted, SignInLimits } from './sign-in-limits.ts';

export interface SignInAttempt {
  tenant: string;
  userName: string;
  password: string;
  /** Source address. */
  address: string;
}

/** Reason of a rejected attempt. `subjectId` is absent if no user has the typed name. */
export interface SignInRefusal {
  reason: Extract<AttemptReason, 'unknown_user' | 'inactive_user' | 'no_password' | 'wrong_password'>;
  subjectId?: string;
}

export type SignInResult =
  | { outcome: 'accepted'; subject: Subject; proof: SignInProof; carriedRoles: CarriedRoles }
  /** `refusal` is only for the log: the response is the same for every reason. */
  | { outcome: 'refused'; refusal: SignInRefusal }
  | { outcome: 'delayed'; retryAfterSeconds: number };

/** Finds users by a typed user name. */
export interface SubjectsByUserName {
  /** Returns the user from this service's own data. */
  findLocalByUserName(tenant: string, userName: string): Promise<Subject | undefined>;
  /** Queries the directory. @throws ServiceUnavailable */
  askByUserName(tenant: string, userName: string): Promise<Subject | undefined>;
}

/** Minimum duration of a rejection, in milliseconds. It hides differences between the reasons. */
export const refusalFloorMs = 120;

/** Maximum length of a user name that is looked up, in characters. */
const maxUserName = 1_024;

/** `overtaken`: another sign-in or a change of the password was faster. */
export type Rehash = 'replaced' | 'overtaken' | 'failed';

export interface LoginOptions {
  sql: Transaction;
  credentials: PasswordStore;
  subjects: SubjectsByUserName;
  limits: SignInLimits;
  passwords: PasswordHasher;
  /** Called with the result for each hash with outdated parameters. */
  onRehash?: (outcome: Rehash, error?: unknown) => void;
  /** Called with the outcome of each attempt. */
  onOutcome?: (tenant: string, outcome: SignInResult['outcome']) => void;
}

export class Login {
  readonly #o: LoginOptions;

  constructor(options: LoginOptions) {
    this.#o = options;
  }

  /** @throws ServiceUnavailable if the password cannot be checked */
  async signIn(attempt: SignInAttempt): Promise<SignInResult> {
    const result = await this.#resultOf(attempt);
    this.#o.onOutcome?.(attempt.tenant, result.outcome);
    return result;
  }

  async #resultOf(attempt: SignInAttempt): Promise<SignInResult> {
    const started = performance.now();
    const counting = await this.#o.limits.begin(attempt);
    if (!counting.admitted) {
      return { outcome: 'delayed', retryAfterSeconds: Math.ceil(counting.waitMs / 1000) };
    }

    const plausible =
      attempt.userName.length <= maxUserName && Buffer.byteLength(attempt.password) <= maxPasswordBytes;
    const found: Accepted | SignInRefusal = plausible
      ? await decided(this.#check(attempt), counting)
      : { reason: 'unknown_user' };
    if ('reason' in found) {
      await atLeast(refusalFloorMs, started);
      return { outcome: 'refused', refusal: found };
    }
    await Promise.all([counting.succeeded(), this.#renewHash(attempt, found.present)]);
    const { subject, proof, present } = found;
    return { outcome: 'accepted', subject, proof, carriedRoles: present.carriedRoles };
  }

  /** The password is available only now. A failure does not prevent the sign-in; the next sign-in tries again. */
  async #renewHash({ tenant, password }: SignInAttempt, present: PasswordInForce): Promise<void> {
    const { sql, credentials, passwords, onRehash } = this.#o;
    try {
      const hash = await passwords.rehash(password, present.hash);
      if (hash === undefined) return;
      onRehash?.((await credentials.replaceHash(sql, tenant, present, hash)) ? 'replaced' : 'overtaken');
    } catch (error) {
      onRehash?.('failed', error);
    }
  }

  /**
   * Returns the user if the password is correct. Computes the hash once in every case, whether or not the user
   * exists.
   */
  async #check({ tenant, userName, password }: SignInAttempt): Promise<Accepted | SignInRefusal> {
    const { sql, credentials, subjects, passwords } = this.#o;
    const known = await subjects.findLocalByUserName(tenant, userName);
    if (known) {
      const present = await credentials.inForce(sql, tenant, known.id);
      const valid = await passwords.verify(password, present?.hash);
      return valid && present && known.active ? accepted(known, present) : refusalOf(known, present);
    }
    // Queries the directory in parallel with a dummy hash, so that an unknown name takes as long as a wrong password.
    // Only a user who is new in this service is hashed again.
    const [asked] = await Promise.all([
      subjects.askByUserName(tenant, userName),
      passwords.verify(password, undefined),
    ]);
    const present = asked?.active ? await credentials.inForce(sql, tenant, asked.id) : undefined;
    return asked && present && (await passwords.verify(password, present.hash))
      ? accepted(asked, present)
      : refusalOf(asked, present);
  }
}

/** Values before the password check, because either may change during the check. */
interface Accepted {
  subject: Subject;
  proof: SignInProof;
  present: PasswordInForce;
}

const accepted = (subject: Subject, present: PasswordInForce): Accepted => ({
  subject,
  proof: { subjectEpoch: subject.epoch, password: passwordMark(present.ticket) },
  present,
});

function refusalOf(subject: Subject | undefined, present: PasswordInForce | undefined): SignInRefusal {
  if (subject === undefined) return { reason: 'unknown_user' };
  const { id: subjectId } = subject;
  if (!subject.active) return { reason: 'inactive_user', subjectId };
  return { reason: present ? 'wrong_password' : 'no_password', subjectId };
}

/**
 * Discounts an attempt that could not be checked, so that errors of the service do not delay a user's next attempts.
 */
export async function decided<T>(work: Promise<T>, counting: Admitted): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await counting.undecided().catch(() => undefined);
    throw error;
  }
}

/** Waits until `ms` milliseconds have passed since `since`. */
export function atLeast(ms: number, since: number): Promise<void> {
  const left = ms - (performance.now() - since);
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : Promise.resolve();
}
