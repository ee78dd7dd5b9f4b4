import type { Transaction } from '@ostiary/service';
import type { CarriedRoles, NewRevocation } from '../../subjects/index.ts';

/** A live browser session with what a request needs to know about its user. */
export interface LiveSession {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  userName: string;
  displayName: string | undefined;
  authTime: Date;
  amr: string[];
  acr: string | null;
  /** Roles that count in it. */
  carriedRoles: CarriedRoles;
  lastSeenAt: Date;
}

export interface NewSession {
  id: string;
  subjectId: string;
  /** The subject's epoch when they authenticated: if everything of theirs ended since, nothing starts. */
  subjectEpoch?: number | undefined;
  /** Keyed digest of the cookie. */
  digest: Buffer;
  amr: readonly string[];
  acr?: string;
  carriedRoles: CarriedRoles;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  /** Seconds until it ends however much it is used. */
  absoluteSeconds: number;
}

/** The session that a user changes something of their account in. */
export type ActingSession = Pick<LiveSession, 'id' | 'subjectId' | 'subjectEpoch'>;

/** The access token that a user changes something of their account with. */
export interface ActingToken {
  subjectId: string;
  /** The user's when it was issued. */
  subjectEpoch: number;
  sessionId?: string | undefined;
  grantId?: string | undefined;
}

/** A session that has just been ended. */
export interface EndedSession {
  id: string;
  subjectId: string;
  /** The clients that were given tokens in it and want to be notified of its end. */
  clients: string[];
}

/** Where sessions are kept. */
export interface SessionStore {
  /**
   * Starts a session unless the user may not sign in (any more): a departure either finds this session or is seen by it.
   * @returns the subject's epoch, or undefined when they are not active, or it is another than the one given
   */
  insert(tx: Transaction, tenant: string, session: NewSession): Promise<number | undefined>;
  /**
   * Signs a user in again within their session: same session id, so that what they use goes on working, but a new
   * cookie and a new sign-in time. Undefined when the session or the user is no longer live.
   */
  renew(
    tx: Transaction,
    tenant: string,
    session: Omit<NewSession, 'id'>,
    sessionId: string,
  ): Promise<number | undefined>;
  /** The session behind a cookie: not ended, not expired, not idle for too long, and its user still active. */
  find(
    tx: Transaction,
    tenant: string,
    digest: Buffer,
    idleSeconds: number,
  ): Promise<LiveSession | undefined>;
  /** The same of a session that has just been started, with the ticket of its user's password in force, if there is one. */
  findStarted(
    tx: Transaction,
    tenant: string,
    digest: Buffer,
    idleSeconds: number,
  ): Promise<{ session: LiveSession; passwordTicket: string | undefined } | undefined>;
  /** Notes that a session was used, at most once a minute. */
  touch(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Gives a live session another cookie; the one before is worth nothing from then on. */
  replaceDigest(tx: Transaction, tenant: string, id: string, digest: Buffer): Promise<boolean>;
  /** Ends one session. Undefined when the tenant has no such live session. */
  end(tx: Transaction, tenant: string, id: string): Promise<EndedSession | undefined>;
  /** Whose live session this is. */
  owner(tx: Transaction, tenant: string, id: string): Promise<string | undefined>;
}

/** Holds what a user acts with against everything that ends it, until the transaction ends. */
export interface SessionLocks {
  /**
   * Holds a user and the session they act in, so that nothing ends either meanwhile. False when something did, since the session was
   * read: what they are about to change of their account comes too late.
   */
  hold(tx: Transaction, tenant: string, session: ActingSession): Promise<boolean>;
  /** The same of whatever a user acts with: an access token ends with its user's, its session and its grant. */
  holdActing(tx: Transaction, tenant: string, acting: ActingSession | ActingToken): Promise<boolean>;
}

/** Notifies receivers outside that sessions have ended. */
export interface SessionEvents {
  sessionsEnded(
    tx: Transaction,
    tenant: string,
    sessions: readonly EndedSession[],
    reason: string,
  ): Promise<void>;
}

/** Ends what was granted in sessions. */
export interface SessionGrants {
  revokeBySession(
    tx: Transaction,
    tenant: string,
    sessionId: string,
    o?: { keepOffline?: boolean },
  ): Promise<NewRevocation[]>;
}
