import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { tellOfEndedGrants } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import type { AttemptLimit, Guesses } from '../../limits/index.ts';
import { revokeApiTokensBy } from '../../machines/data/api-tokens.ts';
import { type DeparturePorts, endSignIns } from '../../offboarding/index.ts';
import { holdSession, type LiveSession } from '../../sessions/data/sessions.ts';
import { activateCredential, passwordHash, stageCredential } from '../../sign-in/data/credentials.ts';
import { deleteInvitations } from '../../sign-in/data/invitations.ts';
import type { AcceptablePassword, PasswordHasher } from '../../sign-in/index.ts';
import { countWithdrawal } from '../../subjects/data/subjects.ts';
import { type NewRevocation, type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
import { type AllowedApp, listAllowedApps, withdrawConsent } from '../data/account.ts';

const perPerson: AttemptLimit = { free: 10, firstMs: 5_000, longestMs: 60_000, forgetMs: 900_000 };

export type PasswordChange =
  | { outcome: 'changed' }
  /** The present password is not right. */
  | { outcome: 'refused' }
  | { outcome: 'unchanged' }
  | { outcome: 'delayed'; retryAfterSeconds: number }
  /** They left meanwhile, their session ended, or their password was changed elsewhere in the same moment. */
  | { outcome: 'gone' };

/** What people do with their own account. */
export interface Account {
  apps(tenant: string, subjectId: string): Promise<AllowedApp[]>;
  /** Takes everything back that the person allowed an app, with its tokens, and those it made in their name. */
  withdraw(tenant: string, subjectId: string, clientId: string): Promise<void>;
  hasPassword(tenant: string, subjectId: string): Promise<boolean>;
  /**
   * Changes the password, and ends every session but this one, with everything granted in them or for offline use.
   * @param present needed if there is a password
   */
  changePassword(
    tenant: string,
    session: LiveSession,
    o: { present: string; next: AcceptablePassword },
  ): Promise<PasswordChange>;
  /** Ends every session but this one, and every grant that doesn't hang on it. */
  endOthers(tenant: string, session: LiveSession): Promise<void>;
  /** The same inside a transaction; publish what it returns after the commit. */
  endOthersIn(tx: Sql, tenant: string, session: LiveSession, reason: string): Promise<Revocation[]>;
  /** Sets a first password in the caller's transaction. */
  setPassword(tx: Sql, tenant: string, subjectId: string, hash: string): Promise<void>;
}

export function createAccount(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  grants: Pick<Grants, 'revokeByConsent'>;
  departure: DeparturePorts;
  revocations: RevocationFeed;
  passwords: PasswordHasher;
  guesses: Guesses;
  accessTokenSeconds: number;
}): Account {
  const { sql } = o.database;

  async function publishing(work: (tx: Sql) => Promise<Revocation[]>): Promise<void> {
    await o.revocations.publish(await o.database.transaction(work));
  }

  const endOthersIn: Account['endOthersIn'] = (tx, tenant, { subjectId, id }, reason) =>
    endSignIns(tx, tenant, { subjectId, keep: id }, reason, o.departure);

  async function setPassword(tx: Sql, tenant: string, subjectId: string, hash: string): Promise<void> {
    const ticket = uuidv7();
    await stageCredential(tx, tenant, { ticket, subjectId, hash });
    await activateCredential(tx, tenant, ticket, subjectId);
  }

  return {
    apps: (tenant, subjectId) => listAllowedApps(sql, tenant, subjectId),
    withdraw: (tenant, subjectId, clientId) =>
      publishing(async (tx) => {
        // First of all, because it locks the person's row: a code that is being redeemed comes before or after all of this.
        await countWithdrawal(tx, tenant, subjectId, clientId);
        const withdrawn = await withdrawConsent(tx, tenant, subjectId, clientId);
        const entries: NewRevocation[] = await o.grants.revokeByConsent(tx, tenant, subjectId, clientId);
        const tokens = await revokeApiTokensBy(tx, tenant, subjectId, clientId);
        if (withdrawn || entries.length > 0 || tokens.length > 0) {
          await record(tx, tenant, {
            action: 'user.app_withdrawn',
            resourceType: 'Client',
            resourceId: clientId,
            subjectId,
          });
          await tellOfEndedGrants(tx, tenant, [{ subjectId, clientId }], 'consent withdrawn');
        }
        for (const key of tokens) {
          entries.push({ tenant, kind: 'jti', key, expiresAt: revocationExpiry(o.accessTokenSeconds) });
        }
        return o.revocations.append(tx, entries, 'consent withdrawn');
      }),
    hasPassword: async (tenant, subjectId) => (await passwordHash(sql, tenant, subjectId)) !== undefined,
    async changePassword(tenant, session, { present, next }) {
      const { subjectId } = session;
      const old = await passwordHash(sql, tenant, subjectId);
      if (old !== undefined) {
        const key = `password-change:${subjectId}`;
        const wait = await o.guesses.begin(tenant, key, perPerson);
        if (wait > 0) return { outcome: 'delayed', retryAfterSeconds: Math.ceil(wait / 1000) };
        if (!(await o.passwords.verify(present, old))) return { outcome: 'refused' };
        await o.guesses.succeed(tenant, key, 'all');
        if (present.normalize('NFC') === next.normalize('NFC')) return { outcome: 'unchanged' };
      }
      const hash = await o.passwords.hash(next);
      let changed = false;
      await publishing(async (tx) => {
        if (!(await holdSession(tx, tenant, session))) return [];
        // Of two changes at once that both knew the old password, one counts.
        if ((await passwordHash(tx, tenant, subjectId)) !== old) return [];
        await setPassword(tx, tenant, subjectId, hash);
        // A link that sets yet another password is what somebody may have asked for who isn't the person.
        await deleteInvitations(tx, tenant, subjectId);
        changed = true;
        return endOthersIn(tx, tenant, session, 'password changed');
      });
      return { outcome: changed ? 'changed' : 'gone' };
    },
    endOthers: (tenant, session) =>
      publishing(async (tx) => {
        await record(tx, tenant, {
          action: 'user.other_sessions_ended',
          resourceType: 'User',
          resourceId: session.subjectId,
          subjectId: session.subjectId,
        });
        return endOthersIn(tx, tenant, session, 'signed out elsewhere');
      }),
    endOthersIn,
    setPassword,
  };
}
