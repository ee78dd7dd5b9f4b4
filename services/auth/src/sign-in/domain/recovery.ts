import type { Database, Sql } from '@ostiary/database';
import type { SubjectRegister } from '../../directory-events/index.ts';
import { lockSubjectForIssuing } from '../../subjects/data/subjects.ts';
import { passwordHash } from '../data/credentials.ts';
import { countFactors } from '../data/second-factors.ts';
import type { Invitations } from './invitations.ts';
import { atLeast, decided, refusalFloorMs } from './login.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export type RecoveryResult =
  /** The token of a link that sets a new passkey or password, in place of all that was there. */
  | { outcome: 'accepted'; token: string; subjectId: string }
  /** Unknown, a wrong code, or somebody who has a password: which of them is nobody's business. */
  | { outcome: 'refused' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

/** The way back for people whose only way in was a passkey they no longer have. */
export interface Recovery {
  /**
   * Takes a recovery code for the person themselves. Only from people without a password: to everybody else the codes stand
   * for the second factor, and must not become the only one.
   * @throws ServiceUnavailable
   */
  begin(attempt: {
    tenant: string;
    userName: string;
    code: string;
    address: string;
  }): Promise<RecoveryResult>;
}

/** Seconds in which the new passkey or password must be set. */
const patienceSeconds = 900;

export function createRecovery(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  subjects: Pick<SubjectRegister, 'findLocalByUserName' | 'askByUserName'>;
  secondFactors: Pick<SecondFactors, 'spendRecoveryCode'>;
  invitations: Pick<Invitations, 'reset'>;
  /** Those of the sign-in: what is guessed here counts there. */
  limits: SignInLimits;
}): Recovery {
  async function judge(
    tx: Sql,
    tenant: string,
    subjectId: string,
    code: string,
  ): Promise<string | undefined> {
    const subjectEpoch = await lockSubjectForIssuing(tx, tenant, subjectId);
    if (subjectEpoch === undefined) return undefined;
    if ((await passwordHash(tx, tenant, subjectId)) !== undefined) return undefined;
    if ((await countFactors(tx, tenant, subjectId)).passkeys === 0) return undefined;
    if (!(await o.secondFactors.spendRecoveryCode(tx, tenant, subjectId, code))) return undefined;
    return o.invitations.reset(tx, tenant, { subjectId, subjectEpoch, lifetimeSeconds: patienceSeconds });
  }

  return {
    async begin({ tenant, userName, code, address }) {
      const started = performance.now();
      const counting = await o.limits.begin({ tenant, userName, address });
      if (!counting.admitted) {
        return { outcome: 'delayed', retryAfterSeconds: Math.ceil(counting.waitMs / 1000) };
      }
      const found = await decided(
        (async () => {
          const subject =
            (await o.subjects.findLocalByUserName(tenant, userName)) ??
            (await o.subjects.askByUserName(tenant, userName));
          if (!subject?.active) return undefined;
          const token = await o.database.transaction((tx) => judge(tx, tenant, subject.id, code));
          return token === undefined ? undefined : { token, subjectId: subject.id };
        })(),
        counting,
      );
      if (!found) {
        await atLeast(refusalFloorMs, started);
        return { outcome: 'refused' };
      }
      await counting.succeeded();
      return { outcome: 'accepted', ...found };
    },
  };
}
