import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { isUuid, uuidv7 } from '@ostiary/service';
import { record } from '../data/security-log.ts';
import {
  endSession,
  findSession,
  insertSession,
  type LiveSession,
  type NewSession,
  renewSession,
  replaceSessionDigest,
  sessionOwner,
  touchSession,
} from '../data/sessions.ts';
import { revocationExpiry } from './departure.ts';
import type { Grants, NewRevocation, RevocationFeed, Sessions } from './ports.ts';
import { deriveKey, keyedDigest, randomSecret } from './secret.ts';

export interface SignIn {
  subjectId: string;
  amr: readonly string[];
  acr?: string;
  userAgent: string | undefined;
  ipAddress: string | undefined;
}

/** A session as the browser gets it: the only time the cookie's value is seen. */
export interface StartedSession {
  id: string;
  cookie: string;
}

export interface SessionRegister extends Sessions {
  /**
   * Signs a person in. Whatever the browser had before is no longer valid: a session of the same person goes on under a
   * new cookie, another person's ends.
   * @returns undefined when the person is not, or no longer, active
   */
  start(
    tenant: string,
    signIn: SignIn,
    previous: LiveSession | undefined,
  ): Promise<StartedSession | undefined>;
  /** The live session behind a cookie value. */
  find(tenant: string, cookie: string | undefined): Promise<LiveSession | undefined>;
  /**
   * A new cookie for a session whose worth just changed: a copy of the old one is of no use to anybody. Undefined when the
   * session has ended.
   */
  rotate(tenant: string, sessionId: string): Promise<string | undefined>;
  /** Signs out of one session; what was granted for offline use goes on. */
  signOut(tenant: string, sessionId: string): Promise<boolean>;
  /** Whose session this is. */
  owner(tenant: string, sessionId: string): Promise<string | undefined>;
}

export interface SessionRegisterOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  grants: Pick<Grants, 'revokeBySession'>;
  revocations: RevocationFeed;
  encryptionKey: Buffer;
  idleSeconds: number;
  absoluteSeconds: number;
  accessTokenSeconds: number;
}

/** 43 base64url characters: 256 random bits. */
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

export function createSessions(o: SessionRegisterOptions): SessionRegister {
  const { sql } = o.database;
  const key = deriveKey(o.encryptionKey, 'session');
  const digestOf = (cookie: string): Buffer => keyedDigest(key, cookie);

  async function end(tx: Sql, tenant: string, id: string, keepOffline: boolean): Promise<Revocation[]> {
    const subjectId = await endSession(tx, tenant, id);
    if (subjectId === undefined) return [];
    await record(tx, tenant, {
      action: 'session.ended',
      resourceType: 'Session',
      resourceId: id,
      subjectId,
      changes: { reason: { after: keepOffline ? 'signed out' : 'revoked' } },
    });
    // The session's own entry covers the access tokens of its grants.
    await o.grants.revokeBySession(tx, tenant, id, { keepOffline });
    const entry: NewRevocation = {
      tenant,
      kind: 'session',
      key: id,
      expiresAt: revocationExpiry(o.accessTokenSeconds),
    };
    return o.revocations.append(tx, [entry], keepOffline ? 'signed out' : 'session revoked');
  }

  async function endAndPublish(tenant: string, id: string, keepOffline: boolean): Promise<boolean> {
    if (!isUuid(id)) return false;
    const revocations = await o.database.transaction((tx) => end(tx, tenant, id, keepOffline));
    await o.revocations.publish(revocations);
    return revocations.length > 0;
  }

  return {
    async start(tenant, signIn, previous) {
      const cookie = randomSecret();
      const session: Omit<NewSession, 'id'> = {
        ...signIn,
        digest: digestOf(cookie),
        absoluteSeconds: o.absoluteSeconds,
      };
      if (previous?.subjectId === signIn.subjectId) {
        const epoch = await renewSession(sql, tenant, session, previous.id);
        if (epoch !== undefined) return { id: previous.id, cookie };
      }
      const id = uuidv7();
      const epoch = await insertSession(sql, tenant, { ...session, id });
      if (epoch === undefined) return undefined;
      if (previous && previous.subjectId !== signIn.subjectId) await endAndPublish(tenant, previous.id, true);
      return { id, cookie };
    },
    async find(tenant, cookie) {
      if (cookie === undefined || !cookiePattern.test(cookie)) return undefined;
      const session = await findSession(sql, tenant, digestOf(cookie), o.idleSeconds);
      if (session && Date.now() - session.lastSeenAt.getTime() > 60_000)
        await touchSession(sql, tenant, session.id);
      return session;
    },
    async rotate(tenant, id) {
      const cookie = randomSecret();
      return (await replaceSessionDigest(sql, tenant, id, digestOf(cookie))) ? cookie : undefined;
    },
    signOut: (tenant, id) => endAndPublish(tenant, id, true),
    revoke: (tenant, id) => endAndPublish(tenant, id, false),
    owner: async (tenant, id) => (isUuid(id) ? sessionOwner(sql, tenant, id) : undefined),
  };
}
