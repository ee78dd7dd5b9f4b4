import { issuerOf } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { Counter, Gauge } from '@ostiary/service';
import { revokeApiTokensBy } from '../access/machines/data/api-tokens.ts';
import { allowedApps, strengthenSession } from '../identity/account/account.data.ts';
import { Account } from '../identity/account/account.ts';
import { sessionLocks, sessionStore } from '../identity/sessions/data/sessions.ts';
import { SessionRegister } from '../identity/sessions/domain/sessions.ts';
import { passwordStore } from '../identity/sign-in/data/credentials.ts';
import { RedisInteractions } from '../identity/sign-in/data/interactions.ts';
import { invitationStore } from '../identity/sign-in/data/invitations.ts';
import { RedisKnownNetworks } from '../identity/sign-in/data/known-networks.ts';
import { passkeyStore } from '../identity/sign-in/data/passkeys.ts';
import { secondFactorStore } from '../identity/sign-in/data/second-factors.ts';
import { addSignInCounts } from '../identity/sign-in/data/sign-in-counts.ts';
import type { AccessEnding, CredentialEvents } from '../identity/sign-in/domain/credential-store.ts';
import type { Interactions } from '../identity/sign-in/domain/interaction.ts';
import { Invitations } from '../identity/sign-in/domain/invitations.ts';
import { Login, type LoginOptions } from '../identity/sign-in/domain/login.ts';
import { namesOf, tenantWordsOf } from '../identity/sign-in/domain/new-password.ts';
import { Passkeys } from '../identity/sign-in/domain/passkeys.ts';
import { PasswordHasher } from '../identity/sign-in/domain/password.ts';
import { passwordCost } from '../identity/sign-in/domain/password-cost.ts';
import { Recovery } from '../identity/sign-in/domain/recovery.ts';
import { SecondFactors } from '../identity/sign-in/domain/second-factors.ts';
import { SignInLimits } from '../identity/sign-in/domain/sign-in-limits.ts';
import { SignInTally } from '../identity/sign-in/domain/sign-in-tally.ts';
import { StagedPasswords } from '../identity/sign-in/domain/staged-passwords.ts';
import { SignInLog } from '../identity/sign-in-log/domain/sign-in-log.ts';
import { PostgresSignInAttemptStore } from '../identity/sign-in-log/sign-in-attempts.data.ts';
import { closeDoors, endSignIns } from '../lifecycle/offboarding/domain/departure.ts';
import { postgresSecurityLog } from '../platform/audit/security-log.data.ts';
import { eventPublisher } from '../tenancy/events/data/event-publisher.ts';
import { needingRedis } from '../tenancy/keys/data/needing-redis.ts';
import { postgresSubjects } from '../tenancy/users/data/subjects.ts';
import { stores } from './stores.ts';

import type { createSubjectParts, PeopleFoundation } from './subjects.ts';

type SubjectParts = ReturnType<typeof createSubjectParts>;

/** Dependencies shared by sign-in, sessions and the account. */
function commonParts({ database, kit, revocations }: PeopleFoundation, { departure }: SubjectParts) {
  const access: AccessEnding = {
    endEverything: (tx: Sql, tenant, subjectId, reason) =>
      closeDoors(tx, tenant, subjectId, reason, departure),
    endSignIns: (tx: Sql, tenant, who, reason) => endSignIns(tx, tenant, who, reason, departure),
  };
  return {
    database,
    securityLog: postgresSecurityLog,
    credentials: passwordStore,
    factors: secondFactorStore,
    subjectLocks: postgresSubjects,
    sessionLocks,
    access,
    revocations,
    clock: kit.clock,
  };
}

export function createFactorParts(o: PeopleFoundation, subjectParts: SubjectParts) {
  const { env, guesses, tenants } = o;
  const { subjects } = subjectParts;
  const passwords = passwordHasher(o);
  const credentialEvents: CredentialEvents = eventPublisher;
  const common = commonParts(o, subjectParts);
  const stagedPasswords = new StagedPasswords({
    ...common,
    invitations: invitationStore,
    passwords,
    minLength: env.PASSWORD_MIN_LENGTH,
    async wordsAbout(of, subjectId) {
      const [tenant, subject] = await Promise.all([tenants.find(of), subjects.find(of, subjectId)]);
      return { names: namesOf(subject?.profile), tenantWords: tenant ? tenantWordsOf(tenant) : [] };
    },
  });
  const secondFactors = new SecondFactors({
    ...common,
    events: credentialEvents,
    guesses,
    keys: o.keys.of('totp'),
    codeKey: o.keptKeys.of('recovery-code'),
  });
  const passkeys = new Passkeys({
    ...common,
    passkeys: passkeyStore,
    events: credentialEvents,
    usedValues: o.usedValues,
    keys: o.keys.of('passkey-challenge'),
    publicOrigin: env.PUBLIC_ORIGIN,
  });
  const invitations = createInvitations(o, common, credentialEvents);
  return { common, passwords, stagedPasswords, secondFactors, invitations, passkeys };
}

