import type { Claim, Database, Sql } from '@ostiary/database';
import { type Key, type KeyRing, openBytes, sealBytes } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import type { Changes, SecurityAction } from '../../audit/index.ts';
import { tellOfCredentials } from '../../events/data/index.ts';
import type { AttemptLimit, Guesses } from '../../limits/index.ts';
import {
  type ActingSession,
  type ActingToken,
  holdActing,
  holdSession,
} from '../../sessions/data/sessions.ts';
import { lockSubjectForIssuing } from '../../subjects/data/subjects.ts';
import {
  countFactors,
  deleteTotp,
  dropNeedlessRecoveryCodes,
  type FactorCounts,
  findTotp,
  insertTotp,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
} from '../data/second-factors.ts';
import { newRecoveryCodes, readRecoveryCode, recoveryCodeDigest } from './recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri, typedTotpSecret } from './totp.ts';

/** Five guesses, then a wait that doubles from five seconds to a quarter of an hour; forgotten after a day. */
const perPerson: AttemptLimit = { free: 5, firstMs: 5_000, longestMs: 900_000, forgetMs: 86_400_000 };

export type CodeResult =
  | { outcome: 'accepted'; by: 'totp' | 'recovery-code' }
  | { outcome: 'refused' }
  /** A right code, but it was used before: most likely the same form sent twice. */
  | { outcome: 'used' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

/** A new authenticator app, before its first code proves that it works. */
export interface TotpOffer {
  uri: string;
  /** For typing in. */
  typed: string;
  /** Brought back by the form: readable only here, for this person in this session. */
  sealed: string;
}

export interface SecondFactors {
  count(tenant: string, subjectId: string): Promise<FactorCounts>;
  /** Whether the password alone is not enough. */
  required(tenant: string, subjectId: string): Promise<boolean>;
  /** Checks a code of the authenticator app, or a recovery code; each is accepted once. @throws ServiceUnavailable */
  check(tenant: string, subjectId: string, code: string): Promise<CodeResult>;
  offerTotp(
    tenant: string,
    o: { subjectId: string; sessionId: string; issuer: string; account: string },
  ): TotpOffer;
  /** The offer again, for a form that has to be filled in once more. */
  repeatOffer(
    tenant: string,
    sealed: string,
    o: { subjectId: string; sessionId: string; issuer: string; account: string },
  ): TotpOffer | undefined;
  /**
   * Adds the app if the code proves that it works.
   * @returns recovery codes when the person had none; undefined when nothing was added
   */
  addTotp(
    tenant: string,
    session: ActingSession,
    o: { sealed: string; code: string },
  ): Promise<{ recoveryCodes: string[] | undefined } | undefined>;
  /** @param acting when the person does it themselves: in a session, or with an access token */
  removeTotp(
    tenant: string,
    subjectId: string,
    acting?: ActingSession | ActingToken,
    claim?: Claim,
  ): Promise<boolean>;
  /** New recovery codes in place of the old ones; undefined when there is no second factor to recover. */
  renewRecoveryCodes(tenant: string, session: ActingSession): Promise<string[] | undefined>;
  /** Uses a recovery code up, in the caller's transaction. The caller counts attempts. */
  spendRecoveryCode(tx: Sql, tenant: string, subjectId: string, typed: string): Promise<boolean>;
  /** Recovery codes for a person who just got their first second factor, in the transaction that added it. */
  firstRecoveryCodes(tx: Sql, tenant: string, subjectId: string): Promise<string[] | undefined>;
}

/** Where the secret of an authenticator app belongs. */
export const totpContext = (tenant: string, subjectId: string): string => `${tenant}/${subjectId}`;

export function createSecondFactors(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  guesses: Guesses;
  /** Of the secrets of authenticator apps. */
  keys: KeyRing;
  /** Of the digests of recovery codes. */
  codeKey: Key;
  /** Milliseconds. */
  clock: () => number;
}): SecondFactors {
  const { sql } = o.database;

  async function setRecoveryCodes(tx: Sql, tenant: string, subjectId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const digests = codes.map((code) => recoveryCodeDigest(o.codeKey(), tenant, subjectId, code));
    await replaceRecoveryCodes(tx, tenant, subjectId, digests);
    return codes;
  }

  async function firstRecoveryCodes(tx: Sql, tenant: string, subjectId: string) {
    const { recoveryCodes } = await countFactors(tx, tenant, subjectId);
    return recoveryCodes === 0 ? setRecoveryCodes(tx, tenant, subjectId) : undefined;
  }

  async function spendCode(tx: Sql, tenant: string, subjectId: string, typed: string): Promise<boolean> {
    const code = readRecoveryCode(typed);
    if (code === undefined) return false;
    return spendRecoveryCode(tx, tenant, subjectId, recoveryCodeDigest(o.codeKey(), tenant, subjectId, code));
  }

  async function judge(tenant: string, subjectId: string, typed: string): Promise<CodeResult> {
    if (readRecoveryCode(typed) !== undefined) {
      const spent = await spendCode(sql, tenant, subjectId, typed);
      return spent ? { outcome: 'accepted', by: 'recovery-code' } : { outcome: 'refused' };
    }
    const totp = await findTotp(sql, tenant, subjectId);
    const secret = totp && openBytes(o.keys, totp.secret, totpContext(tenant, subjectId));
    const step = secret && totpStep(secret, typed.replace(/\s/g, ''), o.clock());
    if (step === undefined) return { outcome: 'refused' };
    const spent = await spendTotpStep(sql, tenant, subjectId, step);
    return spent ? { outcome: 'accepted', by: 'totp' } : { outcome: 'used' };
  }

  const offerContext = (tenant: string, who: { subjectId: string; sessionId: string }): string =>
    `offer/${tenant}/${who.subjectId}/${who.sessionId}`;

  function openOffer(
    tenant: string,
    sealed: string,
    who: { subjectId: string; sessionId: string },
  ): Buffer | undefined {
    try {
      return openBytes(o.keys, Buffer.from(sealed, 'base64url'), offerContext(tenant, who));
    } catch {
      return undefined;
    }
  }

  const offerOf = (secret: Buffer, sealed: string, who: { issuer: string; account: string }): TotpOffer => ({
    uri: totpUri(secret, who),
    typed: typedTotpSecret(secret),
    sealed,
  });

  return {
    count: (tenant, subjectId) => countFactors(sql, tenant, subjectId),
    async required(tenant, subjectId) {
      const { totp, passkeys } = await countFactors(sql, tenant, subjectId);
      return totp || passkeys > 0;
    },
    async check(tenant, subjectId, code) {
      const key = `factor:${subjectId}`;
      const wait = await o.guesses.begin(tenant, key, perPerson);
      if (wait > 0) return { outcome: 'delayed', retryAfterSeconds: Math.ceil(wait / 1000) };
      const result = await judge(tenant, subjectId, code);
      if (result.outcome === 'accepted') await o.guesses.succeed(tenant, key, 'all');
      return result;
    },
    offerTotp(tenant, who) {
      const secret = newTotpSecret();
      return offerOf(secret, sealBytes(o.keys, secret, offerContext(tenant, who)).toString('base64url'), who);
    },
    repeatOffer(tenant, sealed, who) {
      const secret = openOffer(tenant, sealed, who);
      return secret && offerOf(secret, sealed, who);
    },
    async addTotp(tenant, session, { sealed, code }) {
      const { subjectId } = session;
      const secret = openOffer(tenant, sealed, { subjectId, sessionId: session.id });
      const step = secret && totpStep(secret, code.replace(/\s/g, ''), o.clock());
      if (secret === undefined || step === undefined) return undefined;
      return o.database.transaction(async (tx) => {
        if (!(await holdSession(tx, tenant, session))) return undefined;
        const totp = { secret: sealBytes(o.keys, secret, totpContext(tenant, subjectId)), lastStep: step };
        if (!(await insertTotp(tx, tenant, subjectId, totp))) return undefined;
        await recordOwn(tx, tenant, subjectId, 'user.totp_added', {
          authenticatorApp: { before: false, after: true },
        });
        await tellOfCredentials(tx, tenant, subjectId, [{ credentialType: 'app', changeType: 'create' }]);
        return { recoveryCodes: await firstRecoveryCodes(tx, tenant, subjectId) };
      });
    },
    removeTotp: (tenant, subjectId, acting, claim) =>
      o.database.transaction(async (tx) => {
        if ((await lockSubjectForIssuing(tx, tenant, subjectId)) === undefined) return false;
        if (acting && !(await holdActing(tx, tenant, acting))) return false;
        const removed = await deleteTotp(tx, tenant, subjectId);
        await dropNeedlessRecoveryCodes(tx, tenant, subjectId);
        if (!removed) return false;
        await claim?.(tx, tenant, subjectId);
        await recordOwn(tx, tenant, subjectId, 'user.totp_removed', {
          authenticatorApp: { before: true, after: false },
        });
        await tellOfCredentials(tx, tenant, subjectId, [{ credentialType: 'app', changeType: 'delete' }]);
        return true;
      }),
    renewRecoveryCodes: (tenant, session) =>
      o.database.transaction(async (tx) => {
        const { subjectId } = session;
        if (!(await holdSession(tx, tenant, session))) return undefined;
        const { totp, passkeys } = await countFactors(tx, tenant, subjectId);
        if (!totp && passkeys === 0) return undefined;
        await recordOwn(tx, tenant, subjectId, 'user.recovery_codes_renewed');
        const change = { credentialType: 'recovery-codes', changeType: 'update' } as const;
        await tellOfCredentials(tx, tenant, subjectId, [change]);
        return setRecoveryCodes(tx, tenant, subjectId);
      }),
    spendRecoveryCode: spendCode,
    firstRecoveryCodes,
  };
}

const recordOwn = (
  tx: Sql,
  tenant: string,
  subjectId: string,
  action: SecurityAction,
  changes: Changes = {},
): Promise<void> =>
  record(tx, tenant, { action, resourceType: 'User', resourceId: subjectId, subjectId, changes });
