import { postgresConsents } from '../access/grants/data/consents.ts';
import { holdGrant } from '../access/grants/data/grants.ts';
import type { ConsentStore } from '../access/grants/domain/consents.ts';
import { postgresApiTokens } from '../access/machines/data/api-tokens.ts';
import { postgresServiceAccounts } from '../access/machines/data/service-accounts.ts';
import type { ApiTokenStore } from '../access/machines/domain/api-token-store.ts';
import type { TokenBasis } from '../access/machines/domain/api-tokens.ts';
import type { ServiceAccountStore } from '../access/machines/domain/service-account-store.ts';
import { postgresConnectorOwners } from '../access/ownership/data/connector-owners.ts';
import { postgresCredentialOwners } from '../access/ownership/data/credential-owners.ts';
import { holdKnowers } from '../access/ownership/data/knowers.ts';
import { postgresKnownSecrets, recordKnown } from '../access/ownership/data/known-secrets.ts';
import { postgresOwnerChecks } from '../access/ownership/data/owner-checks.ts';
import { postgresOwnerTransfers } from '../access/ownership/data/owner-transfer.ts';
import type { ConnectorOwnerStore } from '../access/ownership/domain/connector-owner.ts';
import type { CredentialOwnerStore } from '../access/ownership/domain/credential-owner.ts';
import type { OwnerTransferStore } from '../access/ownership/domain/held-credential.ts';
import type { Knowers, KnownSecretStore } from '../access/ownership/domain/known-secret.ts';
import type { OwnerCheckStore } from '../access/ownership/domain/owner-checks.ts';
import type { ClientAnnouncements } from '../access/ownership/domain/owner-going.ts';
import { postgresAdministrators } from '../access/roles/data/administrators.ts';
import { postgresGroupRoleHolders } from '../access/roles/data/group-role-holders.ts';
import { postgresGroupRoles } from '../access/roles/data/group-roles.ts';
import { postgresMembershipChecks } from '../access/roles/data/membership-checks.ts';
import { postgresRoleHolders } from '../access/roles/data/role-holders-notified.ts';
import { postgresRoles } from '../access/roles/data/roles.ts';
import type { GroupRoleHolderStore } from '../access/roles/domain/group-role-holders.ts';
import type { GroupRoleStore } from '../access/roles/domain/group-role-store.ts';
import type { MembershipCheckStore } from '../access/roles/domain/membership-checks.ts';
import type { RoleHolderStore } from '../access/roles/domain/role-holder-store.ts';
import type { InvitationEnds } from '../access/roles/domain/role-holders.ts';
import type { AdministratorStore, RoleStore } from '../access/roles/domain/role-store.ts';
import { announceClientsOf } from '../clients/data/clients.ts';
import { otherGrants, otherSessions } from '../identity/account/account.data.ts';
import { endSession, endSessionsOfTenant, holdSession } from '../identity/sessions/data/sessions.ts';
import { deleteInvitations } from '../identity/sign-in/data/invitations.ts';
import { hasDepartureReport } from '../lifecycle/offboarding/data/departures.ts';
import { closeDoorsOf } from '../lifecycle/offboarding/data/doors.ts';
import type { DepartureLog, DoorStore, SignInEnds } from '../lifecycle/offboarding/domain/departure.ts';
import { postgresIssuerSubjects } from '../oauth/trust/data/issuer-subjects.ts';
import { postgresTrustedIssuers } from '../oauth/trust/data/trusted-issuers.ts';
import type { IssuerSubjectStore } from '../oauth/trust/domain/issuer-subject-store.ts';
import type { TrustedIssuerStore } from '../oauth/trust/domain/trusted-issuer-store.ts';
import type { SecurityLog } from '../platform/audit/domain/security-log.ts';
import { postgresSecurityLog } from '../platform/audit/security-log.data.ts';
import { eventPublisher } from '../tenancy/events/data/event-publisher.ts';
import type { EventPublisher } from '../tenancy/events/domain/event-publisher.ts';
import { postgresTenants } from '../tenancy/tenants/data/tenants.ts';
import type { TenantStore } from '../tenancy/tenants/domain/tenant-store.ts';
import type { TenantSessionEnds } from '../tenancy/tenants/domain/tenants.ts';
import { postgresSubjects } from '../tenancy/users/data/subjects.ts';
import type { SubjectStore } from '../tenancy/users/domain/subject-store.ts';

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
