import type { Transaction } from '@ostiary/service';
import type { CarriedRoles, NewRevocation } from '../../../tenancy/index.ts';

/** An active browser session with data of its user. */
export interface LiveSession {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  userName: string;
  displayName: string | undefined;
  authTime: Date;
  amr: string[];
  acr: string | null;
  /** Roles that count in the session. */
  carriedRoles: CarriedRoles;
  lastSeenAt: Date;
}

export interface NewSession {
  id: string;
  subjectId: string;
  /** Epoch of the user at the authentication. If it has increased since, no session starts. */
  subjectEpoch?: number | undefined;
  /** Keyed digest of the cookie. */
  digest: Buffer;
  amr: readonly string[];
  acr?: string;
  carriedRoles: CarriedRoles;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  /** Maximum lifetime in seconds, independent of use. */
  absoluteSeconds: number;
}

/** Session in which a user changes their account. */
export type ActingSession = Pick<LiveSession, 'id' | 'subjectId' | 'subjectEpoch'>;

/** Access token with which a user changes their account. */
export interface ActingToken {
  subjectId: string;
  /** Epoch of the user at the issue of the token. */
  subjectEpoch: number;
  sessionId?: string | undefined;
  grantId?: string | undefined;
}

/** An ended session. */
export interface EndedSession {
  id: string;
  subjectId: string;
  /** Clients that got tokens in the session and want a notification of its end. */
  clients: string[];
}

export interface SessionStore {
  /**
   * Starts a session of an active user. Serialized with offboarding, which finds this session or is seen here.
   * @returns the user's epoch; undefined if the user is not active or has another epoch than the given one
   */
  insert(tx: Transaction, tenant: string, session: NewSession): Promise<number | undefined>;
  /**
   * Signs a user in again in the same session, so that its grants stay valid, with a new cookie and sign-in time.
   * Undefined if the session or user is no longer active.
   */
  renew(
    tx: Transaction,
    tenant: string,
    session: Omit<NewSession, 'id'>,
    sessionId: string,
  ): Promise<number | undefined>;
  /** Returns the session of a cookie that is not ended, expired or idle for too long, with an active user. */
  find(
    tx: Transaction,
    tenant: string,
    digest: Buffer,
    idleSeconds: number,
  ): Promise<LiveSession | undefined>;
  /** Returns the same for a session that was just started, with the ticket of its user's password in force. */
  findStarted(
    tx: Transaction,
    tenant: string,
    digest: Buffer,
    idleSeconds: number,
  ): Promise<{ session: LiveSession; passwordTicket: string | undefined } | undefined>;
  /** Records the use of a session, at most once a minute. */
  touch(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Replaces the cookie of an active session; the previous one becomes invalid. */
  replaceDigest(tx: Transaction, tenant: string, id: string, digest: Buffer): Promise<boolean>;
  /** Ends a session. Undefined if the tenant has no such active session. */
  end(tx: Transaction, tenant: string, id: string): Promise<EndedSession | undefined>;
  /** Returns the user of an active session. */
  owner(tx: Transaction, tenant: string, id: string): Promise<string | undefined>;
}

/** Locks the credentials of a user's change against their revocation until the transaction ends. */
export interface SessionLocks {
  /**
   * Locks a user and a session against their end. Returns false if either has ended since the session was read; the
   * change must not be made then.
   */
  hold(tx: Transaction, tenant: string, session: ActingSession): Promise<boolean>;
  /** Does the same for any credential: an access token ends with its user's epoch, its session and its grant. */
  holdActing(tx: Transaction, tenant: string, acting: ActingSession | ActingToken): Promise<boolean>;
}

/** Publishes the end of sessions to external receivers. */
export interface SessionEvents {
  sessionsEnded(
    tx: Transaction,
    tenant: string,
    sessions: readonly EndedSession[],
    reason: string,
  ): Promise<void>;
}

/** Revokes grants of sessions. */
export interface SessionGrants {
  revokeBySession(
    tx: Transaction,
    tenant: string,
    sessionId: string,
    o?: { keepOffline?: boolean },
  ): Promise<NewRevocation[]>;
}
