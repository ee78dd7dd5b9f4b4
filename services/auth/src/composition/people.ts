import { issuerOf, type RevocationList } from '@ostiary/access';
import type { EventConsumer } from '@ostiary/events';
import { Gauge, streamSignatures } from '@ostiary/service';
import { type Account, createAccount } from '../account/index.ts';
import { createClientLogos } from '../clients/data/index.ts';
import type { ClientLogos } from '../clients/index.ts';
import type { Continuity } from '../directory-events/data/index.ts';
import { ProjectedSubjects, type SubjectRegister } from '../directory-events/index.ts';
import { createDirectoryEvents } from '../directory-events/jobs/index.ts';
import { postgresFacts } from '../events/data/index.ts';
import { DirectoryFacts } from '../events/index.ts';
import { createSealedNotes, needingRedis, type SealedNotes, type UsedValues } from '../keys/data/index.ts';
import { PostgresGuesses, RedisAttempts } from '../limits/data/index.ts';
import type { Attempts } from '../limits/index.ts';
import { touchServiceAccountKeys } from '../machines/data/index.ts';
import {
  type ApiTokens,
  createApiTokens,
  createServiceAccounts,
  LastUses,
  type ServiceAccounts,
} from '../machines/index.ts';
import type { DeparturePorts } from '../offboarding/index.ts';
import { createDepartureMetrics, type DepartureMetrics } from '../offboarding/jobs/index.ts';
import { DirectoryGroupOwners, DirectoryOwners, type GroupOwners, type Owners } from '../ownership/index.ts';
import {
  DirectoryRoleHolderNotices,
  DirectoryRoleProjection,
  type GroupRoles,
  PrivilegedGroups,
  type RoleHolderNotices,
  type RoleProjection,
} from '../roles/index.ts';
import { createInteractions, type Interactions } from '../sessions/data/index.ts';
import { createSessions, type SessionRegister } from '../sessions/index.ts';
import { addSignInCounts, createKnownNetworks } from '../sign-in/data/index.ts';
import {
  createInvitations,
  createLogin,
  createPasskeys,
  createPasswordHasher,
  createRecovery,
  createSecondFactors,
  createSignInLimits,
  createStagedPasswords,
  endWeakGrants,
  type Invitations,
  type Login,
  namesOf,
  type Passkeys,
  type PasswordHasher,
  type Recovery,
  type SecondFactors,
  SignInTally,
  type StagedPasswords,
  tenantWordsOf,
} from '../sign-in/index.ts';
import { postgresFactCursors } from '../signals/data/index.ts';
import { PostgresRevocationJournal } from '../subjects/data/index.ts';
import { directoryGroups, type RevocationJournal } from '../subjects/index.ts';
import { createBrandings } from '../tenants/data/index.ts';
import { type Brandings, DirectoryTenants, type TenantRegister } from '../tenants/index.ts';
import type { AuthDependencies, Foundation, PeoplePorts, ProtocolPorts } from './dependencies.ts';
import { stores } from './stores.ts';

/** The people half of the service, with all it can do; the protocol half sees it as `PeoplePorts`. */
export interface People extends PeoplePorts {
  tenants: TenantRegister;
  subjects: SubjectRegister;
  groupRoles: GroupRoles;
  roleProjection: RoleProjection;
  roleHolders: RoleHolderNotices;
  owners: Owners;
  groupOwners: GroupOwners;
  sessions: SessionRegister;
  revocations: RevocationJournal;
  interactions: Interactions;
  branding: Brandings;
  clientLogos: ClientLogos;
  attempts: Attempts;
  passwords: PasswordHasher;
  stagedPasswords: StagedPasswords;
  login: Login;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  account: Account;
  invitations: Invitations;
  recovery: Recovery;
  sealedNotes: SealedNotes;
  apiTokens: ApiTokens;
  serviceAccounts: ServiceAccounts;
  serviceAccountKeyUses: LastUses;
  signInTally: SignInTally;
  /** Started by `startJobs`. */
  directoryEvents: EventConsumer;
  departures: DepartureMetrics;
  directoryFacts: DirectoryFacts;
  /** What ends when somebody leaves or loses a right. */
  departure: DeparturePorts;
}

/** What the people's routes, graph and jobs are made from. */
export type PeopleDependencies = Omit<AuthDependencies, keyof PeoplePorts> & People;

