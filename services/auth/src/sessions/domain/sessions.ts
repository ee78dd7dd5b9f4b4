import type { Revocation } from '@ostiary/access';
import { isUuid, type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { SecurityLog } from '../../audit/index.ts';
import { keyedDigest, randomSecret } from '../../keys/index.ts';
import type { Claim } from '../../protocol/index.ts';
import {
  type CarriedRoles,
  type NewRevocation,
  type RevocationFeed,
  revocationExpiry,
} from '../../subjects/index.ts';
import { passwordMark } from './password-mark.ts';
import type { Sessions } from './session-revocation.ts';
import type { LiveSession, NewSession, SessionEvents, SessionGrants, SessionStore } from './session-store.ts';

export interface SignIn {
  subjectId: string;
  amr: readonly string[];
  acr?: string;
  /** Roles that every way in carries that was used. */
  carriedRoles: CarriedRoles;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  /** What they authenticated with, and when: by the time the session starts it may count for nothing any more. */
  proof?: SignInProof | undefined;
}

export interface SignInProof {
  /** The subject's epoch at that moment. */
  subjectEpoch?: number;
  /** Mark of the password (`passwordMark`), if there was one. */
  password?: string;
}

/** A session as the browser gets it: the only time the cookie's value is seen. */
export interface StartedSession {
  id: string;
  cookie: string;
  /** As it is after the start; missing when it has been ended in that moment. */
  session?: LiveSession;
}

export interface SessionRegisterOptions {
  database: Transactions;
  sessions: SessionStore;
  events: SessionEvents;
  securityLog: SecurityLog;
  grants: SessionGrants;
  revocations: Pick<RevocationFeed, 'append' | 'publish'>;
  /** Of the digests of cookies. */
  key: Key;
  idleSeconds: number;
  absoluteSeconds: number;
  accessTokenSeconds: number;
}

/** 43 base64url characters: 256 random bits. */
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

/** The browser sessions of every tenant. */
export class SessionRegister implements Sessions {
  readonly #o: SessionRegisterOptions;

  constructor(options: SessionRegisterOptions) {
    this.#o = options;
  }

  /**
   * Signs a user in. Whatever the browser had before is no longer valid: a session of the same user goes on under a
   * new cookie, another user's ends.
   * @returns undefined when the user is not, or no longer, active, or their proof has been overtaken: everything of theirs was
   * ended, or the password replaced, after they gave it
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

  /** The live session behind a cookie value. */
  async find(tenant: string, cookie: string | undefined): Promise<LiveSession | undefined> {
    if (cookie === undefined || !cookiePattern.test(cookie)) return undefined;
    const { database, sessions, idleSeconds } = this.#o;
    const session = await sessions.find(database.sql, tenant, this.#digestOf(cookie), idleSeconds);
    if (session && Date.now() - session.lastSeenAt.getTime() > 60_000)
      await sessions.touch(database.sql, tenant, session.id);
    return session;
  }

  /**
   * A new cookie for a session whose worth just changed: a copy of the old one is worth nothing any more. Undefined when the
   * session has ended.
   */
  async rotate(tenant: string, sessionId: string): Promise<string | undefined> {
    const { database, sessions } = this.#o;
    const cookie = randomSecret();
    const digest = this.#digestOf(cookie);
    return (await sessions.replaceDigest(database.sql, tenant, sessionId, digest)) ? cookie : undefined;
  }

  /** Signs out of one session; what was granted for offline use goes on. */
  signOut(tenant: string, sessionId: string): Promise<boolean> {
    return this.#endAndPublish(tenant, sessionId, true);
  }

  /** Ends one session and everything granted in it. False when the tenant has no such live session. */
  revoke(tenant: string, sessionId: string, claim?: Claim): Promise<boolean> {
    return this.#endAndPublish(tenant, sessionId, false, claim);
  }

  /** Whose session this is. */
  async owner(tenant: string, sessionId: string): Promise<string | undefined> {
    const { database, sessions } = this.#o;
    return isUuid(sessionId) ? sessions.owner(database.sql, tenant, sessionId) : undefined;
  }

  /**
   * A password that is replaced ends the sessions it finds. This one it may have missed: it holds the subject's row while it
   * does so, so that by now it shows.
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
    // The session's own entry covers the access tokens of its grants, but not what apps made under them.
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
