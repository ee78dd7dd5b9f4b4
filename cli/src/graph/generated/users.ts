// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Postal address. */
export type AddressInput = {
  /** Country code (ISO 3166-1 alpha-2). */
  country?: string | null | undefined;
  /** Complete address, formatted for display or a label. */
  formatted?: string | null | undefined;
  /** City or place. */
  locality?: string | null | undefined;
  /** Postal code. */
  postalCode?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** State or region. */
  region?: string | null | undefined;
  /** Street and number; may have several lines. */
  streetAddress?: string | null | undefined;
  /** Type of the address, for example work, home or other. */
  type?: string | null | undefined;
};

/** Statuses of a connector. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are rejected. */
  | 'DISABLED';

/** Email address or telephone number. */
export type ContactInput = {
  /** Display text. */
  display?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** Type, for example work or home. */
  type?: string | null | undefined;
  /** Address or number. */
  value: string;
};

/** Input of `createUser`. */
export type CreateUserInput = {
  /** Whether the user can sign in. Default: true. */
  active?: boolean | null | undefined;
  /** Postal addresses. */
  addresses?: Array<AddressInput> | null | undefined;
  /** Display name. */
  displayName?: string | null | undefined;
  /** Email addresses. */
  emails?: Array<ContactInput> | null | undefined;
  /** Entitlements of the user, without effect on access in this system. */
  entitlements?: Array<LabelledValueInput> | null | undefined;
  /** Attributes of the schemas of the tenant and of EnterpriseUser, by schema URN. */
  extensions?: unknown;
  /** Caller's own id for the user. */
  externalId?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Instant messaging addresses. */
  ims?: Array<LabelledValueInput> | null | undefined;
  /** Locale for dates, numbers and currencies. */
  locale?: string | null | undefined;
  /** Parts of the name. */
  name?: PersonNameInput | null | undefined;
  /** Casual name of the user. */
  nickName?: string | null | undefined;
  /** Telephone numbers. */
  phoneNumbers?: Array<ContactInput> | null | undefined;
  /** URLs of pictures of the user. */
  photos?: Array<LabelledValueInput> | null | undefined;
  /** Preferred language. */
  preferredLanguage?: string | null | undefined;
  /** URL of a page about the user. */
  profileUrl?: string | null | undefined;
  /** SCIM attribute `roles`, without effect on access in this system. */
  scimRoles?: Array<LabelledValueInput> | null | undefined;
  /** Time zone. */
  timezone?: string | null | undefined;
  /** Title of the user. */
  title?: string | null | undefined;
  /** Name with which the user signs in. */
  userName: string;
  /** Relationship of the user to the organization. */
  userType?: string | null | undefined;
  /** Certificates in DER, encoded in Base64. */
  x509Certificates?: Array<LabelledValueInput> | null | undefined;
};

/** States of a delivery. */
export type DeliveryState =
  /** No longer attempted; can be replayed. */
  | 'DEAD'
  /** Accepted by the receiver. */
  | 'DELIVERED'
  /** Waits for the delivery of earlier events. */
  | 'HELD'
  /** Waits for its first or next attempt. */
  | 'PENDING';

/** Triggers of an offboarding. */
export type DepartureTrigger =
  /** The authorization server queried the directory, and the user was not active. */
  | 'DIRECTORY_ASKED'
  /** The user was deactivated. */
  | 'USER_DEACTIVATED'
  /** The user was deleted. */
  | 'USER_DELETED'
  /** The user was deactivated and reactivated, and the event of the reactivation arrived first. */
  | 'USER_REACTIVATED';