/** Builds the people half on the foundation and what the protocol half gives it. */
export function createPeoplePorts(
  o: Foundation &
    Pick<ProtocolPorts, 'grants' | 'safeFetch'> & {
      revocationList: RevocationList;
      usedValues: UsedValues;
      continuity: Continuity;
    },
): People {
  const { database, redis, directory, env, kit } = o;
  const prefix = env.REDIS_PREFIX;
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;

  const revocations = new PostgresRevocationJournal({
    sql: database.sql,
    continuity: o.continuity,
    redis,
    prefix,
    signatures: streamSignatures(env),
    list: o.revocationList,
    accessTokenSeconds,
    log: kit.log,
  });
  const departure = {
    ...stores,
    grants: o.grants,
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
  };
  const departures = createDepartureMetrics(kit);
  const directoryFacts = new DirectoryFacts({ facts: postgresFacts, cursors: postgresFactCursors });
  const roleHolders = new DirectoryRoleHolderNotices({ ...stores, database, directory, log: kit.log });
  const subjects = new ProjectedSubjects({
    ...stores,
    database,
    directory,
    revocations,
    departure,
    roleHolders,
    onDeparture: departures.learnt,
  });
  const groups = directoryGroups(directory);
  const owners = new DirectoryOwners({ ...stores, database, subjects, groups });
  const roleProjection = new DirectoryRoleProjection({
    ...stores,
    database,
    directory: groups,
    subjects,
    departure,
    revocations,
  });
  const groupOwners = new DirectoryGroupOwners({ database, directory: groups, departure, revocations });
  const tenants = new DirectoryTenants({
    ...stores,
    database,
    directory,
    endWeakGrants: (tx, tenant, actor) =>
      endWeakGrants(tx, tenant, { ...stores, grants: o.grants, revocations, ...(actor && { actor }) }),
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
    clock: kit.clock,
  });
  const serviceAccountKeyUses = new LastUses({
    write: (uses) => touchServiceAccountKeys(database.sql, uses),
    clock: kit.clock,
  });
  const signInTally = new SignInTally({
    write: (counts) => addSignInCounts(database.sql, counts),
    clock: kit.clock,
  });
  const attempts = new RedisAttempts(redis, prefix);
  const passwords = createPasswordHasher({ concurrency: env.PASSWORD_HASH_CONCURRENCY });
  new Gauge({
    name: 'auth_password_hashes_waiting',
    help: 'Sign-ins waiting for their turn to have the password hashed',
    registers: [kit.metrics],
    collect() {
      this.set(passwords.waiting);
    },
  });
  const stagedPasswords = createStagedPasswords({
    database,
    passwords,
    departure,
    revocations,
    minLength: env.PASSWORD_MIN_LENGTH,
    async wordsAbout(of, subjectId) {
      const [tenant, subject] = await Promise.all([tenants.find(of), subjects.find(of, subjectId)]);
      return { names: namesOf(subject?.profile), tenantWords: tenant ? tenantWordsOf(tenant) : [] };
    },
  });
  const guesses = new PostgresGuesses(database.sql);
  const sealed = { redis, prefix, values: o.sealedValues };
  const limits = createSignInLimits({
    known: createKnownNetworks({ ...sealed, names: o.keys.of('network') }),
    attempts,
    guesses,
    tenantFailures: env.SIGN_IN_TENANT_FAILURES,
  });
  const secondFactors = createSecondFactors({
    database,
    guesses,
    keys: o.keys.of('totp'),
    codeKey: o.keptKeys.of('recovery-code'),
    clock: kit.clock,
  });
  const invitations = createInvitations({
    database,
    key: o.keptKeys.of('invitation'),
    issuer: (tenant) => issuerOf(env.PUBLIC_ORIGIN, tenant),
    departure,
    revocations,
  });
  return {
    revocations,
    subjects,
    groupRoles: new PrivilegedGroups({
      ...stores,
      database,
      directory: groups,
      projection: roleProjection,
      revocations,
      log: kit.log,
    }),
    roleProjection,
    roleHolders,
    owners,
    groupOwners,
    passwords,
    stagedPasswords,
    tenants,
    sessions: createSessions({
      database,
      revocations,
      grants: o.grants,
      key: o.keptKeys.of('session'),
      idleSeconds: env.SESSION_IDLE_SECONDS,
      absoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
      accessTokenSeconds,
    }),
    interactions: needingRedis(createInteractions(sealed)),
    branding: createBrandings({ database, clock: kit.clock }),
    clientLogos: createClientLogos({
      sql: database.sql,
      fetch: o.safeFetch,
      clock: kit.clock,
      log: kit.log,
    }),
    attempts,
    login: createLogin({
      sql: database.sql,
      subjects,
      passwords,
      limits,
      onOutcome: (tenant, outcome) => signInTally.note(tenant, outcome),
    }),
    signInTally,
    sealedNotes: needingRedis(createSealedNotes(sealed)),
    secondFactors,
    passkeys: createPasskeys({
      database,
      usedValues: o.usedValues,
      keys: o.keys.of('passkey-challenge'),
      publicOrigin: env.PUBLIC_ORIGIN,
      clock: kit.clock,
    }),
    account: createAccount({
      database,
      grants: o.grants,
      departure,
      revocations,
      passwords,
      guesses,
      accessTokenSeconds,
    }),
    invitations,
    recovery: createRecovery({ database, subjects, secondFactors, invitations, limits }),
    apiTokens: createApiTokens({
      ...stores,
      database,
      revocations,
      tenants,
      digestKey: o.keptKeys.of('api-token'),
      accessTokenSeconds,
      clock: kit.clock,
    }),
    serviceAccounts: createServiceAccounts({
      ...stores,
      database,
      revocations,
      accessTokenSeconds,
      clock: kit.clock,
      onKeyUse: (tenant, id) => serviceAccountKeyUses.note(tenant, id),
    }),
    serviceAccountKeyUses,
    departures,
    directoryEvents: createDirectoryEvents(o, {
      subjects,
      tenants,
      stagedPasswords,
      revocations,
      roleProjection,
      groupOwners,
      departures,
      directoryFacts,
      subjectStore: stores.subjectStore,
    }),
    directoryFacts,
    departure,
  };
}
