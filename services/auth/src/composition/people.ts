import { issuerOf, type RevocationList } from '@ostiary/access';
import type { EventConsumer } from '@ostiary/events';
import { Gauge, streamSignatures } from '@ostiary/service';
import { type Account, createAccount } from '../account/domain/account.ts';
import { type ClientLogos, createClientLogos } from '../clients/data/client-logos.ts';
import { needingRedis } from '../keys/data/needing-redis.ts';
import { createSealedNotes, type SealedNotes } from '../keys/data/sealed-notes.ts';
import type { UsedValues } from '../keys/data/used-values.ts';
import { type Attempts, createAttempts } from '../limits/data/attempts.ts';
import { createGuesses } from '../limits/data/guesses.ts';
import { touchServiceAccountKeys } from '../machines/data/service-accounts.ts';
import { type ApiTokens, createApiTokens } from '../machines/domain/api-tokens.ts';
import { LastUses } from '../machines/domain/last-uses.ts';
import { createServiceAccounts, type ServiceAccounts } from '../machines/domain/service-accounts.ts';
import type { Continuity } from '../offboarding/data/continuity.ts';
import { createSubjects, type SubjectRegister } from '../offboarding/domain/subjects.ts';
import { createDepartureMetrics, type DepartureMetrics } from '../offboarding/jobs/departure-metrics.ts';
import { createDirectoryEvents } from '../offboarding/jobs/directory-events.ts';
import { createGroupOwners, type GroupOwners } from '../ownership/domain/group-owners.ts';
import { createOwners, type Owners } from '../ownership/domain/owners.ts';
import { createGroupRoles, forgetGroups, type GroupRoles } from '../roles/domain/group-roles.ts';
import { createRoleHolderNotices, type RoleHolderNotices } from '../roles/domain/role-holder-notices.ts';
import { createRoleProjection, type RoleProjection } from '../roles/domain/role-projection.ts';
import { createInteractions, type Interactions } from '../sessions/data/interactions.ts';
import { createSessions, type SessionRegister } from '../sessions/domain/sessions.ts';
import { createKnownNetworks } from '../sign-in/data/known-networks.ts';
import { addSignInCounts } from '../sign-in/data/sign-in-counts.ts';
import { createInvitations, type Invitations } from '../sign-in/domain/invitations.ts';
import { createLogin, type Login } from '../sign-in/domain/login.ts';
import { namesOf, tenantWordsOf } from '../sign-in/domain/new-password.ts';
import { createPasskeys, type Passkeys } from '../sign-in/domain/passkeys.ts';
import { createPasswordHasher, type PasswordHasher } from '../sign-in/domain/password.ts';
import { createRecovery, type Recovery } from '../sign-in/domain/recovery.ts';
import { createSecondFactors, type SecondFactors } from '../sign-in/domain/second-factors.ts';
import { createSignInLimits } from '../sign-in/domain/sign-in-limits.ts';
import { SignInTally } from '../sign-in/domain/sign-in-tally.ts';
import { createStagedPasswords, type StagedPasswords } from '../sign-in/domain/staged-passwords.ts';
import { createRevocationJournal, type RevocationJournal } from '../subjects/data/revocation-journal.ts';
import { directoryGroups } from '../subjects/domain/directory-groups.ts';
import { type Brandings, createBrandings } from '../tenants/data/branding.ts';
import { createTenants, type TenantRegister } from '../tenants/domain/tenants.ts';
import type { AuthDependencies, Foundation, PeoplePorts, ProtocolPorts } from './ports.ts';

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

  const revocations = createRevocationJournal({
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
    grants: o.grants,
    revocations,
    accessTokenSeconds,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
  };
  const departures = createDepartureMetrics(kit);
  const roleHolders = createRoleHolderNotices({ database, directory, log: kit.log });
  const subjects = createSubjects({
    database,
    directory,
    revocations,
    departure,
    roleHolders,
    onDeparture: departures.learnt,
  });
  const groups = directoryGroups(directory);
  const owners = createOwners({ database, subjects, groups });
  const roleProjection = createRoleProjection({
    database,
    directory: groups,
    subjects,
    departure,
    revocations,
    forgetGroups,
  });
  const groupOwners = createGroupOwners({ database, directory: groups, departure, revocations });
  const tenants = createTenants({
    database,
    directory,
    grants: o.grants,
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
  const attempts = createAttempts(redis, prefix);
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
  const guesses = createGuesses(database.sql);
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
    groupRoles: createGroupRoles({
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
      database,
      revocations,
      tenants,
      digestKey: o.keptKeys.of('api-token'),
      accessTokenSeconds,
      clock: kit.clock,
    }),
    serviceAccounts: createServiceAccounts({
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
    }),
  };
}
