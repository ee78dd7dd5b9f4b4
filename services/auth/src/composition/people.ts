import { issuerOf, type RevocationList } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import type { EventConsumer } from '@ostiary/events';
import { Gauge, streamSignatures } from '@ostiary/service';
import { allowedApps, strengthenSession } from '../account/data/index.ts';
import { Account } from '../account/index.ts';
import { postgresSecurityLog } from '../audit/data/index.ts';
import { createClientLogos } from '../clients/data/index.ts';
import type { ClientLogos } from '../clients/index.ts';
import type { Continuity } from '../directory-events/data/index.ts';
import { ProjectedSubjects, type SubjectRegister } from '../directory-events/index.ts';
import { createDirectoryEvents } from '../directory-events/jobs/index.ts';
import { eventPublisher, postgresFacts } from '../events/data/index.ts';
import { DirectoryFacts } from '../events/index.ts';
import { createSealedNotes, needingRedis, type SealedNotes, type UsedValues } from '../keys/data/index.ts';
import { PostgresGuesses, RedisAttempts } from '../limits/data/index.ts';
import type { Attempts } from '../limits/index.ts';
import { revokeApiTokensBy, touchServiceAccountKeys } from '../machines/data/index.ts';
import {
  type ApiTokens,
  createApiTokens,
  createServiceAccounts,
  LastUses,
  type ServiceAccounts,
} from '../machines/index.ts';
import { AuthorizationFlow, type Consents } from '../oauth/http/index.ts';
import { closeDoors, type DeparturePorts, endSignIns, roleRemoved } from '../offboarding/index.ts';
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
import { PostgresSessionList, sessionLocks, sessionStore } from '../sessions/data/index.ts';
import { type SessionList, SessionRegister } from '../sessions/index.ts';
import {
  addSignInCounts,
  createKnownNetworks,
  invitationStore,
  passkeyStore,
  passwordStore,
  RedisInteractions,
  secondFactorStore,
} from '../sign-in/data/index.ts';
import type { AuthorizationSteps, InternalSignInDependencies } from '../sign-in/http/index.ts';
import {
  type AccessEnding,
  type CredentialEvents,
  createSignInLimits,
  endWeakGrants,
  type Interactions,
  Invitations,
  Login,
  namesOf,
  Passkeys,
  PasswordHasher,
  Recovery,
  SecondFactors,
  SignInTally,
  StagedPasswords,
  tenantWordsOf,
} from '../sign-in/index.ts';
import { postgresFactCursors } from '../signals/data/index.ts';
import { PostgresRevocationJournal, postgresSubjects } from '../subjects/data/index.ts';
import { directoryGroups, type RevocationJournal } from '../subjects/index.ts';
import { createBrandings } from '../tenants/data/index.ts';
import { type Brandings, DirectoryTenants, type TenantRegister } from '../tenants/index.ts';
import { postgresNodes } from '../upkeep/data/index.ts';
import type { Nodes } from '../upkeep/index.ts';
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
  sessionList: SessionList;
  nodes: Nodes;
  revocations: RevocationJournal;
  interactions: Interactions;
  consents: Consents;
  authorization: AuthorizationSteps;
  /** The roles that users have. */
  roles: InternalSignInDependencies['roles'];
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
    Pick<
      ProtocolPorts,
      | 'grants'
      | 'safeFetch'
      | 'clients'
      | 'subjectIdentifier'
      | 'idTokens'
      | 'deviceAuthorizations'
      | 'pushedRequests'
      | 'authorizationCodes'
      | 'issuer'
    > & {
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
    departure: {
      ...stores,
      endIssued: async (tx, tenant, subjectId) =>
        (await closeDoors(tx, tenant, subjectId, roleRemoved, departure)).revocations,
    },
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
  const passwords = new PasswordHasher({ concurrency: env.PASSWORD_HASH_CONCURRENCY });
  new Gauge({
    name: 'auth_password_hashes_waiting',
    help: 'Sign-ins waiting for their turn to have the password hashed',
    registers: [kit.metrics],
    collect() {
      this.set(passwords.waiting);
    },
  });
  const access: AccessEnding = {
    endEverything: (tx: Sql, tenant, subjectId, reason) =>
      closeDoors(tx, tenant, subjectId, reason, departure),
    endSignIns: (tx: Sql, tenant, who, reason) => endSignIns(tx, tenant, who, reason, departure),
  };
  const credentialEvents: CredentialEvents = eventPublisher;
  /** What the services of sign-in, sessions and the account all stand on. */
  const common = {
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
  const guesses = new PostgresGuesses(database.sql);
  const sealed = { redis, prefix, values: o.sealedValues };
  const limits = createSignInLimits({
    known: createKnownNetworks({ ...sealed, names: o.keys.of('network') }),
    attempts,
    guesses,
    tenantFailures: env.SIGN_IN_TENANT_FAILURES,
  });
  const secondFactors = new SecondFactors({
    ...common,
    events: credentialEvents,
    guesses,
    keys: o.keys.of('totp'),
    codeKey: o.keptKeys.of('recovery-code'),
  });
  const invitations = new Invitations({
    ...common,
    invitations: invitationStore,
    passkeys: passkeyStore,
    roles: { of: (tx, tenant, subjectIds) => stores.roleStore.rolesOf(tx, tenant, subjectIds) },
    consents: {
      forget: (tx, tenant, subjectId) => stores.consentStore.forgetConsents(tx, tenant, subjectId),
    },
    events: credentialEvents,
    key: o.keptKeys.of('invitation'),
    issuer: (tenant) => issuerOf(env.PUBLIC_ORIGIN, tenant),
  });
  const passkeys = new Passkeys({
    ...common,
    passkeys: passkeyStore,
    events: credentialEvents,
    usedValues: o.usedValues,
    keys: o.keys.of('passkey-challenge'),
    publicOrigin: env.PUBLIC_ORIGIN,
  });
  const consents: Consents = {
    given: (tenant, subjectId, clientId) =>
      stores.consentStore.consentedScopes(database.sql, tenant, subjectId, clientId),
    remember: (tenant, user, clientId, scopes) =>
      stores.consentStore.rememberConsent(database.sql, tenant, user, clientId, scopes),
  };
  const authorization = new AuthorizationFlow({
    clock: kit.clock,
    tenants,
    subjects,
    secondFactors,
    consents,
    clients: o.clients,
    subjectIdentifier: o.subjectIdentifier,
    idTokens: o.idTokens,
    deviceAuthorizations: o.deviceAuthorizations,
    pushedRequests: o.pushedRequests,
    authorizationCodes: o.authorizationCodes,
    issuer: o.issuer,
  });
  return {
    consents,
    authorization,
    roles: { of: (tenant, subjectIds) => stores.roleStore.rolesOf(database.sql, tenant, subjectIds) },
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
    nodes: postgresNodes(database.sql, env.SESSION_IDLE_SECONDS),
    sessionList: new PostgresSessionList({ sql: database.sql, idleSeconds: env.SESSION_IDLE_SECONDS }),
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
    interactions: needingRedis<Interactions>(new RedisInteractions(sealed)),
    branding: createBrandings({ database, clock: kit.clock }),
    clientLogos: createClientLogos({
      sql: database.sql,
      fetch: o.safeFetch,
      clock: kit.clock,
      log: kit.log,
    }),
    attempts,
    login: new Login({
      sql: database.sql,
      credentials: passwordStore,
      subjects,
      passwords,
      limits,
      onOutcome: (tenant, outcome) => signInTally.note(tenant, outcome),
    }),
    signInTally,
    sealedNotes: needingRedis(createSealedNotes(sealed)),
    secondFactors,
    passkeys,
    account: new Account({
      ...common,
      apps: allowedApps,
      strength: { strengthen: strengthenSession },
      passkeys,
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
    invitations,
    recovery: new Recovery({ ...common, subjects, secondFactors, invitations, limits }),
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