function createInvitations(
  { env, keptKeys }: PeopleFoundation,
  common: ReturnType<typeof commonParts>,
  events: CredentialEvents,
): Invitations {
  return new Invitations({
    ...common,
    invitations: invitationStore,
    knowers: stores.knowers,
    passkeys: passkeyStore,
    roles: { of: (tx, tenant, subjectIds) => stores.roleStore.rolesOf(tx, tenant, subjectIds) },
    consents: {
      forget: (tx, tenant, subjectId) => stores.consentStore.forgetConsents(tx, tenant, subjectId),
    },
    events,
    key: keptKeys.of('invitation'),
    issuer: (tenant) => issuerOf(env.PUBLIC_ORIGIN, tenant),
  });
}

function passwordHasher({ env, kit, quicker }: PeopleFoundation): PasswordHasher {
  const passwords = new PasswordHasher({
    concurrency: env.PASSWORD_HASH_CONCURRENCY,
    cost: quicker?.passwordCost ?? passwordCost(env.PASSWORD_HASH_COST),
  });
  new Gauge({
    name: 'auth_password_hashes_waiting',
    help: 'Number of sign-ins that wait for a password hash computation',
    registers: [kit.metrics],
    collect() {
      this.set(passwords.waiting);
    },
  });
  return passwords;
}

/** Counts the results of rehashing passwords after a change of the configured parameters. */
function countedRehashes({ metrics, log }: PeopleFoundation['kit']): NonNullable<LoginOptions['onRehash']> {
  const rehashes = new Counter({
    name: 'auth_password_rehashes_total',
    help: 'Number of password hashes with other parameters than PASSWORD_HASH_COST found at sign-in, by outcome',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  return (outcome, error) => {
    rehashes.inc({ outcome });
    if (error !== undefined)
      log.warn({ event: 'password.rehash_failed', err: error }, 'Password hash could not be upgraded');
  };
}

const createSignInLog = ({ database, kit }: PeopleFoundation): SignInLog =>
  new SignInLog({
    store: new PostgresSignInAttemptStore(database.sql),
    onError: (err) =>
      kit.log.warn({ event: 'sign_in_log.insert_failed', err }, 'An attempt to sign in was not recorded'),
  });

type FactorParts = ReturnType<typeof createFactorParts>;

export function createSignInParts(o: PeopleFoundation, { subjects }: SubjectParts, factors: FactorParts) {
  const { attempts, database, guesses, redis, env, kit } = o;
  const { common, passwords, secondFactors, invitations } = factors;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const signInTally = new SignInTally({
    write: (counts) => addSignInCounts(database.sql, counts),
    clock: kit.clock,
  });
  const sealed = { redis, prefix: env.REDIS_PREFIX, values: o.sealedValues };
  const limits = new SignInLimits({
    known: new RedisKnownNetworks({ ...sealed, names: o.keys.of('network') }),
    attempts,
    guesses,
    tenantFailures: env.SIGN_IN_TENANT_FAILURES,
  });
  return {
    signInTally,
    sessions: new SessionRegister({
      ...common,
      sessions: sessionStore,
      events: eventPublisher,
      grants: o.grants,
      key: o.keptKeys.of('session'),
      idleSeconds: env.SESSION_IDLE_SECONDS,
      absoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
      accessTokenSeconds,
    }),
    signInLog: createSignInLog(o),
    interactions: needingRedis<Interactions>(new RedisInteractions(sealed)),
    login: new Login({
      sql: database.sql,
      credentials: passwordStore,
      subjects,
      passwords,
      limits,
      onOutcome: (tenant, outcome) => signInTally.note(tenant, outcome),
      onRehash: countedRehashes(kit),
    }),
    account: new Account({
      ...common,
      apps: allowedApps,
      strength: { strengthen: strengthenSession },
      passkeys: factors.passkeys,
      secondFactors,
      grants: o.grants,
      tokens: { revokeBy: revokeApiTokensBy },
      invitations: invitationStore,
      subjects: postgresSubjects,
      events: eventPublisher,
      passwords,
      guesses,
      accessTokenSeconds,
    }),
    recovery: new Recovery({ ...common, subjects, secondFactors, invitations, limits }),
  };
}
