import type { EventConsumer } from '@ostiary/events';
import type { Account } from '../account/index.ts';
import { FetchedClientLogos } from '../clients/data/index.ts';
import type { ClientLogos } from '../clients/index.ts';
import type { SubjectRegister } from '../directory-events/index.ts';
import { createDirectoryEvents } from '../directory-events/jobs/index.ts';
import type { DirectoryFacts } from '../events/index.ts';
import type { SealedNotes } from '../keys/data/index.ts';
import type { Attempts } from '../limits/index.ts';
import { touchServiceAccountKeys } from '../machines/data/index.ts';
import {
  type ApiTokens,
  IssuedApiTokens,
  LastUses,
  RegisteredServiceAccounts,
  type ServiceAccounts,
} from '../machines/index.ts';
import { AuthorizationFlow, type Consents } from '../oauth/http/index.ts';
import type { DeparturePorts } from '../offboarding/index.ts';
import type { DepartureMetrics } from '../offboarding/jobs/index.ts';
import type { GroupOwners, Owners } from '../ownership/index.ts';
import type { GroupRoles, RoleHolderNotices, RoleProjection } from '../roles/index.ts';
import { PostgresSessionList } from '../sessions/data/index.ts';
import type { SessionList, SessionRegister } from '../sessions/index.ts';
import type { AuthorizationSteps, InternalSignInDependencies } from '../sign-in/http/index.ts';
import type {
  Interactions,
  Invitations,
  Login,
  Passkeys,
  PasswordHasher,
  Recovery,
  SecondFactors,
  SignInTally,
  StagedPasswords,
} from '../sign-in/index.ts';
import type { SignInLog } from '../sign-in-log/index.ts';
import type { FeedWaiting, RevocationJournal } from '../subjects/index.ts';
import { PostgresBrandings } from '../tenants/data/index.ts';
import type { Brandings, TenantRegister } from '../tenants/index.ts';
import { postgresNodes } from '../upkeep/data/index.ts';
import type { Nodes } from '../upkeep/index.ts';
import type { AuthDependencies, PeoplePorts } from './dependencies.ts';
import { createFactorParts, createSignInParts } from './sign-in.ts';
import { stores } from './stores.ts';
import {
  createGroupParts,
  createSubjectParts,
  createTenantRegister,
  type PeopleFoundation,
} from './subjects.ts';

/** The user half of the service. The protocol half sees it as `PeoplePorts`. */
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
  feedWaiting: FeedWaiting;
  interactions: Interactions;
  consents: Consents;
  authorization: AuthorizationSteps;
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
  signInLog: SignInLog;
  /** Started by `startJobs`. */
  directoryEvents: EventConsumer;
  departures: DepartureMetrics;
  directoryFacts: DirectoryFacts;
  /** Revokes access when a user is offboarded or loses a right. */
  departure: DeparturePorts;
}

export type PeopleDependencies = Omit<AuthDependencies, keyof PeoplePorts> & People;

export function createPeoplePorts(o: PeopleFoundation): People {
  const { database, env, kit, tenantChanges } = o;
  const known = createSubjectParts(o);
  const ofGroups = createGroupParts(o, known);
  const tenants = createTenantRegister(o, known);
  const factors = createFactorParts(o, known, tenants);
  const { stagedPasswords, secondFactors } = factors;
  const { subjects } = known;
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
    ...known,
    ...ofGroups,
    passwords: factors.passwords,
    stagedPasswords,
    secondFactors,
    invitations: factors.invitations,
    passkeys: factors.passkeys,
    ...createSignInParts(o, known, factors),
    ...createMachineParts(o, known, tenants),
    tenants,
    consents,
    authorization,
    roles: { of: (tenant, subjectIds) => stores.roleStore.rolesOf(database.sql, tenant, subjectIds) },
    nodes: postgresNodes(database.sql, env.SESSION_IDLE_SECONDS),
    sessionList: new PostgresSessionList({ sql: database.sql, idleSeconds: env.SESSION_IDLE_SECONDS }),
    branding: new PostgresBrandings({ database, tenantChanges, clock: kit.clock }),
    clientLogos: new FetchedClientLogos({
      sql: database.sql,
      fetch: o.safeFetch,
      clock: kit.clock,
      log: kit.log,
    }),
    directoryEvents: createDirectoryEvents(o, {
      ...known,
      ...ofGroups,
      tenants,
      stagedPasswords,
      subjectStore: stores.subjectStore,
    }),
  };
}

type SubjectParts = ReturnType<typeof createSubjectParts>;

function createMachineParts(
  { database, env, kit, keptKeys }: PeopleFoundation,
  { revocations }: SubjectParts,
  tenants: TenantRegister,
) {
  const accessTokenSeconds = env.ACCESS_TOKEN_TTL_SECONDS;
  const serviceAccountKeyUses = new LastUses({
    write: (uses) => touchServiceAccountKeys(database.sql, uses),
    clock: kit.clock,
  });
  return {
    serviceAccountKeyUses,
    apiTokens: new IssuedApiTokens({
      ...stores,
      database,
      revocations,
      tenants,
      digestKey: keptKeys.of('api-token'),
      accessTokenSeconds,
      clock: kit.clock,
    }),
    serviceAccounts: new RegisteredServiceAccounts({
      ...stores,
      database,
      revocations,
      accessTokenSeconds,
      clock: kit.clock,
      onKeyUse: (tenant, id) => serviceAccountKeyUses.note(tenant, id),
    }),
  };
}
