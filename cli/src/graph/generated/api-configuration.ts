// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Format of the access tokens of an API. */
export type AccessTokenFormat =
  /** JWT (RFC 9068), which the API verifies itself. */
  | 'JWT'
  /** Text without meaning, which the API verifies by introspection (RFC 7662). */
  | 'OPAQUE';

/** Role of an API to store. */
export type ApiRoleInput = {
  /** Descriptions for administrators, at most 20. Default: none. */
  descriptions?: Array<ApiScopeDescriptionInput> | null | undefined;
  /** Name of the role, 1 to 64 printable ASCII characters without space, quote and backslash; unique in the API. */
  name: string;
};

/** Description of a scope or a role of an API in one language. */
export type ApiScopeDescriptionInput = {
  /** Language tag (BCP 47), for example `de`. */
  language: string;
  /** Description of the access, of a scope for users and of a role for administrators, 1 to 500 characters. */
  text: string;
};

/** Scope of an API to store. */
export type ApiScopeInput = {
  /** Descriptions on the consent page, at most 20. English is used for other languages. Default: the name of the scope. */
  descriptions?: Array<ApiScopeDescriptionInput> | null | undefined;
  /**
   * Name of the scope, 1 to 128 printable ASCII characters without space, quote and backslash; unique in the tenant. The
   * part before the first `:` or `.` must not be that of a built-in scope, for example `users`.
   */
  name: string;
};

/** Input of `assignGroupApiRole`. */
export type AssignGroupApiRoleInput = {
  /** Id of the API. */
  apiId: string;
  /** Id of the group. */
  groupId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Whether identity sources (connectors) can add members to the group and thereby assign the role. Default: false. */
  managedBySources?: boolean;
  /** Name of the role. */
  role: string;
};

/** Claim to add to tokens. */
export type ClaimMappingInput = {
  /**
   * Expression of the value in the Common Expression Language (CEL), 1 to 1,000 characters. Variables: `user`, `groups`,
   * `groupIds`, `client`, and for APIs `roles` and `api`. A value has at most 4,096 characters as JSON, all together 8,192.
   */
  expression: string;
  /**
   * Name of the claim, 1 to 128 printable ASCII characters without space, quote and backslash; unique in the list. Names
   * that a standard or this server defines, for example `sub`, `email` and `roles`, are rejected.
   */
  name: string;
  /** Whether no token is issued without a value. Default: false; the claim is then omitted. */
  required?: boolean;
};

/** Callers that may register a client dynamically (RFC 7591). */
export type ClientRegistrationMode =
  /** None. */
  | 'OFF'
  /** Also those without a token: public clients and clients with `private_key_jwt`, within the policy. */
  | 'OPEN'
  /** Those with an initial access token. */
  | 'TOKEN';

/** Input of `deleteApi`. */
export type DeleteApiInput = {
  /** Id of the API. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based; another current version is rejected. Default: any version. */
  version?: number | null | undefined;
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

/** Input of `registerApi`. */
export type RegisterApiInput = {
  /** Claims that access tokens have in addition, at most 32. Default: none. */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /**
   * Identifier of the API: an absolute URI without a fragment, at most 2048 characters, unique in the tenant. It cannot be
   * changed. A URI with an empty path is stored without the slash.
   */
  identifier: string;
  /** Name of the API, shown to users on the consent page, 1 to 200 characters. */
  name: string;
  /** Roles of the API, at most 50. Default: none. */
  roles?: Array<ApiRoleInput> | null | undefined;
  /** Scopes of the API, at most 100. Default: none. */
  scopes?: Array<ApiScopeInput> | null | undefined;
  /** Format of access tokens. Default: JWT. */
  tokenFormat?: AccessTokenFormat | null | undefined;
  /** Lifetime of access tokens in seconds, 60 to that of the installation. Default: that of the installation. */
  tokenLifetimeSeconds?: number | null | undefined;
};

/** Input of `removeGroupApiRole`. */
export type RemoveGroupApiRoleInput = {
  /** Id of the API. */
  apiId: string;
  /** Id of the group. */
  groupId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the role. */
  role: string;
};

/** Input of `updateApi`; omitted fields do not change, and null restores the default. */
export type UpdateApiInput = {
  /** Claims that access tokens have in addition, at most 32; replaces the previous ones. Default: none. */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** Id of the API. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the API, shown to users on the consent page, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Roles of the API, at most 50; replaces the previous ones. Default: none. */
  roles?: Array<ApiRoleInput> | null | undefined;
  /** Scopes of the API, at most 100; replaces the previous ones. Default: none. */
  scopes?: Array<ApiScopeInput> | null | undefined;
  /** Format of access tokens. Default: JWT. */
  tokenFormat?: AccessTokenFormat | null | undefined;
  /** Lifetime of access tokens in seconds, 60 to that of the installation. Default: that of the installation. */
  tokenLifetimeSeconds?: number | null | undefined;
  /** Version on which the change is based; another current version is rejected. Default: any version. */
  version?: number | null | undefined;
};

/** Input of `updateClientDocumentPolicy`; omitted fields do not change, and null restores the default. */
export type UpdateClientDocumentPolicyInput = {
  /** Ids of APIs of the tenant, at most 100. Default: none. */
  apiIds?: Array<string> | null | undefined;
  /**
   * Hosts whose documents are accepted, at most 100: host names in lower case and ASCII form, with a port other than 443,
   * or `*` for every host. Default: none.
   */
  hosts?: Array<string> | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Hosts of redirect URIs of open registrations, at most 100, in the form of `hosts`. Default: none. */
  redirectHosts?: Array<string> | null | undefined;
  /** Dynamic client registration. Default: `TOKEN`. */
  registration?: ClientRegistrationMode | null | undefined;
  /** Scopes of OpenID Connect. Default: `openid`, `profile`, `email` and `offline_access`. */
  scopes?: Array<string> | null | undefined;
  /** Version on which the change is based; another current version is rejected. Default: any version. */
  version?: number | null | undefined;
};

export type ApiConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ApiConfigurationsQuery = { apis: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> } | null }> } | null };