/** Kinds of access paths of a user. */
export type DoorName =
  /** Access tokens. */
  | 'ACCESS_TOKENS'
  /** API keys that only the user owned. */
  | 'API_KEYS'
  /** Authorization codes that were not redeemed. */
  | 'AUTHORIZATION_CODES'
  /** Clients that only the user owned; revoked, suspended or transferred as the tenant policy `ownedCredentialsOnOffboarding` defines. */
  | 'CLIENTS'
  /** Connectors that only the user owned. Reported when the provisioning service has revoked, suspended or transferred them. */
  | 'CONNECTORS'
  /** Delegations to agents, which act for the user. */
  | 'DELEGATIONS'
  /** Device codes that the user approved and that were not redeemed. */
  | 'DEVICE_CODES'
  /** Tokens that services received in exchange for tokens of the user, or in which the user is the actor for another user. */
  | 'EXCHANGED_TOKENS'
  /** Grants to clients. */
  | 'GRANTS'
  /** Initial access tokens that the user created. */
  | 'INITIAL_ACCESS_TOKENS'
  /** Links to set up or reset the account. */
  | 'INVITATIONS'
  /** Secrets of clients and service accounts of other owners, issuers, bindings and invitations that the user received or supplied. */
  | 'KNOWN_SECRETS'
  /** Personal access tokens. */
  | 'PERSONAL_ACCESS_TOKENS'
  /** Refresh tokens of clients, each counted once with all its rotations. */
  | 'REFRESH_TOKENS'
  /** Service accounts that only the user owned, with their keys. */
  | 'SERVICE_ACCOUNTS'
  /** Browser sessions. */
  | 'SESSIONS'
  /** Sign-in with any credential: rejected until the user is reactivated. Sign-ins in progress end. */
  | 'SIGN_IN'
  /** Open GraphQL subscriptions. They end when the gateways receive the revocation. */
  | 'SUBSCRIPTIONS';

/** Input of `inviteUser`. */
export type InviteUserInput = {
  /** Lifetime of the link in seconds, 60 to 2592000 (30 days). Default: `SignInSettings.invitationSeconds`. */
  expiresInSeconds?: number | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Id of the user. */
  userId: string;
};

/** Value of a multi-valued attribute (RFC 7643 section 2.4), for example a picture, an instant messaging address or an entitlement. */
export type LabelledValueInput = {
  /** Display text. */
  display?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** Type or purpose of the value. */
  type?: string | null | undefined;
  /** Value. */
  value: string;
};

/** Parts of a name. */
export type PersonNameInput = {
  /** Family name. */
  familyName?: string | null | undefined;
  /** Full name, formatted for display. */
  formatted?: string | null | undefined;
  /** Given name. */
  givenName?: string | null | undefined;
  /** Honorific prefix, for example Ms. */
  honorificPrefix?: string | null | undefined;
  /** Honorific suffix, for example III. */
  honorificSuffix?: string | null | undefined;
  /** Middle names. */
  middleName?: string | null | undefined;
};

/** Kinds of problems. */
export type ProblemCode =
  /** The change conflicts with the current state. */
  | 'CONFLICT'
  /** The idempotency key was used for another change. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A value of the input is invalid. */
  | 'INVALID_INPUT'
  /** The input refers to an object that does not exist. */
  | 'NOT_FOUND'
  /** Another object already has the value. */
  | 'NOT_UNIQUE'
  /** The object is at another version than the change is based on. */
  | 'VERSION_CONFLICT';

/** Kinds of receivers. */
export type ReceiverKind =
  /** Client that receives logout tokens (OpenID Connect Back-Channel Logout). */
  | 'BACKCHANNEL_LOGOUT'
  /** Security event stream (Shared Signals). */
  | 'SSF'
  /** Webhook. */
  | 'WEBHOOK';

/** Role of a user in the tenant, which allows access beyond the user's own account. */
export type Role =
  /** Reading everything, including the audit log and the provisioning log, without changes. */
  | 'AUDITOR'
  /** Reading users and groups, revoking sessions of users, and sending users a link to sign in again. Excludes users with a role. */
  | 'HELP_DESK'
  /** All scopes of the API of the tenant. */
  | 'TENANT_ADMIN';

/** Input of `assignRole` and `removeRole`. */
export type RoleInput = {
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /**
   * For `assignRole` only: if the role does not count after a sign-in method of the user, revokes all sign-in methods of
   * the user and everything issued to the user, as `resetUserAccess` with `compromised` does, and returns the link with
   * which the user sets new ones (`renewalUrl`). Requires `users:write` or `access:write` in addition. Default: false.
   */
  requireRenewal?: boolean | null | undefined;
  /** The role. */
  role: Role;
  /** Id of the user. */
  userId: string;
};

