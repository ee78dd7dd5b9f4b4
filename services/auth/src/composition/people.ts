import type { EventConsumer } from '@ostiary/events';
import { touchServiceAccountKeys } from '../access/machines/data/service-accounts.ts';
import { type ApiTokens, IssuedApiTokens } from '../access/machines/domain/api-tokens.ts';
import { LastUses } from '../access/machines/domain/last-uses.ts';
import {
  RegisteredServiceAccounts,
  type ServiceAccounts,
} from '../access/machines/domain/service-accounts.ts';
import type { GroupOwners } from '../access/ownership/domain/group-owners.ts';
import type { Owners } from '../access/ownership/domain/owners.ts';
import type { GroupRoles } from '../access/roles/domain/group-roles.ts';
import type { RoleHolderNotices } from '../access/roles/domain/role-holder-notices.ts';
import type { RoleProjection } from '../access/roles/domain/role-projection.ts';
import { FetchedClientLogos } from '../clients/data/client-logos.ts';
import type { ClientLogos } from '../clients/domain/client-logos.ts';
import type { Account } from '../identity/account/account.ts';
import { PostgresSessionList } from '../identity/sessions/data/session-list.ts';
import type { SessionList } from '../identity/sessions/domain/session-list.ts';
import type { SessionRegister } from '../identity/sessions/domain/sessions.ts';
import type { Interactions } from '../identity/sign-in/domain/interaction.ts';
import type { Invitations } from '../identity/sign-in/domain/invitations.ts';
import type { Login } from '../identity/sign-in/domain/login.ts';
import type { Passkeys } from '../identity/sign-in/domain/passkeys.ts';
import type { PasswordHasher } from '../identity/sign-in/domain/password.ts';
import type { Recovery } from '../identity/sign-in/domain/recovery.ts';
import type { SecondFactors } from '../identity/sign-in/domain/second-factors.ts';
import type { SignInTally } from '../identity/sign-in/domain/sign-in-tally.ts';
import type { StagedPasswords } from '../identity/sign-in/domain/staged-passwords.ts';
import type { AuthorizationSteps } from '../identity/sign-in/http/authorization-flow.ts';
import type { InternalSignInDependencies } from '../identity/sign-in/http/dependencies.ts';
import type { SignInLog } from '../identity/sign-in-log/domain/sign-in-log.ts';
import { createDirectoryEvents } from '../lifecycle/directory-events/directory-events.jobs.ts';
import type { SubjectRegister } from '../lifecycle/directory-events/subjects.ts';
import type { Nodes } from '../lifecycle/maintenance/nodes.ts';
import type { DepartureMetrics } from '../lifecycle/offboarding/departure-metrics.jobs.ts';
import type { DeparturePorts } from '../lifecycle/offboarding/domain/departure.ts';
import { postgresNodes } from '../maintenance.ts';
import { AuthorizationFlow } from '../oauth/http/authorization-flow.ts';
import type { Consents } from '../oauth/http/dependencies.ts';
import type { AuthDependencies, PeoplePorts } from './dependencies.ts';
import { createFactorParts, createSignInParts } from './sign-in.ts';
import { stores } from './stores.ts';
import { createGroupParts, createSubjectParts, type PeopleFoundation } from './subjects.ts';

/** The user half of the service. The protocol half sees it as `PeoplePorts`. */
export interface People extends PeoplePorts {
  subjects: SubjectRegister;
  groupRoles: GroupRoles;
  roleProjection: RoleProjection;
  roleHolders: RoleHolderNotices;
  owners: Owners;
  groupOwners: GroupOwners;
  sessions: SessionRegister;
  sessionList: SessionList;
  nodes: Nodes;
  interactions: Interactions;
  consents: Consents;
  authorization: AuthorizationSteps;
  roles: InternalSignInDependencies['roles'];
  clientLogos: ClientLogos;
  passwords: PasswordHasher;
  stagedPasswords: StagedPasswords;
  login: Login;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  account: Account;
  invitations: Invitations;
  recovery: Recovery;
  apiTokens: ApiTokens;
  serviceAccounts: ServiceAccounts;
  serviceAccountKeyUses: LastUses;
  signInTally: SignInTally;
  signInLog: SignInLog;
  /** Started by `startJobs`. */
  directoryEvents: EventConsumer;
  departures: DepartureMetrics;
  /** Revokes access when a user is offboarded or loses a right. */
  departure: DeparturePorts;
}

export type PeopleDependencies = Omit<AuthDependencies, keyof PeoplePorts> & People;

export function createPeoplePorts(o: PeopleFoundation): People {
  const { database, env, kit, tenants } = o;
  const known = createSubjectParts(o);
  const ofGroups = createGroupParts(o, known);
  const factors = createFactorParts(o, known);
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
    ...createMachineParts(o),
    consents,
    authorization,
    roles: { of: (tenant, subjectIds) => stores.roleStore.rolesOf(database.sql, tenant, subjectIds) },
    nodes: postgresNodes(database.sql, env.SESSION_IDLE_SECONDS),
    sessionList: new PostgresSessionList({ sql: database.sql, idleSeconds: env.SESSION_IDLE_SECONDS }),
    clientLogos: new FetchedClientLogos({
      sql: database.sql,
      fetch: o.safeFetch,
      clock: kit.clock,
      log: kit.log,
    }),
    directoryEvents: createDirectoryEvents(o, {
      ...o,
      ...known,
      ...ofGroups,
      stagedPasswords,
    }),
  };
}

function createMachineParts({ database, env, kit, keptKeys, revocations, tenants }: PeopleFoundation) {
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