export type ClientDocumentsQueryVariables = Exact<{ [key: string]: never; }>;


export type ClientDocumentsQuery = { clientDocumentPolicy: { hosts: Array<string>, registration: ClientRegistrationMode, redirectHosts: Array<string>, scopes: Array<string>, apiIds: Array<string>, version: number } | null };

export type ApiRolesOfGroupQueryVariables = Exact<{
  after?: string | null | undefined;
  id: string;
}>;


export type ApiRolesOfGroupQuery = { group: { apiRoleGrants: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { role: string, managedBySources: boolean, api: { id: string, identifier: string } | null } | null }> } | null } | null };

export type AddApiMutationVariables = Exact<{
  input: RegisterApiInput;
}>;


export type AddApiMutation = { registerApi: { api: { id: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeOneApiMutationVariables = Exact<{
  input: UpdateApiInput;
}>;


export type ChangeOneApiMutation = { updateApi: { api: { version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveApiMutationVariables = Exact<{
  input: DeleteApiInput;
}>;


export type RemoveApiMutation = { deleteApi: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateClientDocumentsMutationVariables = Exact<{
  input: UpdateClientDocumentPolicyInput;
}>;


export type UpdateClientDocumentsMutation = { updateClientDocumentPolicy: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type GiveGroupApiRoleMutationVariables = Exact<{
  input: AssignGroupApiRoleInput;
}>;


export type GiveGroupApiRoleMutation = { assignGroupApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type TakeGroupApiRoleMutationVariables = Exact<{
  input: RemoveGroupApiRoleInput;
}>;


export type TakeGroupApiRoleMutation = { removeGroupApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const ApiConfigurations = operation<ApiConfigurationsQuery, ApiConfigurationsQueryVariables>('ApiConfigurations', "query ApiConfigurations($after:String){apis(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version identifier name scopes{name descriptions{language text}}roles{name descriptions{language text}}tokenLifetimeSeconds tokenFormat claims{name expression required}}}}}");

export const ClientDocuments = operation<ClientDocumentsQuery, ClientDocumentsQueryVariables>('ClientDocuments', "query ClientDocuments{clientDocumentPolicy{hosts registration redirectHosts scopes apiIds version}}");

export const ApiRolesOfGroup = operation<ApiRolesOfGroupQuery, ApiRolesOfGroupQueryVariables>('ApiRolesOfGroup', "query ApiRolesOfGroup($after:String$id:ID!){group(id:$id){apiRoleGrants(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{role managedBySources api{id identifier}}}}}}");

export const AddApi = operation<AddApiMutation, AddApiMutationVariables>('AddApi', "mutation AddApi($input:RegisterApiInput!){registerApi(input:$input){api{id version}problems{code message path}}}");

export const ChangeOneApi = operation<ChangeOneApiMutation, ChangeOneApiMutationVariables>('ChangeOneApi', "mutation ChangeOneApi($input:UpdateApiInput!){updateApi(input:$input){api{version}problems{code message path}}}");

export const RemoveApi = operation<RemoveApiMutation, RemoveApiMutationVariables>('RemoveApi', "mutation RemoveApi($input:DeleteApiInput!){deleteApi(input:$input){problems{code message path}}}");

export const UpdateClientDocuments = operation<UpdateClientDocumentsMutation, UpdateClientDocumentsMutationVariables>('UpdateClientDocuments', "mutation UpdateClientDocuments($input:UpdateClientDocumentPolicyInput!){updateClientDocumentPolicy(input:$input){problems{code message path}}}");

export const GiveGroupApiRole = operation<GiveGroupApiRoleMutation, GiveGroupApiRoleMutationVariables>('GiveGroupApiRole', "mutation GiveGroupApiRole($input:AssignGroupApiRoleInput!){assignGroupApiRole(input:$input){problems{code message path}}}");

export const TakeGroupApiRole = operation<TakeGroupApiRoleMutation, TakeGroupApiRoleMutationVariables>('TakeGroupApiRole', "mutation TakeGroupApiRole($input:RemoveGroupApiRoleInput!){removeGroupApiRole(input:$input){problems{code message path}}}");
