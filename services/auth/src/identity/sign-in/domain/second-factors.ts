import {
  type Key,
  type KeyRing,
  openBytes,
  sealBytes,
  type Transaction,
  type Transactions,
} from '@ostiary/service';
import type {
  AttemptLimit,
  Changes,
  Claim,
  Guesses,
  SecurityAction,
  SecurityLog,
} from '../../../platform/index.ts';
import type { CarriedRoles, SubjectStore } from '../../../tenancy/index.ts';
import { passwordMark } from '../../sessions/domain/password-mark.ts';
import type { ActingSession, ActingToken, SessionLocks } from '../../sessions/domain/session-store.ts';
import type {
  CredentialEvents,
  FactorCounts,
  PasswordStore,
  SecondFactorStore,
  SpentCode,
} from './credential-store.ts';
import type { PendingSignIn } from './interaction.ts';
import { newRecoveryCodes, readRecoveryCode, recoveryCodeDigest } from './recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri, typedTotpSecret } from './totp.ts';

/** Five attempts, then a delay that doubles from 5 seconds to 15 minutes; reset after a day. */
const perUser: AttemptLimit = { free: 5, firstMs: 5_000, maxMs: 900_000, forgetMs: 86_400_000 };

export type CodeResult =
  | { outcome: 'accepted'; by: 'totp' | 'recovery-code'; carriedRoles: CarriedRoles }
  | { outcome: 'refused' }
  /** A correct but used code, probably from a form that was sent twice. */
  | { outcome: 'used' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

/** A new authenticator app before the check of its first code. */
export interface TotpOffer {
  uri: string;
  /** Secret for manual input. */
  typed: string;
  /** Sealed secret, returned by the form. It is readable only for this user in this session. */
  sealed: string;
}

/** Returns the context to which the sealed secret of an authenticator app is bound. */
export const totpContext = (tenant: string, subjectId: string): string => `${tenant}/${subjectId}`;

/** Maximum time between the password and the second factor, in milliseconds. */
const patienceMs = 600_000;

/** User and session of an offer, and its label in the authenticator app. */
interface OfferedTo {
  subjectId: string;
  sessionId: string;
  issuer: string;
  account: string;
}

export interface SecondFactorsOptions {
  database: Transactions;
  factors: SecondFactorStore;
  credentials: PasswordStore;
  sessionLocks: SessionLocks;
  subjectLocks: SubjectStore;
  events: CredentialEvents;
  securityLog: SecurityLog;
  guesses: Guesses;
  /** Keys of the secrets of authenticator apps. */
  keys: KeyRing;
  /** Key of the digests of recovery codes. */
  codeKey: Key;
  /** Milliseconds. */
  clock: () => number;
}

const offerContext = (tenant: string, who: { subjectId: string; sessionId: string }): string =>
  `offer/${tenant}/${who.subjectId}/${who.sessionId}`;

const offerOf = (secret: Buffer, sealed: string, who: OfferedTo): TotpOffer => ({
  uri: totpUri(secret, who),
  typed: typedTotpSecret(secret),
  sealed,
});

/** Authenticator apps and recovery codes of users. */
export class SecondFactors {
  readonly #o: SecondFactorsOptions;

  constructor(options: SecondFactorsOptions) {
    this.#o = options;
  }

  count(tenant: string, subjectId: string): Promise<FactorCounts> {
    return this.#o.factors.count(this.#o.database.sql, tenant, subjectId);
  }

  /** Reports whether a sign-in requires a second factor. */
  async required(tenant: string, subjectId: string): Promise<boolean> {
    const { totp, passkeys } = await this.count(tenant, subjectId);
    return totp || passkeys > 0;
  }

  /**
   * Returns the password of a sign-in that waits for its second factor; undefined if the sign-in has timed out, or
   * the user was offboarded or the password changed in the meantime.
   */
  async mayFollow(
    tenant: string,
    pending: PendingSignIn,
  ): Promise<{ carriedRoles: CarriedRoles } | undefined> {
    const { database, factors, credentials, clock } = this.#o;
    if (clock() - pending.at > patienceMs) return undefined;
    const epoch = await factors.activeEpoch(database.sql, tenant, pending.subjectId);
    if (epoch !== pending.subjectEpoch) return undefined;
    const present = await credentials.inForce(database.sql, tenant, pending.subjectId);
    return passwordMark(present?.ticket) === pending.password ? present : undefined;
  }

  /** Checks a code of the authenticator app or a recovery code. Each is accepted once. @throws ServiceUnavailable */
  async check(tenant: string, subjectId: string, code: string): Promise<CodeResult> {
    const { guesses } = this.#o;
    const key = `factor:${subjectId}`;
    const wait = await guesses.begin(tenant, key, perUser);
    if (wait > 0) return { outcome: 'delayed', retryAfterSeconds: Math.ceil(wait / 1000) };
    const result = await this.#resultOf(tenant, subjectId, code);
    if (result.outcome === 'accepted') await guesses.succeed(tenant, key, 'all');
    return result;
  }

  offerTotp(tenant: string, who: OfferedTo): TotpOffer {
    const secret = newTotpSecret();
    const sealed = sealBytes(this.#o.keys, secret, offerContext(tenant, who)).toString('base64url');
    return offerOf(secret, sealed, who);
  }

  /** Returns the same offer for a repeated form. */
  repeatOffer(tenant: string, sealed: string, who: OfferedTo): TotpOffer | undefined {
    const secret = this.#openOffer(tenant, sealed, who);
    return secret && offerOf(secret, sealed, who);
  }

  /**
   * Adds the app if the code is correct.
   * @returns recovery codes if the user had none; undefined if nothing was added
   */
  async addTotp(
    tenant: string,
    session: ActingSession & { carriedRoles: CarriedRoles },
    { sealed, code }: { sealed: string; code: string },
  ): Promise<{ recoveryCodes: string[] | undefined } | undefined> {
    const { database, keys, clock, factors, sessionLocks, events } = this.#o;
    const { subjectId, carriedRoles } = session;
    const secret = this.#openOffer(tenant, sealed, { subjectId, sessionId: session.id });
    const step = secret && totpStep(secret, code.replace(/\s/g, ''), clock());
    if (secret === undefined || step === undefined) return undefined;
    return database.transaction(async (tx) => {
      if (!(await sessionLocks.hold(tx, tenant, session))) return undefined;
      const stored = sealBytes(keys, secret, totpContext(tenant, subjectId));
      const totp = { secret: stored, lastStep: step, carriedRoles };
      if (!(await factors.insertTotp(tx, tenant, subjectId, totp))) return undefined;
      await this.#record(tx, tenant, subjectId, 'user.totp_added', {
        authenticatorApp: { before: false, after: true },
      });
      await events.credentialsChanged(tx, tenant, subjectId, [
        { credentialType: 'app', changeType: 'create' },
      ]);
      return { recoveryCodes: await this.firstRecoveryCodes(tx, tenant, session) };
    });
  }

  /** @param acting the session or access token, if the user acts */
  removeTotp(
    tenant: string,
    subjectId: string,
    acting?: ActingSession | ActingToken,
    claim?: Claim,
  ): Promise<boolean> {
    const { database, factors, sessionLocks, subjectLocks, events } = this.#o;
    return database.transaction(async (tx) => {
      if ((await subjectLocks.lockForIssuing(tx, tenant, subjectId)) === undefined) return false;
      if (acting && !(await sessionLocks.holdActing(tx, tenant, acting))) return false;
      const removed = await factors.deleteTotp(tx, tenant, subjectId);
      await factors.dropNeedlessRecoveryCodes(tx, tenant, subjectId);
      if (!removed) return false;
      await claim?.(tx, tenant, subjectId);
      await this.#record(tx, tenant, subjectId, 'user.totp_removed', {
        authenticatorApp: { before: true, after: false },
      });
      await events.credentialsChanged(tx, tenant, subjectId, [
        { credentialType: 'app', changeType: 'delete' },
      ]);
      return true;
    });
  }

  /** Replaces the recovery codes; undefined if the user has no second factor. */
  renewRecoveryCodes(
    tenant: string,
    session: ActingSession & { carriedRoles: CarriedRoles },
  ): Promise<string[] | undefined> {
    const { database, factors, sessionLocks, events } = this.#o;
    const { subjectId } = session;
    return database.transaction(async (tx) => {
      if (!(await sessionLocks.hold(tx, tenant, session))) return undefined;
      const { totp, passkeys } = await factors.count(tx, tenant, subjectId);
      if (!totp && passkeys === 0) return undefined;
      await this.#record(tx, tenant, subjectId, 'user.recovery_codes_renewed');
      const change = { credentialType: 'recovery-codes', changeType: 'update' } as const;
      await events.credentialsChanged(tx, tenant, subjectId, [change]);
      return this.#setRecoveryCodes(tx, tenant, session);
    });
  }

  /** Consumes a recovery code in the caller's transaction. The caller counts attempts. */
  async spendRecoveryCode(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    typed: string,
  ): Promise<SpentCode | undefined> {
    const code = readRecoveryCode(typed);
    if (code === undefined) return undefined;
    const digest = recoveryCodeDigest(this.#o.codeKey(), tenant, subjectId, code);
    return this.#o.factors.spendRecoveryCode(tx, tenant, subjectId, digest);
  }

  /**
   * Creates recovery codes for a user's first second factor, in the transaction that adds it. They carry the same
   * roles.
   */
  async firstRecoveryCodes(
    tx: Transaction,
    tenant: string,
    owner: { subjectId: string; carriedRoles: CarriedRoles },
  ): Promise<string[] | undefined> {
    const { recoveryCodes } = await this.#o.factors.count(tx, tenant, owner.subjectId);
    return recoveryCodes === 0 ? this.#setRecoveryCodes(tx, tenant, owner) : undefined;
  }

  async #setRecoveryCodes(
    tx: Transaction,
    tenant: string,
    { subjectId, carriedRoles }: { subjectId: string; carriedRoles: CarriedRoles },
  ): Promise<string[]> {
    const codes = newRecoveryCodes();
    const digests = codes.map((code) => recoveryCodeDigest(this.#o.codeKey(), tenant, subjectId, code));
    await this.#o.factors.replaceRecoveryCodes(tx, tenant, subjectId, { digests, carriedRoles });
    return codes;
  }

  async #resultOf(tenant: string, subjectId: string, typed: string): Promise<CodeResult> {
    const { database, factors, keys, clock } = this.#o;
    if (readRecoveryCode(typed) !== undefined) {
      const spent = await this.spendRecoveryCode(database.sql, tenant, subjectId, typed);
      return spent ? { outcome: 'accepted', by: 'recovery-code', ...spent } : { outcome: 'refused' };
    }
    const totp = await factors.findTotp(database.sql, tenant, subjectId);
    const secret = totp && openBytes(keys, totp.secret, totpContext(tenant, subjectId));
    const step = secret && totpStep(secret, typed.replace(/\s/g, ''), clock());
    if (!totp || step === undefined) return { outcome: 'refused' };
    const spent = await factors.spendTotpStep(database.sql, tenant, subjectId, step);
    const { carriedRoles } = totp;
    return spent ? { outcome: 'accepted', by: 'totp', carriedRoles } : { outcome: 'used' };
  }

  #openOffer(
    tenant: string,
    sealed: string,
    who: { subjectId: string; sessionId: string },
  ): Buffer | undefined {
    try {
      return openBytes(this.#o.keys, Buffer.from(sealed, 'base64url'), offerContext(tenant, who));
    } catch {
      return undefined;
    }
  }

  #record(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    action: SecurityAction,
    changes: Changes = {},
  ): Promise<void> {
    const event = { action, resourceType: 'User', resourceId: subjectId, subjectId, changes } as const;
    return this.#o.securityLog.record(tx, tenant, event);
  }
}
