import type { Revocation } from '@ostiary/access';
import { isUuid, type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { Claim, SecurityLog } from '../../../platform/index.ts';
import {
  type CarriedRoles,
  keyedDigest,
  type NewRevocation,
  type RevocationFeed,
  randomSecret,
  revocationExpiry,
} from '../../../tenancy/index.ts';
import { passwordMark } from './password-mark.ts';
import type { LiveSession, NewSession, SessionEvents, SessionGrants, SessionStore } from './session-store.ts';

export interface SignIn {
  subjectId: string;
  amr: readonly string[];
  acr?: string;
  /** Roles that every used credential carries. */
  carriedRoles: CarriedRoles;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  /** State at the authentication. It may have changed by the start of the session. */
  proof?: SignInProof | undefined;
}

export interface SignInProof {
  /** Epoch of the user at the authentication. */
  subjectEpoch?: number;
  /** Mark of the password (`passwordMark`), if one was used. */
  password?: string;
}

/** A started session with the cookie's value, which is available only here. */
export interface StartedSession {
  id: string;
  cookie: string;
  /** State after the start; absent if the session has ended already. */
  session?: LiveSession;
}

export interface SessionRegisterOptions {
  database: Transactions;
  sessions: SessionStore;
  events: SessionEvents;
  securityLog: SecurityLog;
  grants: SessionGrants;
  revocations: RevocationFeed;
  /** Key of the digests of cookies. */
  key: Key;
  idleSeconds: number;
  absoluteSeconds: number;
  accessTokenSeconds: number;
}

/** 43 base64url characters: 256 random bits. */
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

/** Browser sessions of all tenants. */
export class SessionRegister {
  readonly #o: SessionRegisterOptions;

  constructor(options: SessionRegisterOptions) {
    this.#o = options;
  }

  /**
   * Signs a user in. The previous cookie of the browser becomes invalid: a session of the same user continues under a
   * new cookie, another user's session ends.
   * @returns undefined if the user is not active, or the proof is outdated because everything was revoked or the
   * password replaced since
   */
  async start(
    tenant: string,
    signIn: SignIn,
    previous: LiveSession | undefined,
  ): Promise<StartedSession | undefined> {
    const { database, sessions, absoluteSeconds } = this.#o;
    const cookie = randomSecret();
    const { proof, ...what } = signIn;
    const session: Omit<NewSession, 'id'> = {
      ...what,
      subjectEpoch: proof?.subjectEpoch,
      digest: this.#digestOf(cookie),
      absoluteSeconds,
    };
    if (previous?.subjectId === signIn.subjectId) {
      const epoch = await sessions.renew(database.sql, tenant, session, previous.id);
      if (epoch !== undefined)
        return this.#outlasting(tenant, proof, { id: previous.id, cookie }, session.digest);
    }
    const id = uuidv7();
    const epoch = await sessions.insert(database.sql, tenant, { ...session, id });
    if (epoch === undefined) return undefined;
    if (previous && previous.subjectId !== signIn.subjectId) {
      await this.#endAndPublish(tenant, previous.id, true);
    }
    return this.#outlasting(tenant, proof, { id, cookie }, session.digest);
  }

  /** Returns the active session of a cookie value. */
  async find(tenant: string, cookie: string | undefined): Promise<LiveSession | undefined> {
    if (cookie === undefined || !cookiePattern.test(cookie)) return undefined;
    const { database, sessions, idleSeconds } = this.#o;
    const session = await sessions.find(database.sql, tenant, this.#digestOf(cookie), idleSeconds);
    if (session && Date.now() - session.lastSeenAt.getTime() > 60_000)
      await sessions.touch(database.sql, tenant, session.id);
    return session;
  }

  /**
   * Replaces the cookie after the session gained access; a copy of the old one becomes invalid. Undefined if the
   * session has ended.
   */
  async rotate(tenant: string, sessionId: string): Promise<string | undefined> {
    const { database, sessions } = this.#o;
    const cookie = randomSecret();
    const digest = this.#digestOf(cookie);
    return (await sessions.replaceDigest(database.sql, tenant, sessionId, digest)) ? cookie : undefined;
  }

  /** Signs out of a session; grants for offline use stay valid. */
  signOut(tenant: string, sessionId: string): Promise<boolean> {
    return this.#endAndPublish(tenant, sessionId, true);
  }

  /** Ends a session and its grants. Returns false if the tenant has no such active session. */
  revoke(tenant: string, sessionId: string, claim?: Claim): Promise<boolean> {
    return this.#endAndPublish(tenant, sessionId, false, claim);
  }

  /** Returns the user of an active session. */
  async owner(tenant: string, sessionId: string): Promise<string | undefined> {
    const { database, sessions } = this.#o;
    return isUuid(sessionId) ? sessions.owner(database.sql, tenant, sessionId) : undefined;
  }

  /**
   * Checks the password again after the session started. The replacement of a password ends existing sessions and may
   * have missed this one, but it holds the user's row, so its result is visible now.
   */
  async #outlasting(
    tenant: string,
    proof: SignInProof | undefined,
    started: StartedSession,
    digest: Buffer,
  ): Promise<StartedSession | undefined> {
    const { database, sessions, idleSeconds } = this.#o;
    const found = await sessions.findStarted(database.sql, tenant, digest, idleSeconds);
    if (proof?.password === undefined || passwordMark(found?.passwordTicket) === proof.password)
      return found ? { ...started, session: found.session } : started;
    await this.#endAndPublish(tenant, started.id, false);
    return undefined;
  }

  async #endAndPublish(tenant: string, id: string, keepOffline: boolean, claim?: Claim): Promise<boolean> {
    if (!isUuid(id)) return false;
    const revocations = await this.#o.database.transaction(async (tx) => {
      const entries = await this.#end(tx, tenant, id, keepOffline);
      if (entries.length > 0) await claim?.(tx, tenant, id);
      return entries;
    });
    await this.#o.revocations.publish(revocations);
    return revocations.length > 0;
  }

  async #end(tx: Transaction, tenant: string, id: string, keepOffline: boolean): Promise<Revocation[]> {
    const { sessions, securityLog, events, grants, revocations, accessTokenSeconds } = this.#o;
    const ended = await sessions.end(tx, tenant, id);
    if (!ended) return [];
    const reason = keepOffline ? 'signed out' : 'revoked';
    await securityLog.record(tx, tenant, {
      action: 'session.ended',
      resourceType: 'Session',
      resourceId: id,
      subjectId: ended.subjectId,
      changes: { reason: { after: reason } },
    });
    await events.sessionsEnded(tx, tenant, [ended], reason);
    // The session's revocation covers the access tokens of its grants, but not API tokens that clients created under
    // them.
    const ofGrants = await grants.revokeBySession(tx, tenant, id, { keepOffline });
    const made = ofGrants.filter(({ kind }) => kind === 'jti');
    const entry: NewRevocation = {
      tenant,
      kind: 'session',
      key: id,
      expiresAt: revocationExpiry(accessTokenSeconds),
    };
    return revocations.append(tx, [entry, ...made], keepOffline ? 'signed out' : 'session revoked');
  }

  #digestOf(cookie: string): Buffer {
    return keyedDigest(this.#o.key(), cookie);
  }
}
