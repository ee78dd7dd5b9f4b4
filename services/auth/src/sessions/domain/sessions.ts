import type { Revocation } from '@ostiary/access';
import type { Claim, Database, Sql } from '@ostiary/database';
import { isUuid, type Key, uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { tellOfEndedSessions } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import { keyedDigest, randomSecret } from '../../keys/index.ts';
import { passwordHash } from '../../sign-in/data/credentials.ts';
import { type NewRevocation, type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
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
import { passwordMark } from './password-mark.ts';
import type { Sessions } from './session-revocation.ts';

export interface SignIn {
  subjectId: string;
  amr: readonly string[];
  acr?: string;
  userAgent: string | undefined;
  ipAddress: string | undefined;
  /** What they proved who they are with, and when: by the time the session starts it may count for nothing any more. */
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
}

export interface SessionRegister extends Sessions {
  /**
   * Signs a person in. Whatever the browser had before is no longer valid: a session of the same person goes on under a
   * new cookie, another person's ends.
   * @returns undefined when the person is not, or no longer, active, or their proof has been overtaken: everything of theirs was
   * ended, or the password replaced, after they gave it
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
  /** Of the digests of cookies. */
  key: Key;
  idleSeconds: number;
  absoluteSeconds: number;
  accessTokenSeconds: number;
}

/** 43 base64url characters: 256 random bits. */
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

export function createSessions(o: SessionRegisterOptions): SessionRegister {
  const { sql } = o.database;
  const digestOf = (cookie: string): Buffer => keyedDigest(o.key(), cookie);

  async function end(tx: Sql, tenant: string, id: string, keepOffline: boolean): Promise<Revocation[]> {
    const ended = await endSession(tx, tenant, id);
    if (!ended) return [];
    const { subjectId } = ended;
    await record(tx, tenant, {
      action: 'session.ended',
      resourceType: 'Session',
      resourceId: id,
      subjectId,
      changes: { reason: { after: keepOffline ? 'signed out' : 'revoked' } },
    });
    await tellOfEndedSessions(tx, tenant, [ended], keepOffline ? 'signed out' : 'revoked');
    // The session's own entry covers the access tokens of its grants, but not what apps made under them.
    const ofGrants = await o.grants.revokeBySession(tx, tenant, id, { keepOffline });
    const made = ofGrants.filter(({ kind }) => kind === 'jti');
    const entry: NewRevocation = {
      tenant,
      kind: 'session',
      key: id,
      expiresAt: revocationExpiry(o.accessTokenSeconds),
    };
    return o.revocations.append(tx, [entry, ...made], keepOffline ? 'signed out' : 'session revoked');
  }

  async function endAndPublish(
    tenant: string,
    id: string,
    keepOffline: boolean,
    claim?: Claim,
  ): Promise<boolean> {
    if (!isUuid(id)) return false;
    const revocations = await o.database.transaction(async (tx) => {
      const entries = await end(tx, tenant, id, keepOffline);
      if (entries.length > 0) await claim?.(tx, tenant, id);
      return entries;
    });
    await o.revocations.publish(revocations);
    return revocations.length > 0;
  }

  /**
   * A password that is replaced ends the sessions it finds. This one it may have missed: it holds the person's row while it
   * does so, so that by now it shows.
   */
  async function outlasting(
    tenant: string,
    { subjectId, proof }: SignIn,
    started: StartedSession,
  ): Promise<StartedSession | undefined> {
    if (proof?.password === undefined) return started;
    if (passwordMark(await passwordHash(sql, tenant, subjectId)) === proof.password) return started;
    await endAndPublish(tenant, started.id, false);
    return undefined;
  }

  return {
    async start(tenant, signIn, previous) {
      const cookie = randomSecret();
      const { proof, ...what } = signIn;
      const session: Omit<NewSession, 'id'> = {
        ...what,
        subjectEpoch: proof?.subjectEpoch,
        digest: digestOf(cookie),
        absoluteSeconds: o.absoluteSeconds,
      };
      if (previous?.subjectId === signIn.subjectId) {
        const epoch = await renewSession(sql, tenant, session, previous.id);
        if (epoch !== undefined) return outlasting(tenant, signIn, { id: previous.id, cookie });
      }
      const id = uuidv7();
      const epoch = await insertSession(sql, tenant, { ...session, id });
      if (epoch === undefined) return undefined;
      if (previous && previous.subjectId !== signIn.subjectId) await endAndPublish(tenant, previous.id, true);
      return outlasting(tenant, signIn, { id, cookie });
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
    revoke: (tenant, id, claim) => endAndPublish(tenant, id, false, claim),
    owner: async (tenant, id) => (isUuid(id) ? sessionOwner(sql, tenant, id) : undefined),
  };
}
