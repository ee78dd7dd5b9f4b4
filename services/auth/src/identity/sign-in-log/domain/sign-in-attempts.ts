import type { BoundedCount, IdPage } from '@ostiary/service';

export const attemptOutcomes = ['succeeded', 'failed', 'delayed'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Reason why an attempt did not start a session. */
export const attemptReasons = [
  'unknown_user',
  'inactive_user',
  'no_password',
  'wrong_password',
  'wrong_code',
  'used_code',
  'passkey_rejected',
  /** The account, the network or the tenant made too many attempts. */
  'too_many_attempts',
  /** The user was offboarded, or the password was changed, while the attempt was checked. */
  'access_ended',
] as const;
export type AttemptReason = (typeof attemptReasons)[number];

export const signInFactors = ['password', 'one_time_code', 'recovery_code', 'passkey'] as const;
export type SignInFactor = (typeof signInFactors)[number];

/** An attempt to sign in. It contains no typed text. */
export interface NewSignInAttempt {
  outcome: AttemptOutcome;
  /** Absent if the attempt succeeded. */
  reason?: AttemptReason;
  /** Absent if no user has the typed name. */
  subjectId?: string;
  /** Absent for the account pages. */
  clientId?: string;
  sessionId?: string;
  /** Presented factors, including rejected ones. */
  factors: readonly SignInFactor[];
  ipAddress: string;
  userAgent?: string;
}

export interface SignInAttempt {
  id: string;
  occurredAt: Date;
  outcome: AttemptOutcome;
  reason: AttemptReason | null;
  subjectId: string | null;
  clientId: string | null;
  sessionId: string | null;
  factors: readonly SignInFactor[];
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export interface SignInAttemptFilter {
  userId?: string;
  clientId?: string;
  ipAddress?: string;
  outcome?: AttemptOutcome;
  reason?: AttemptReason;
  /** Inclusive. */
  since?: Date;
  /** Exclusive. */
  until?: Date;
}

/** Reads attempts of one tenant, newest first. */
export interface SignInAttemptReader {
  byIds(tenant: string, ids: readonly string[]): Promise<SignInAttempt[]>;
  page(tenant: string, filter: SignInAttemptFilter, page: IdPage): Promise<SignInAttempt[]>;
  /** Counts at most 20,000 attempts. */
  count(tenant: string, filter: SignInAttemptFilter): Promise<BoundedCount>;
}
