// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** A postal address. */
export type AddressInput = {
  /** The country, as in ISO 3166-1 alpha-2. */
  country?: string | null | undefined;
  /** The whole address, formatted for display or a label. */
  formatted?: string | null | undefined;
  /** The city or place. */
  locality?: string | null | undefined;
  /** The postal code. */
  postalCode?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** The state or region. */
  region?: string | null | undefined;
  /** Street, number and the like, maybe in several lines. */
  streetAddress?: string | null | undefined;
  /** Such as work, home or other. */
  type?: string | null | undefined;
};

/** Whether a connector may do anything. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are refused. */
  | 'DISABLED';

/** An e-mail address or telephone number. */
export type ContactInput = {
  /** How it is shown. */
  display?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** Such as work or home. */
  type?: string | null | undefined;
  /** The address or number. */
  value: string;
};

/** A new person. */
export type CreateUserInput = {
  /** Whether the person may sign in. */
  active?: boolean | null | undefined;
  /** Postal addresses. */
  addresses?: Array<AddressInput> | null | undefined;
  /** What the person is called. */
  displayName?: string | null | undefined;
  /** E-mail addresses. */
  emails?: Array<ContactInput> | null | undefined;
  /** Things the person is entitled to; they open nothing here. */
  entitlements?: Array<LabelledValueInput> | null | undefined;
  /** Attributes of the tenant's schemas, by the URN of the schema; those of EnterpriseUser too. */
  extensions?: unknown;
  /** The caller's own id for the person. */
  externalId?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Addresses for instant messages. */
  ims?: Array<LabelledValueInput> | null | undefined;
  /** Place for dates, numbers and currencies. */
  locale?: string | null | undefined;
  /** The parts of the name. */
  name?: PersonNameInput | null | undefined;
  /** What the person is called casually. */
  nickName?: string | null | undefined;
  /** Telephone numbers. */
  phoneNumbers?: Array<ContactInput> | null | undefined;
  /** Addresses of pictures of the person. */
  photos?: Array<LabelledValueInput> | null | undefined;
  /** Language the person prefers. */
  preferredLanguage?: string | null | undefined;
  /** Address of a page about the person. */
  profileUrl?: string | null | undefined;
  /** SCIM's `roles`; they open nothing here. */
  scimRoles?: Array<LabelledValueInput> | null | undefined;
  /** Time zone. */
  timezone?: string | null | undefined;
  /** The person's title. */
  title?: string | null | undefined;
  /** What the person signs in with. */
  userName: string;
  /** What the person is to the organisation. */
  userType?: string | null | undefined;
  /** Certificates in DER, as base64. */
  x509Certificates?: Array<LabelledValueInput> | null | undefined;
};

/** How far a delivery is. */
export type DeliveryState =
  /** It was given up, and can be replayed. */
  | 'DEAD'
  /** The receiver has it. */
  | 'DELIVERED'
  /** It waits for what happened before it. */
  | 'HELD'
  /** It is to be made, perhaps again. */
  | 'PENDING';

/** How a departure was learnt of. */
export type DepartureTrigger =
  /** This service asked the directory, and the person wasn't active. */
  | 'DIRECTORY_ASKED'
  /** The person was deactivated. */
  | 'USER_DEACTIVATED'
  /** The person was deleted. */
  | 'USER_DELETED'
  /** The person came back: the news of that overtook the news that they had left. */
  | 'USER_REACTIVATED';

/** What a person's access consists of. */
export type DoorName =
  /** Access tokens. */
  | 'ACCESS_TOKENS'
  /** API keys that the person alone owned. */
  | 'API_KEYS'
  /** Authorization codes that weren't redeemed. */
  | 'AUTHORIZATION_CODES'
  /** Clients that the person alone owned: ended or handed over, as the tenant's policy says (`ownedCredentialsOnOffboarding`). */
  | 'CLIENTS'
  /** Connectors that the person alone owned: named as soon as the provisioning service has ended them, or handed them over. */
  | 'CONNECTORS'
  /** Device codes that they had allowed and that weren't redeemed. */
  | 'DEVICE_CODES'
  /** Tokens that services got in exchange for the person's, or in which the person acts for somebody else. */
  | 'EXCHANGED_TOKENS'
  /** What they allowed apps. */
  | 'GRANTS'
  /** Tokens for registering clients that the person made. */
  | 'INITIAL_ACCESS_TOKENS'
  /** Links to set up or reset the account. */
  | 'INVITATIONS'
  /** Secrets of other owners' clients and service accounts, issuers, bindings and invitations that the user received or supplied. */
  | 'KNOWN_SECRETS'
  /** Their own tokens for scripts and tools. */
  | 'PERSONAL_ACCESS_TOKENS'
  /** Apps' refresh tokens, each with all its rotations. */
  | 'REFRESH_TOKENS'
  /** Service accounts that the person alone owned, with their keys. */
  | 'SERVICE_ACCOUNTS'
  /** Browser sessions. */
  | 'SESSIONS'
  /** Signing in, with whatever the person knows or has: refused until they come back. What was begun and not ended ends with it. */
  | 'SIGN_IN'
  /** Subscriptions that were open at the graph: they end when the gateways hear of it, moments later. */
  | 'SUBSCRIPTIONS';

/** Who is invited, and for how long. */
export type InviteUserInput = {
  /** Seconds for which the link works, 60 to 2592000 (30 days); as the deployment says unless given. */
  expiresInSeconds?: number | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The person's id. */
  userId: string;
};

/** One of several values (RFC 7643 section 2.4): a picture, an address for instant messages, an entitlement and the like. */
export type LabelledValueInput = {
  /** How it is shown. */
  display?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** What it is for, or of which kind it is. */
  type?: string | null | undefined;
  /** The value. */
  value: string;
};

