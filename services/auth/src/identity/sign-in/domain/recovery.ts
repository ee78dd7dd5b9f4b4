import type { Transaction, Transactions } from '@ostiary/service';
import type { SubjectStore } from '../../../tenancy/index.ts';
import type { PasswordStore, SecondFactorStore } from './credential-store.ts';
import type { Invitations } from './invitations.ts';
import { atLeast, decided, refusalFloorMs, type SubjectsByUserName } from './login.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export type RecoveryResult =
  /** Token of a link that sets a new passkey or password in place of all credentials. */
  | { outcome: 'accepted'; token: string; subjectId: string }
  /** An unknown user, a wrong code, or a user with a password: the reason is not disclosed. */
  | { outcome: 'refused' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

/** Lifetime of the link, in seconds. */
const patienceSeconds = 900;

export interface RecoveryOptions {
  database: Transactions;
  subjects: SubjectsByUserName;
  subjectLocks: SubjectStore;
  credentials: PasswordStore;
  factors: SecondFactorStore;
  secondFactors: SecondFactors;
  invitations: Invitations;
  /** The limits of the sign-in, so that guesses count for both. */
  limits: SignInLimits;
}

/** Account recovery for users whose only credential was a lost passkey. */
export class Recovery {
  readonly #o: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#o = options;
  }

  /**
   * Accepts a recovery code in place of a sign-in. Only for users without a password: for others the codes replace
   * the second factor and must not become the only factor.
   * @throws ServiceUnavailable
   */
  async begin({
    tenant,
    userName,
    code,
    address,
  }: {
    tenant: string;
    userName: string;
    code: string;
    address: string;
  }): Promise<RecoveryResult> {
    const started = performance.now();
    const counting = await this.#o.limits.begin({ tenant, userName, address });
    if (!counting.admitted) {
      return { outcome: 'delayed', retryAfterSeconds: Math.ceil(counting.waitMs / 1000) };
    }
    const found = await decided(this.#look(tenant, userName, code), counting);
    if (!found) {
      await atLeast(refusalFloorMs, started);
      return { outcome: 'refused' };
    }
    await counting.succeeded();
    return { outcome: 'accepted', ...found };
  }

  async #look(
    tenant: string,
    userName: string,
    code: string,
  ): Promise<{ token: string; subjectId: string } | undefined> {
    const { subjects, database } = this.#o;
    const subject =
      (await subjects.findLocalByUserName(tenant, userName)) ??
      (await subjects.askByUserName(tenant, userName));
    if (!subject?.active) return undefined;
    const token = await database.transaction((tx) => this.#resetIn(tx, tenant, subject.id, code));
    return token === undefined ? undefined : { token, subjectId: subject.id };
  }

  async #resetIn(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    code: string,
  ): Promise<string | undefined> {
    const { subjectLocks, credentials, factors, secondFactors, invitations } = this.#o;
    const subjectEpoch = await subjectLocks.lockForIssuing(tx, tenant, subjectId);
    if (subjectEpoch === undefined) return undefined;
    if ((await credentials.inForce(tx, tenant, subjectId)) !== undefined) return undefined;
    if ((await factors.count(tx, tenant, subjectId)).passkeys === 0) return undefined;
    const spent = await secondFactors.spendRecoveryCode(tx, tenant, subjectId, code);
    if (!spent) return undefined;
    const user = { subjectId, subjectEpoch, carriedRoles: spent.carriedRoles };
    return invitations.reset(tx, tenant, { ...user, lifetimeSeconds: patienceSeconds });
  }
}