/** Kinds of secrets that are revoked with the user who received or supplied them. */
export type SecretKind =
  /** API key. */
  | 'API_KEY'
  /** Public keys of a client, or the URL where it publishes them. */
  | 'CLIENT_KEYS'
  /** Secret of a client. */
  | 'CLIENT_SECRET'
  /** Token of a connector. */
  | 'CONNECTOR_TOKEN'
  /** Initial access token (RFC 7591). */
  | 'INITIAL_ACCESS_TOKEN'
  /** Link with which a user sets sign-in credentials. */
  | 'INVITATION'
  /** Binding of a subject of a trusted issuer to a user. */
  | 'ISSUER_SUBJECT'
  /** Registration access token (RFC 7592). */
  | 'REGISTRATION_ACCESS_TOKEN'
  /** Public key of a service account. */
  | 'SERVICE_ACCOUNT_KEY'
  /** URL of a push stream (SSF 1.0) with its authorization header. With its revocation, the stream is paused and its events are retained. */
  | 'STREAM_ENDPOINT'
  /** Trusted issuer with its keys. */
  | 'TRUSTED_ISSUER'
  /** URL of a webhook. With its revocation, the webhook is paused and its events are retained. Enabling the webhook confirms the URL. */
  | 'WEBHOOK_ENDPOINT'
  /** Signing secret of a webhook. With its revocation, the webhook is paused and its events are retained until the secret is rotated. */
  | 'WEBHOOK_SECRET';

/** Comparisons of a text, case-insensitive unless the attribute is case-exact. All given comparisons must match. */
export type TextFilter = {
  /** The value contains this text. */
  contains?: string | null | undefined;
  /** The value ends with this text. */
  endsWith?: string | null | undefined;
  /** The value equals this text. */
  equals?: string | null | undefined;
  /** The value equals one of these texts. */
  in?: Array<string> | null | undefined;
  /** There is a value (true) or none (false). */
  isPresent?: boolean | null | undefined;
  /** The value differs from this text, or there is no value. */
  notEquals?: string | null | undefined;
  /** The value starts with this text. */
  startsWith?: string | null | undefined;
};

/** Period of time; an omitted limit does not restrict. */
export type TimeFilter = {
  /** Before this time. */
  before?: string | null | undefined;
  /** At or after this time. */
  from?: string | null | undefined;
};

/** Restricts a list of users; an omitted field does not restrict. All given fields must match; at most 50 comparisons in 6 levels. */
export type UserFilter = {
  /** Only users who can sign in (true) or cannot (false). */
  active?: boolean | null | undefined;
  /** All of these filters match. */
  and?: Array<UserFilter> | null | undefined;
  /** Time of creation. */
  createdAt?: TimeFilter | null | undefined;
  /** Department in the EnterpriseUser extension. */
  department?: TextFilter | null | undefined;
  /** Display name. */
  displayName?: TextFilter | null | undefined;
  /** At least one of the email addresses. */
  email?: TextFilter | null | undefined;
  /** Caller's own id for the user. */
  externalId?: TextFilter | null | undefined;
  /** Family name. */
  familyName?: TextFilter | null | undefined;
  /** Given name. */
  givenName?: TextFilter | null | undefined;
  /** Only members of this group, direct or through other groups. */
  groupId?: string | null | undefined;
  /** This filter does not match. */
  not?: UserFilter | null | undefined;
  /** At least one of these filters matches. */
  or?: Array<UserFilter> | null | undefined;
  /** Title of the user. */
  title?: TextFilter | null | undefined;
  /** Time of the last change. */
  updatedAt?: TimeFilter | null | undefined;
  /** Name with which the user signs in. */
  userName?: TextFilter | null | undefined;
};

