import { otherGrants, otherSessions } from '../account/data/index.ts';
import { postgresSecurityLog } from '../audit/data/index.ts';
import type { SecurityLog } from '../audit/index.ts';
import { announceClientsOf } from '../clients/data/index.ts';
import { eventPublisher } from '../events/data/index.ts';
import type { EventPublisher } from '../events/index.ts';
import { holdGrant, postgresConsents } from '../grants/data/index.ts';
import type { ConsentStore } from '../grants/index.ts';
import { postgresApiTokens, postgresServiceAccounts } from '../machines/data/index.ts';
import type { ApiTokenStore, ServiceAccountStore, TokenBasis } from '../machines/index.ts';
import { closeDoorsOf, hasDepartureReport } from '../offboarding/data/index.ts';
import type { DepartureLog, DoorStore, SignInEnds } from '../offboarding/index.ts';
import {
  holdKnowers,
  postgresConnectorOwners,
  postgresCredentialOwners,
  postgresKnownSecrets,
  postgresOwnerChecks,
  postgresOwnerTransfers,
  recordKnown,
} from '../ownership/data/index.ts';
import type {
  ClientAnnouncements,
  ConnectorOwnerStore,
  CredentialOwnerStore,
  Knowers,
  KnownSecretStore,
  OwnerCheckStore,
  OwnerTransferStore,
} from '../ownership/index.ts';
import {
  postgresAdministrators,
  postgresGroupRoleHolders,
  postgresGroupRoles,
  postgresMembershipChecks,
  postgresRoleHolders,
  postgresRoles,
} from '../roles/data/index.ts';
import type {
  AdministratorStore,
  GroupRoleHolderStore,
  GroupRoleStore,
  InvitationEnds,
  MembershipCheckStore,
  RoleHolderStore,
  RoleStore,
} from '../roles/index.ts';
import { endSession, endSessionsOfTenant, holdSession } from '../sessions/data/index.ts';
import { deleteInvitations } from '../sign-in/data/index.ts';
import { postgresSubjects } from '../subjects/data/index.ts';
import type { SubjectStore } from '../subjects/index.ts';
import { postgresTenants } from '../tenants/data/index.ts';
import type { TenantSessionEnds, TenantStore } from '../tenants/index.ts';
import { postgresIssuerSubjects, postgresTrustedIssuers } from '../trust/data/index.ts';
import type { IssuerSubjectStore, TrustedIssuerStore } from '../trust/index.ts';

/** Stateless implementations of ports that receive a transaction. */
export interface Stores {
  securityLog: SecurityLog;
  eventPublisher: EventPublisher;
  subjectStore: SubjectStore;
  doors: DoorStore;
  departureLog: DepartureLog;
  consentStore: ConsentStore;
  signInEnds: SignInEnds;
  sessionEnds: TenantSessionEnds;
  invitationEnds: InvitationEnds;
  tenantStore: TenantStore;
  roleStore: RoleStore;
  administratorStore: AdministratorStore;
  groupRoleStore: GroupRoleStore;
  groupRoleHolders: GroupRoleHolderStore;
  membershipChecks: MembershipCheckStore;
  roleHolderStore: RoleHolderStore;
  credentialOwnerStore: CredentialOwnerStore;
  connectorOwners: ConnectorOwnerStore;
  ownerChecks: OwnerCheckStore;
  ownerTransfers: OwnerTransferStore;
  knownSecrets: KnownSecretStore;
  knowers: Knowers;
  clientAnnouncements: ClientAnnouncements;
  apiTokenStore: ApiTokenStore;
  serviceAccountStore: ServiceAccountStore;
  tokenBasis: TokenBasis;
  issuerSubjectStore: IssuerSubjectStore;
  trustedIssuerStore: TrustedIssuerStore;
}

export const stores: Stores = {
  securityLog: postgresSecurityLog,
  eventPublisher,
  subjectStore: postgresSubjects,
  doors: { close: closeDoorsOf },
  departureLog: { has: hasDepartureReport },
  consentStore: postgresConsents,
  signInEnds: { otherSessions, otherGrants, endSession },
  sessionEnds: { endSessionsOfTenant },
  invitationEnds: { deleteInvitations },
  tenantStore: postgresTenants(announceClientsOf),
  roleStore: postgresRoles,
  administratorStore: postgresAdministrators,
  groupRoleStore: postgresGroupRoles,
  groupRoleHolders: postgresGroupRoleHolders,
  membershipChecks: postgresMembershipChecks,
  roleHolderStore: postgresRoleHolders,
  credentialOwnerStore: postgresCredentialOwners,
  connectorOwners: postgresConnectorOwners,
  ownerChecks: postgresOwnerChecks,
  ownerTransfers: postgresOwnerTransfers,
  knownSecrets: postgresKnownSecrets,
  knowers: { holdKnowers, recordKnown },
  clientAnnouncements: { announceClientsOf },
  apiTokenStore: postgresApiTokens,
  serviceAccountStore: postgresServiceAccounts,
  tokenBasis: { holdGrant, holdSession },
  issuerSubjectStore: postgresIssuerSubjects,
  trustedIssuerStore: postgresTrustedIssuers,
};
