// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Kinds of actors. */
export type ActorKind =
  /** A client, acting for itself or for a user. */
  | 'CLIENT'
  /** A connector (identity source). */
  | 'CONNECTOR'
  /** A service of the platform, or a client of the platform that acts in the tenant. */
  | 'SERVICE'
  /** The system: a scheduled action. */
  | 'SYSTEM'
  /** A user. */
  | 'USER';

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

/** Actions on credentials whose only owner is offboarded. */
export type OwnedCredentialsAction =
  /** The credentials are transferred to `handOverCredentialsTo` and remain valid. */
  | 'HAND_OVER'
  /** The credentials are revoked. */
  | 'REVOKE'
  /** The credentials are disabled until an administrator enables them. */
  | 'SUSPEND';

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

/** Input of `deactivateUser`, `reactivateUser` and `deleteUser`. */
export type UserVersionInput = {
  /** Id of the user. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type DepartureReportFragment = { securityEventId: string, userId: string, trigger: DepartureTrigger, leftAt: string | null, closedAt: string, epoch: number, directoryVersion: string, eventId: string | null, traceId: string | null, actor:
    | { actorId: string, kind: ActorKind, name: string | null }
    | { actorId: string, kind: ActorKind, name: string | null }
    | { actorId: string, kind: ActorKind, name: string | null }
    | { actorId: string, kind: ActorKind, name: string | null }
    | { actorId: string, kind: ActorKind, name: string | null, user: { id: string, userName: string, displayName: string | null } | null }
  , doors: Array<{ name: DoorName, count: number | null, closedAt: string }>, secrets: Array<{ kind: SecretKind, secretId: string, credentialId: string, name: string | null, ended: boolean, endsAt: string | null, owner:
      | { id: string, groupName: string }
      | { id: string, userName: string, displayName: string | null, active: boolean }
     | null }>, deliveries: Array<{ deliveryId: string, kind: ReceiverKind, receiverId: string, receiverName: string | null, factType: string | null, state: DeliveryState, attempts: number, createdAt: string, deliveredAt: string | null, lastStatus: number | null, lastError: string | null }> };

export type DeparturesOfPersonQueryVariables = Exact<{
  userId: string;
}>;


export type DeparturesOfPersonQuery = { departures: Array<{ securityEventId: string, userId: string, trigger: DepartureTrigger, leftAt: string | null, closedAt: string, epoch: number, directoryVersion: string, eventId: string | null, traceId: string | null, actor:
      | { actorId: string, kind: ActorKind, name: string | null }
      | { actorId: string, kind: ActorKind, name: string | null }
      | { actorId: string, kind: ActorKind, name: string | null }
      | { actorId: string, kind: ActorKind, name: string | null }
      | { actorId: string, kind: ActorKind, name: string | null, user: { id: string, userName: string, displayName: string | null } | null }
    , doors: Array<{ name: DoorName, count: number | null, closedAt: string }>, secrets: Array<{ kind: SecretKind, secretId: string, credentialId: string, name: string | null, ended: boolean, endsAt: string | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null }>, deliveries: Array<{ deliveryId: string, kind: ReceiverKind, receiverId: string, receiverName: string | null, factType: string | null, state: DeliveryState, attempts: number, createdAt: string, deliveredAt: string | null, lastStatus: number | null, lastError: string | null }> }> | null };

export type OpenDoorsQueryVariables = Exact<{
  id: string;
}>;


export type OpenDoorsQuery = { user: { id: string, version: number, sessionsConnection: { totalCount: number } | null, grantsConnection: { totalCount: number } | null, delegations: { totalCount: number } | null, personalAccessTokens: Array<{ id: string }> | null, credentials: { hasPassword: boolean, hasAuthenticatorApp: boolean, passkeys: Array<{ id: string }> } | null } | null };

export type OpenOwnedQueryVariables = Exact<{
  owner: string;
}>;


export type OpenOwnedQuery = { user: { id: string, knownSecrets: Array<{ kind: SecretKind, secretId: string, credentialId: string, name: string | null }> | null } | null, clients: { totalCount: number } | null, serviceAccounts: { totalCount: number } | null, apiKeys: { totalCount: number } | null };

export type OpenConnectorsQueryVariables = Exact<{
  owner: string;
}>;


export type OpenConnectorsQuery = { user: { id: string, knownConnectorTokens: Array<{ connector: { id: string, name: string } | null, token: { id: string } }> | null } | null, connectors: { totalCount: number } | null };

export type OffboardingPolicyQueryVariables = Exact<{ [key: string]: never; }>;


export type OffboardingPolicyQuery = { tenantPolicy: { version: number, ownedCredentialsOnOffboarding: OwnedCredentialsAction, handOverCredentialsTo: string | null, knownSecretOverlapDays: number } | null };

export type OffboardPersonMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type OffboardPersonMutation = { deactivateUser: { user: { id: string, active: boolean, version: number, updatedAt: string } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type LetBackInMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type LetBackInMutation = { reactivateUser: { user: { id: string, active: boolean, version: number, updatedAt: string } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeletePersonMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type DeletePersonMutation = { deleteUser: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const DeparturesOfPersonDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeparturesOfPerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"userId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"departures"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"userId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"userId"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DepartureReport"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DepartureReport"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Departure"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"securityEventId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"trigger"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"leftAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"closedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"epoch"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"directoryVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"eventId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserActor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"doors"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"count"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"closedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secrets"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"secretId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"credentialId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ended"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endsAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"deliveries"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deliveryId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"receiverId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"receiverName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"factType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deliveredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastStatus"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastError"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<DeparturesOfPersonQuery, DeparturesOfPersonQueryVariables>;

export const OpenDoorsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenDoors"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionsConnection"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"grantsConnection"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"delegations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"personalAccessTokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"credentials"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasPassword"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasAuthenticatorApp"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"passkeys"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OpenDoorsQuery, OpenDoorsQueryVariables>;

export const OpenOwnedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenOwned"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"owner"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"knownSecrets"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"secretId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"credentialId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"serviceAccounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"apiKeys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OpenOwnedQuery, OpenOwnedQueryVariables>;

export const OpenConnectorsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenConnectors"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"owner"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"knownConnectorTokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"token"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"connectors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"ownerId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"owner"}}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OpenConnectorsQuery, OpenConnectorsQueryVariables>;

export const OffboardingPolicyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OffboardingPolicy"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenantPolicy"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownedCredentialsOnOffboarding"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"handOverCredentialsTo"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"knownSecretOverlapDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OffboardingPolicyQuery, OffboardingPolicyQueryVariables>;

export const OffboardPersonDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OffboardPerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserVersionInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deactivateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OffboardPersonMutation, OffboardPersonMutationVariables>;

export const LetBackInDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LetBackIn"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserVersionInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reactivateUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<LetBackInMutation, LetBackInMutationVariables>;

export const DeletePersonDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeletePerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserVersionInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DeletePersonMutation, DeletePersonMutationVariables>;
