import type { Sql } from '@ostiary/database';
import type { SubjectRegister } from '../../directory-events/index.ts';
import { passwordMark, type SignInProof } from '../../sessions/index.ts';
import type { Subject } from '../../subjects/index.ts';
import { passwordHash } from '../data/credentials.ts';
import { maxPasswordBytes, type PasswordHasher } from './password.ts';
import type { Admitted, SignInLimits } from './sign-in-limits.ts';

export interface SignInAttempt {
  tenant: string;
  userName: string;
  password: string;
  /** Where the attempt comes from. */
  address: string;
}

export type SignInResult =
  | { outcome: 'accepted'; subject: Subject; proof: SignInProof }
  /** Unknown, wrong, inactive: which of them is nobody's business. */
  | { outcome: 'refused' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

export interface Login {
  /** @throws ServiceUnavailable when it can't be told whether the password is right */
  signIn(attempt: SignInAttempt): Promise<SignInResult>;
}

/** No refusal is quicker than this, so that the little that remains of a difference drowns. */
export const refusalFloorMs = 120;

/** Longest user name that is looked up. */
const maxUserName = 1_024;

export function createLogin(o: {
  sql: Sql;
  subjects: Pick<SubjectRegister, 'findLocalByUserName' | 'askByUserName'>;
  limits: SignInLimits;
  passwords: PasswordHasher;
  /** Told how each attempt ended. */
  onOutcome?: (tenant: string, outcome: SignInResult['outcome']) => void;
}): Login {
  /** The subject if the password is theirs. The hash is computed once in every case, whoever is or isn't found. */
  async function check(attempt: SignInAttempt): Promise<Accepted | undefined> {
    const { tenant, userName, password } = attempt;
    const known = await o.subjects.findLocalByUserName(tenant, userName);
    if (known) {
      const hash = await passwordHash(o.sql, tenant, known.id);
      const valid = await o.passwords.verify(password, hash);
      return valid && known.active ? accepted(known, hash) : undefined;
    }
    // Asking the directory runs beside a hash that decides nothing: a name it doesn't know costs what a wrong
    // password costs. Only who is really new here is hashed again.
    const [asked] = await Promise.all([
      o.subjects.askByUserName(tenant, userName),
      o.passwords.verify(password, undefined),
    ]);
    const hash = asked?.active ? await passwordHash(o.sql, tenant, asked.id) : undefined;
    return asked && hash !== undefined && (await o.passwords.verify(password, hash))
      ? accepted(asked, hash)
      : undefined;
  }

  return {
    async signIn(attempt) {
      const result = await judged(attempt);
      o.onOutcome?.(attempt.tenant, result.outcome);
      return result;
    },
  };

  async function judged(attempt: SignInAttempt): Promise<SignInResult> {
    const started = performance.now();
    const counting = await o.limits.begin(attempt);
    if (!counting.admitted) {
      return { outcome: 'delayed', retryAfterSeconds: Math.ceil(counting.waitMs / 1000) };
    }

    const plausible =
      attempt.userName.length <= maxUserName && Buffer.byteLength(attempt.password) <= maxPasswordBytes;
    const found = plausible ? await decided(check(attempt), counting) : undefined;
    if (!found) {
      await atLeast(refusalFloorMs, started);
      return { outcome: 'refused' };
    }
    await counting.succeeded();
    return { outcome: 'accepted', ...found };
  }
}

/** Both as they were before the password was checked: it takes a while, in which either may change. */
interface Accepted {
  subject: Subject;
  proof: SignInProof;
}

const accepted = (subject: Subject, hash: string | undefined): Accepted => ({
  subject,
  proof: { subjectEpoch: subject.epoch, password: passwordMark(hash) },
});

/** A guess that was never looked at is none: who tries again while we are busy is not delayed for it later. */
export async function decided<T>(work: Promise<T>, counting: Pick<Admitted, 'undecided'>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await counting.undecided().catch(() => undefined);
    throw error;
  }
}

/** Waits until so many milliseconds have passed since then. */
export function atLeast(ms: number, since: number): Promise<void> {
  const left = ms - (performance.now() - since);
  return left > 0 ? new Promise((resolve) => setTimeout(resolve, left)) : Promise.resolve();
}