/** The parts of a name. */
export type PersonNameInput = {
  /** The family name. */
  familyName?: string | null | undefined;
  /** The full name, formatted for display. */
  formatted?: string | null | undefined;
  /** The given name. */
  givenName?: string | null | undefined;
  /** Such as Ms. */
  honorificPrefix?: string | null | undefined;
  /** Such as III. */
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

/** How a receiver is told. */
export type ReceiverKind =
  /** An app, by a logout token (OpenID Connect Back-Channel Logout). */
  | 'BACKCHANNEL_LOGOUT'
  /** By a stream of security events (Shared Signals). */
  | 'SSF'
  /** By a webhook. */
  | 'WEBHOOK';

/** What a person may do in their tenant beyond their own account. */
export type Role =
  /** Reads everything, with the audit log and the provisioning log, and changes nothing. */
  | 'AUDITOR'
  /** Finds people and groups, ends people's sessions, and sends them a link to sign in anew; not for people who have a role. */
  | 'HELP_DESK'
  /** Everything the tenant's API offers. */
  | 'TENANT_ADMIN';

/** Whose role, and which. */
export type RoleInput = {
  /**
   * Names this change: a repeat with the same key within a day changes nothing more, and answers the same. 1 to 200 characters, the
   * caller's own.
   */
  idempotencyKey?: string | null | undefined;
  /** The role. */
  role: Role;
  /** The person's id. */
  userId: string;
};

/** Comparisons of a text, in any case unless the attribute is case-exact; all that are given hold. */
export type TextFilter = {
  /** It has this in it. */
  contains?: string | null | undefined;
  /** It ends with this. */
  endsWith?: string | null | undefined;
  /** It is this. */
  equals?: string | null | undefined;
  /** It is one of these. */
  in?: Array<string> | null | undefined;
  /** There is one, or there is none. */
  isPresent?: boolean | null | undefined;
  /** It isn't this, or there is none. */
  notEquals?: string | null | undefined;
  /** It begins with this. */
  startsWith?: string | null | undefined;
};

/** A stretch of time; what is left out doesn't narrow. */
export type TimeFilter = {
  /** Before this instant. */
  before?: string | null | undefined;
  /** From this instant on. */
  from?: string | null | undefined;
};

/** Narrows a list of people: all that is given holds. At most 50 comparisons, 6 levels. */
export type UserFilter = {
  /** Whether the person may sign in. */
  active?: boolean | null | undefined;
  /** All of these hold. */
  and?: Array<UserFilter> | null | undefined;
  /** When the person was added. */
  createdAt?: TimeFilter | null | undefined;
  /** The department, as the employer says. */
  department?: TextFilter | null | undefined;
  /** What the person is called. */
  displayName?: TextFilter | null | undefined;
  /** One of the e-mail addresses. */
  email?: TextFilter | null | undefined;
  /** The caller's own id for the person. */
  externalId?: TextFilter | null | undefined;
  /** The family name. */
  familyName?: TextFilter | null | undefined;
  /** The given name. */
  givenName?: TextFilter | null | undefined;
  /** Members of this group, directly or through others. */
  groupId?: string | null | undefined;
  /** This doesn't hold. */
  not?: UserFilter | null | undefined;
  /** One of these holds. */
  or?: Array<UserFilter> | null | undefined;
  /** The person's title. */
  title?: TextFilter | null | undefined;
  /** When the person was last changed. */
  updatedAt?: TimeFilter | null | undefined;
  /** What the person signs in with. */
  userName?: TextFilter | null | undefined;
};

/** A user, at a version if it matters. */
export type UserVersionInput = {
  /** The user's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the user has changed since. */
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


export type DeparturesQuery = { departures: Array<{ securityEventId: string, trigger: DepartureTrigger, leftAt: string | null, closedAt: string, epoch: number, doors: Array<{ name: DoorName, count: number | null, closedAt: string }>, deliveries: Array<{ deliveryId: string, kind: ReceiverKind, receiverName: string | null, receiverId: string, state: DeliveryState, attempts: number, deliveredAt: string | null, lastStatus: number | null, lastError: string | null }> }> | null };

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

export const Departures = operation<DeparturesQuery, DeparturesQueryVariables>('Departures', "query Departures($id:ID!){departures(userId:$id){securityEventId trigger leftAt closedAt epoch doors{name count closedAt}deliveries{deliveryId kind receiverName receiverId state attempts deliveredAt lastStatus lastError}}}");

export const DeactivateUser = operation<DeactivateUserMutation, DeactivateUserMutationVariables>('DeactivateUser', "mutation DeactivateUser($input:UserVersionInput!){deactivateUser(input:$input){user{id active version}problems{code message}}}");

export const DeleteUser = operation<DeleteUserMutation, DeleteUserMutationVariables>('DeleteUser', "mutation DeleteUser($input:UserVersionInput!){deleteUser(input:$input){id problems{code message}}}");

export const CreateUser = operation<CreateUserMutation, CreateUserMutationVariables>('CreateUser', "mutation CreateUser($input:CreateUserInput!){createUser(input:$input){user{id userName displayName version}problems{code message path}}}");

export const AssignRole = operation<AssignRoleMutation, AssignRoleMutationVariables>('AssignRole', "mutation AssignRole($input:RoleInput!){assignRole(input:$input){user{id}problems{code message}}}");

export const InviteUser = operation<InviteUserMutation, InviteUserMutationVariables>('InviteUser', "mutation InviteUser($input:InviteUserInput!){inviteUser(input:$input){url expiresAt repeated problems{code message}}}");
