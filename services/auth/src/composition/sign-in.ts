import { issuerOf } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { Counter, Gauge } from '@ostiary/service';
import { allowedApps, strengthenSession } from '../account/data/index.ts';
import { Account } from '../account/index.ts';
import { postgresSecurityLog } from '../audit/data/index.ts';
import { eventPublisher } from '../events/data/index.ts';
import { needingRedis, SealedNotes } from '../keys/data/index.ts';
import { PostgresGuesses, RedisAttempts } from '../limits/data/index.ts';
import { revokeApiTokensBy } from '../machines/data/index.ts';
import { closeDoors, endSignIns } from '../offboarding/index.ts';
import { sessionLocks, sessionStore } from '../sessions/data/index.ts';
import { SessionRegister } from '../sessions/index.ts';
import {
  addSignInCounts,
  invitationStore,
  passkeyStore,
  passwordStore,
  RedisInteractions,
  RedisKnownNetworks,
  secondFactorStore,
} from '../sign-in/data/index.ts';
import {
  type AccessEnding,
  type CredentialEvents,
  type Interactions,
  Invitations,
  Login,
  type LoginOptions,
  namesOf,
  Passkeys,
  PasswordHasher,
  passwordCost,
  Recovery,
  SecondFactors,
  SignInLimits,
  SignInTally,
  StagedPasswords,
  tenantWordsOf,
} from '../sign-in/index.ts';
import { PostgresSignInAttemptStore } from '../sign-in-log/data/index.ts';
import { SignInLog } from '../sign-in-log/index.ts';
import { postgresSubjects } from '../subjects/data/index.ts';
import type { TenantRegister } from '../tenants/index.ts';
import { stores } from './stores.ts';

import type { createSubjectParts, PeopleFoundation } from './subjects.ts';

type SubjectParts = ReturnType<typeof createSubjectParts>;

/** Dependencies shared by sign-in, sessions and the account. */
function commonParts({ database, kit }: PeopleFoundation, { departure, revocations }: SubjectParts) {
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

export function createFactorParts(o: PeopleFoundation, subjectParts: SubjectParts, tenants: TenantRegister) {
  const { database, env } = o;
  const { subjects } = subjectParts;
  const passwords = passwordHasher(o);
  const credentialEvents: CredentialEvents = eventPublisher;
  const common = commonParts(o, subjectParts);
  const guesses = new PostgresGuesses(database.sql);
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
  return { common, guesses, passwords, stagedPasswords, secondFactors, invitations, passkeys };
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
  const { database, redis, env, kit } = o;
  const { common, guesses, passwords, secondFactors, invitations } = factors;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const attempts = new RedisAttempts(redis, env.REDIS_PREFIX);
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
    attempts,
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
    sealedNotes: needingRedis(new SealedNotes(sealed)),
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
