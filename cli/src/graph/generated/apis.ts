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

/** Restricts a list of users or groups with a role of an API. */
export type ApiRoleFilter = {
  /** Id of the API. */
  apiId: string;
  /** Name of the role. */
  role: string;
};

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

/** Input of `assignApiRole`. */
export type AssignApiRoleInput = {
  /** Id of the API. */
  apiId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the role. */
  role: string;
  /** Id of the user. */
  userId: string;
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

/** Input of `removeApiRole`. */
export type RemoveApiRoleInput = {
  /** Id of the API. */
  apiId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the role. */
  role: string;
  /** Id of the user. */
  userId: string;
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

export type ApisQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ApisQuery = { apis: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, identifier: string, name: string, version: number, tokenFormat: AccessTokenFormat, tokenLifetimeSeconds: number | null, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }> } | null }> } | null };

export type CreateApiMutationVariables = Exact<{
  input: RegisterApiInput;
}>;


export type CreateApiMutation = { registerApi: { api: { id: string, identifier: string, name: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeApiMutationVariables = Exact<{
  input: UpdateApiInput;
}>;


export type ChangeApiMutation = { updateApi: { api: { id: string, identifier: string, name: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeleteApiMutationVariables = Exact<{
  input: DeleteApiInput;
}>;


export type DeleteApiMutation = { deleteApi: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type ApiRoleUsersQueryVariables = Exact<{
  after?: string | null | undefined;
  filter: ApiRoleFilter;
}>;


export type ApiRoleUsersQuery = { apiRoleHolders: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, userName: string, displayName: string | null, active: boolean } | null }> } | null };

export type ApiRoleGroupsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter: ApiRoleFilter;
}>;


export type ApiRoleGroupsQuery = { groupsWithApiRole: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, displayName: string } | null }> } | null };

export type GroupByIdQueryVariables = Exact<{
  id: string;
}>;


export type GroupByIdQuery = { group: { id: string, displayName: string } | null };

export type AssignUserApiRoleMutationVariables = Exact<{
  input: AssignApiRoleInput;
}>;


export type AssignUserApiRoleMutation = { assignApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveUserApiRoleMutationVariables = Exact<{
  input: RemoveApiRoleInput;
}>;


export type RemoveUserApiRoleMutation = { removeApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AssignGroupApiRoleMutationVariables = Exact<{
  input: AssignGroupApiRoleInput;
}>;


export type AssignGroupApiRoleMutation = { assignGroupApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveGroupApiRoleMutationVariables = Exact<{
  input: RemoveGroupApiRoleInput;
}>;


export type RemoveGroupApiRoleMutation = { removeGroupApiRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const Apis = operation<ApisQuery, ApisQueryVariables>('Apis', "query Apis($after:String){apis(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id identifier name version tokenFormat tokenLifetimeSeconds createdAt scopes{name descriptions{language text}}roles{name descriptions{language text}}}}}}");

export const CreateApi = operation<CreateApiMutation, CreateApiMutationVariables>('CreateApi', "mutation CreateApi($input:RegisterApiInput!){registerApi(input:$input){api{id identifier name version}problems{code message path}}}");

export const ChangeApi = operation<ChangeApiMutation, ChangeApiMutationVariables>('ChangeApi', "mutation ChangeApi($input:UpdateApiInput!){updateApi(input:$input){api{id identifier name version}problems{code message path}}}");

export const DeleteApi = operation<DeleteApiMutation, DeleteApiMutationVariables>('DeleteApi', "mutation DeleteApi($input:DeleteApiInput!){deleteApi(input:$input){id problems{code message}}}");

export const ApiRoleUsers = operation<ApiRoleUsersQuery, ApiRoleUsersQueryVariables>('ApiRoleUsers', "query ApiRoleUsers($after:String$filter:ApiRoleFilter!){apiRoleHolders(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id userName displayName active}}}}");

export const ApiRoleGroups = operation<ApiRoleGroupsQuery, ApiRoleGroupsQueryVariables>('ApiRoleGroups', "query ApiRoleGroups($after:String$filter:ApiRoleFilter!){groupsWithApiRole(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id displayName}}}}");

export const GroupById = operation<GroupByIdQuery, GroupByIdQueryVariables>('GroupById', "query GroupById($id:ID!){group(id:$id){id displayName}}");

export const AssignUserApiRole = operation<AssignUserApiRoleMutation, AssignUserApiRoleMutationVariables>('AssignUserApiRole', "mutation AssignUserApiRole($input:AssignApiRoleInput!){assignApiRole(input:$input){problems{code message path}}}");

export const RemoveUserApiRole = operation<RemoveUserApiRoleMutation, RemoveUserApiRoleMutationVariables>('RemoveUserApiRole', "mutation RemoveUserApiRole($input:RemoveApiRoleInput!){removeApiRole(input:$input){problems{code message path}}}");

export const AssignGroupApiRole = operation<AssignGroupApiRoleMutation, AssignGroupApiRoleMutationVariables>('AssignGroupApiRole', "mutation AssignGroupApiRole($input:AssignGroupApiRoleInput!){assignGroupApiRole(input:$input){problems{code message path}}}");

export const RemoveGroupApiRole = operation<RemoveGroupApiRoleMutation, RemoveGroupApiRoleMutationVariables>('RemoveGroupApiRole', "mutation RemoveGroupApiRole($input:RemoveGroupApiRoleInput!){removeGroupApiRole(input:$input){problems{code message path}}}");
