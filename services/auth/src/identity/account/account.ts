import type { Revocation } from '@ostiary/access';
import { type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { AttemptLimit, Guesses, SecurityLog } from '../../platform/index.ts';
import { type Authentication, authenticationOf, type Method } from '../../platform/index.ts';
import {
  type CarriedRoles,
  type NewRevocation,
  type RevocationFeed,
  revocationExpiry,
} from '../../tenancy/index.ts';
import type { LiveSession, SessionLocks } from '../sessions/domain/session-store.ts';
import type {
  AccessEnding,
  CredentialEvents,
  InvitationStore,
  PasswordStore,
} from '../sign-in/domain/credential-store.ts';
import type { AcceptablePassword } from '../sign-in/domain/new-password.ts';
import type { NewPasskey, Passkeys } from '../sign-in/domain/passkeys.ts';
import type { PasswordHasher } from '../sign-in/domain/password.ts';
import type { SecondFactors } from '../sign-in/domain/second-factors.ts';

/** An app with a consent, grants or delegations of a user. */
export interface AllowedApp {
  clientId: string;
  /** Null if the app is no longer registered. */
  name: string | null;
  scopes: string[];
  since: Date;
  /** True when it acts for the user as an agent. */
  agent: boolean;
}

export interface AllowedApps {
  list(tx: Transaction, tenant: string, subjectId: string): Promise<AllowedApp[]>;
  /** Increments the consent revocation counter of a user for a client, unless there is no such client. */
  countWithdrawal(tx: Transaction, tenant: string, subjectId: string, clientId: string): Promise<unknown>;
  /** Withdraws the consent of a user for a client. */
  withdraw(tx: Transaction, tenant: string, subjectId: string, clientId: string): Promise<boolean>;
}

export interface SessionStrength {
  /** Records a stronger authentication in a session. */
  strengthen(
    tx: Transaction,
    tenant: string,
    sessionId: string,
    authentication: { amr: readonly string[]; acr: string },
  ): Promise<void>;
}

export interface ConsentEnding {
  /** Revokes the grants and delegations of a user for a client. */
  revokeByConsent(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<NewRevocation[]>;
}

export interface TokensMadeByApps {
  /** Revokes API tokens that a client created for a user. @returns their ids */
  revokeBy(tx: Transaction, tenant: string, subjectId: string, clientId: string): Promise<string[]>;
}

/** Publishes the end of clients' access to external receivers. */
export interface GrantEvents {
  grantsEnded(
    tx: Transaction,
    tenant: string,
    grants: readonly { subjectId: string; clientId: string }[],
    reason: string,
  ): Promise<void>;
}

const perUser: AttemptLimit = { free: 10, firstMs: 5_000, maxMs: 60_000, forgetMs: 900_000 };

export type PasswordChange =
  | { outcome: 'changed' }
  /** The current password is incorrect. */
  | { outcome: 'refused' }
  | { outcome: 'unchanged' }
  | { outcome: 'delayed'; retryAfterSeconds: number }
  /** The user was offboarded, the session ended, or the password changed in the meantime. */
  | { outcome: 'gone' };

export interface AccountOptions {
  database: Transactions;
  apps: AllowedApps;
  strength: SessionStrength;
  passkeys: Passkeys;
  secondFactors: SecondFactors;
  grants: ConsentEnding;
  tokens: TokensMadeByApps;
  credentials: PasswordStore;
  invitations: InvitationStore;
  sessionLocks: SessionLocks;
  access: AccessEnding;
  events: GrantEvents & CredentialEvents;
  securityLog: SecurityLog;
  revocations: RevocationFeed;
  passwords: PasswordHasher;
  guesses: Guesses;
  accessTokenSeconds: number;
}

/** Operations of users on their own account. */
export class Account {
  readonly #o: AccountOptions;

  constructor(options: AccountOptions) {
    this.#o = options;
  }

  apps(tenant: string, subjectId: string): Promise<AllowedApp[]> {
    return this.#o.apps.list(this.#o.database.sql, tenant, subjectId);
  }

  /** Withdraws the consent for an app and revokes its tokens, including API tokens that it created for the user. */
  withdraw(tenant: string, subjectId: string, clientId: string): Promise<void> {
    return this.#publishing(async (tx) => {
      const { apps, grants, tokens: made, securityLog, events, revocations } = this.#o;
      // First, because it locks the user's row and so serializes with the redemption of a code.
      await apps.countWithdrawal(tx, tenant, subjectId, clientId);
      // Before the consent: a change of the client also locks the client first.
      const entries: NewRevocation[] = await grants.revokeByConsent(tx, tenant, subjectId, clientId);
      const withdrawn = await apps.withdraw(tx, tenant, subjectId, clientId);
      const tokens = await made.revokeBy(tx, tenant, subjectId, clientId);
      if (withdrawn || entries.length > 0 || tokens.length > 0) {
        await securityLog.record(tx, tenant, {
          action: 'user.app_withdrawn',
          resourceType: 'Client',
          resourceId: clientId,
          subjectId,
        });
        await events.grantsEnded(tx, tenant, [{ subjectId, clientId }], 'consent withdrawn');
      }
      for (const key of tokens) {
        entries.push({ tenant, kind: 'jti', key, expiresAt: revocationExpiry(this.#o.accessTokenSeconds) });
      }
      return revocations.append(tx, entries, 'consent withdrawn');
    });
  }

  async hasPassword(tenant: string, subjectId: string): Promise<boolean> {
    return (await this.#o.credentials.inForce(this.#o.database.sql, tenant, subjectId)) !== undefined;
  }

  /**
   * Changes the password. Ends every other session and revokes its grants and those for offline use.
   * @param present required if there is a password
   */
  async changePassword(
    tenant: string,
    session: LiveSession,
    { present, next }: { present: string; next: AcceptablePassword },
  ): Promise<PasswordChange> {
    const { database, credentials, guesses, passwords, sessionLocks, invitations } = this.#o;
    const { subjectId } = session;
    const old = await credentials.inForce(database.sql, tenant, subjectId);
    if (old !== undefined) {
      const key = `password-change:${subjectId}`;
      const wait = await guesses.begin(tenant, key, perUser);
      if (wait > 0) return { outcome: 'delayed', retryAfterSeconds: Math.ceil(wait / 1000) };
      if (!(await passwords.verify(present, old.hash))) return { outcome: 'refused' };
      await guesses.succeed(tenant, key, 'all');
      if (present.normalize('NFC') === next.normalize('NFC')) return { outcome: 'unchanged' };
    }
    const hash = await passwords.hash(next);
    let changed = false;
    await this.#publishing(async (tx) => {
      if (!(await sessionLocks.hold(tx, tenant, session))) return [];
      // Of two simultaneous changes that knew the old password, one counts.
      if ((await credentials.inForce(tx, tenant, subjectId))?.ticket !== old?.ticket) return [];
      await this.setPassword(tx, tenant, session, hash);
      // An attacker may have requested a link that sets another password.
      await invitations.deleteOf(tx, tenant, subjectId);
      changed = true;
      return this.endOthersIn(tx, tenant, session, 'password changed');
    });
    return { outcome: changed ? 'changed' : 'gone' };
  }

  /** Adds a passkey. @returns recovery codes if the user had none; undefined if nothing was added */
  addPasskey(
    tenant: string,
    session: LiveSession,
    passkey: NewPasskey,
    name: string,
  ): Promise<{ recoveryCodes: string[] | undefined } | undefined> {
    const { database, sessionLocks, passkeys, secondFactors } = this.#o;
    const { subjectId } = session;
    return database.transaction(async (tx) => {
      if (!(await sessionLocks.hold(tx, tenant, session))) return undefined;
      const { carriedRoles } = session;
      if (!(await passkeys.add(tx, tenant, subjectId, passkey, { name, carriedRoles }))) return undefined;
      return { recoveryCodes: await secondFactors.firstRecoveryCodes(tx, tenant, session) };
    });
  }

  /** Records the setup of a second factor in a session, which also proves it. */
  async strengthen(tenant: string, session: LiveSession, added: Method): Promise<void> {
    if (session.acr === 'phr') return;
    const known: readonly string[] = ['pwd', 'otp', 'hwk', 'swk'];
    const before = session.amr.filter((method): method is Method => known.includes(method));
    const authentication: Authentication = authenticationOf([...new Set([...before, added])]);
    // Setting up a passkey is not a sign-in with it, so it only counts as a second factor.
    const acr = 'urn:ostiary:acr:2fa';
    const { database, strength } = this.#o;
    await strength.strengthen(database.sql, tenant, session.id, { ...authentication, acr });
  }

  /** Ends every other session and revokes every grant that does not belong to this one. */
  endOthers(tenant: string, session: LiveSession): Promise<void> {
    return this.#publishing(async (tx) => {
      await this.#o.securityLog.record(tx, tenant, {
        action: 'user.other_sessions_ended',
        resourceType: 'User',
        resourceId: session.subjectId,
        subjectId: session.subjectId,
      });
      return this.endOthersIn(tx, tenant, session, 'signed out elsewhere');
    });
  }

  /** Does the same in a transaction. The result is published after the commit. */
  endOthersIn(
    tx: Transaction,
    tenant: string,
    { subjectId, id }: LiveSession,
    reason: string,
  ): Promise<Revocation[]> {
    return this.#o.access.endSignIns(tx, tenant, { subjectId, keep: id }, reason);
  }

  /**
   * Sets a password in the caller's transaction. It carries the roles of the sign-in or link with which the user sets
   * it, so that no credential carries more than the one used to set it.
   * @returns its ticket
   */
  async setPassword(
    tx: Transaction,
    tenant: string,
    { subjectId, carriedRoles }: { subjectId: string; carriedRoles: CarriedRoles },
    hash: string,
  ): Promise<string> {
    const { credentials, events } = this.#o;
    const ticket = uuidv7();
    await credentials.stage(tx, tenant, { ticket, subjectId, hash, carriedRoles });
    await credentials.activate(tx, tenant, ticket, subjectId, events);
    return ticket;
  }

  async #publishing(work: (tx: Transaction) => Promise<Revocation[]>): Promise<void> {
    await this.#o.revocations.publish(await this.#o.database.transaction(work));
  }
}