/** Input of `deactivateUser`, `reactivateUser` and `deleteUser`. */
export type UserVersionInput = {
  /** Id of the user. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type FindUsersQueryVariables = Exact<{
  after?: string | null | undefined;
  where?: UserFilter | null | undefined;
  first: number;
}>;


export type FindUsersQuery = { users: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, userName: string, displayName: string | null, active: boolean, version: number, emails: Array<{ value: string, primary: boolean | null }> } | null }> } | null };

export type UserByIdQueryVariables = Exact<{
  id: string;
}>;


export type UserByIdQuery = { user: { id: string, userName: string, displayName: string | null, active: boolean, version: number, emails: Array<{ value: string, primary: boolean | null }> } | null };

export type DoorsQueryVariables = Exact<{
  id: string;
}>;


export type DoorsQuery = { user: { id: string, userName: string, displayName: string | null, active: boolean, version: number, roles: Array<Role> | null, sessionsConnection: { totalCount: number } | null, grantsConnection: { totalCount: number } | null, personalAccessTokens: Array<{ id: string }> | null, credentials: { hasPassword: boolean, hasAuthenticatorApp: boolean, passkeys: Array<{ id: string }> } | null } | null, apiKeys: { totalCount: number } | null, clients: { totalCount: number } | null, serviceAccounts: { edges: Array<{ node: { disabled: boolean } | null }> } | null, connectors: { edges: Array<{ node: { status: ConnectorStatus } }> } | null };

export type DeparturesQueryVariables = Exact<{
  id: string;
}>;


export type DeparturesQuery = { departures: Array<{ securityEventId: string, userId: string, trigger: DepartureTrigger, leftAt: string | null, closedAt: string, epoch: number, doors: Array<{ name: DoorName, count: number | null, closedAt: string }>, secrets: Array<{ kind: SecretKind, secretId: string, credentialId: string, name: string | null, ended: boolean, endsAt: string | null, owner:
        | { __typename: 'Group', id: string, displayName: string }
        | { __typename: 'User', id: string, userName: string }
       | null }>, deliveries: Array<{ deliveryId: string, kind: ReceiverKind, receiverName: string | null, receiverId: string, state: DeliveryState, attempts: number, deliveredAt: string | null, lastStatus: number | null, lastError: string | null }> }> | null };

export type DeactivateUserMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type DeactivateUserMutation = { deactivateUser: { user: { id: string, active: boolean, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type DeleteUserMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type DeleteUserMutation = { deleteUser: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type CreateUserMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreateUserMutation = { createUser: { user: { id: string, userName: string, displayName: string | null, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AssignRoleMutationVariables = Exact<{
  input: RoleInput;
}>;


export type AssignRoleMutation = { assignRole: { user: { id: string } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type InviteUserMutationVariables = Exact<{
  input: InviteUserInput;
}>;


export type InviteUserMutation = { inviteUser: { url: string | null, expiresAt: string | null, repeated: boolean | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const FindUsers = operation<FindUsersQuery, FindUsersQueryVariables>('FindUsers', "query FindUsers($after:String$where:UserFilter$first:Int!){users(first:$first after:$after where:$where orderBy:{field:USER_NAME direction:ASC}){pageInfo{hasNextPage endCursor}edges{node{id userName displayName active emails{value primary}version}}}}");

export const UserById = operation<UserByIdQuery, UserByIdQueryVariables>('UserById', "query UserById($id:ID!){user(id:$id){id userName displayName active emails{value primary}version}}");

export const Doors = operation<DoorsQuery, DoorsQueryVariables>('Doors', "query Doors($id:ID!){user(id:$id){id userName displayName active version sessionsConnection(first:1){totalCount}grantsConnection(first:1){totalCount}personalAccessTokens{id}credentials{hasPassword hasAuthenticatorApp passkeys{id}}roles}apiKeys(first:1 filter:{ownerId:$id}){totalCount}clients(first:1 filter:{ownerId:$id disabled:false}){totalCount}serviceAccounts(first:100 filter:{ownerId:$id}){edges{node{disabled}}}connectors(first:100 filter:{ownerId:$id}){edges{node{status}}}}");

export const Departures = operation<DeparturesQuery, DeparturesQueryVariables>('Departures', "query Departures($id:ID!){departures(userId:$id){securityEventId userId trigger leftAt closedAt epoch doors{name count closedAt}secrets{kind secretId credentialId name ended endsAt owner{__typename ...on User{id userName}...on Group{id displayName}}}deliveries{deliveryId kind receiverName receiverId state attempts deliveredAt lastStatus lastError}}}");

export const DeactivateUser = operation<DeactivateUserMutation, DeactivateUserMutationVariables>('DeactivateUser', "mutation DeactivateUser($input:UserVersionInput!){deactivateUser(input:$input){user{id active version}problems{code message}}}");

export const DeleteUser = operation<DeleteUserMutation, DeleteUserMutationVariables>('DeleteUser', "mutation DeleteUser($input:UserVersionInput!){deleteUser(input:$input){id problems{code message}}}");

export const CreateUser = operation<CreateUserMutation, CreateUserMutationVariables>('CreateUser', "mutation CreateUser($input:CreateUserInput!){createUser(input:$input){user{id userName displayName version}problems{code message path}}}");

export const AssignRole = operation<AssignRoleMutation, AssignRoleMutationVariables>('AssignRole', "mutation AssignRole($input:RoleInput!){assignRole(input:$input){user{id}problems{code message}}}");

export const InviteUser = operation<InviteUserMutation, InviteUserMutationVariables>('InviteUser', "mutation InviteUser($input:InviteUserInput!){inviteUser(input:$input){url expiresAt repeated problems{code message}}}");
