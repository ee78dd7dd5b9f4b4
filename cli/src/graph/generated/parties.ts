// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Input of `assignGroupRole`. */
export type AssignGroupRoleInput = {
  /** Id of the group. */
  groupId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Whether identity sources (connectors) can add members to the group and thereby assign the role. Default: false. */
  managedBySources?: boolean;
  /** The role. */
  role: Role;
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

/** Input of `removeGroupRole`. */
export type RemoveGroupRoleInput = {
  /** Id of the group. */
  groupId: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** The role. */
  role: Role;
};

/** Role of a user in the tenant, which allows access beyond the user's own account. */
export type Role =
  /** Reading everything, including the audit log and the provisioning log, without changes. */
  | 'AUDITOR'
  /** Reading users and groups, revoking sessions of users, and sending users a link to sign in again. Excludes users with a role. */
  | 'HELP_DESK'
  /** All scopes of the API of the tenant. */
  | 'TENANT_ADMIN';

export type PartyNamesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type PartyNamesQuery = { nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { displayName: string, id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { userName: string, id: string }
    | { id: string }
   | null> | null };

export type UsersCalledQueryVariables = Exact<{
  name: string;
}>;


export type UsersCalledQuery = { users: { edges: Array<{ node: { id: string } | null }> } | null };

export type GroupsCalledQueryVariables = Exact<{
  name: string;
}>;


export type GroupsCalledQuery = { groups: { edges: Array<{ node: { id: string, displayName: string } | null }> } | null };

export type GroupRolesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type GroupRolesQuery = { groups: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, displayName: string, roleGrants: Array<{ role: Role, managedBySources: boolean }> | null, apiRoleGrants: { pageInfo: { hasNextPage: boolean }, edges: Array<{ node: { role: string, managedBySources: boolean, api: { id: string, identifier: string } | null } | null }> } | null } | null }> } | null };

export type GiveGroupRoleMutationVariables = Exact<{
  input: AssignGroupRoleInput;
}>;


export type GiveGroupRoleMutation = { assignGroupRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type TakeGroupRoleMutationVariables = Exact<{
  input: RemoveGroupRoleInput;
}>;


export type TakeGroupRoleMutation = { removeGroupRole: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const PartyNames = operation<PartyNamesQuery, PartyNamesQueryVariables>('PartyNames', "query PartyNames($ids:[ID!]!){nodes(ids:$ids){id ...on User{userName}...on Group{displayName}}}");

export const UsersCalled = operation<UsersCalledQuery, UsersCalledQueryVariables>('UsersCalled', "query UsersCalled($name:String!){users(first:2 where:{userName:{equals:$name}}){edges{node{id}}}}");

export const GroupsCalled = operation<GroupsCalledQuery, GroupsCalledQueryVariables>('GroupsCalled', "query GroupsCalled($name:String!){groups(first:2 where:{displayName:{equals:$name}}){edges{node{id displayName}}}}");

export const GroupRoles = operation<GroupRolesQuery, GroupRolesQueryVariables>('GroupRoles', "query GroupRoles($after:String){groups(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id displayName roleGrants{role managedBySources}apiRoleGrants(first:5){pageInfo{hasNextPage}edges{node{role managedBySources api{id identifier}}}}}}}}");

export const GiveGroupRole = operation<GiveGroupRoleMutation, GiveGroupRoleMutationVariables>('GiveGroupRole', "mutation GiveGroupRole($input:AssignGroupRoleInput!){assignGroupRole(input:$input){problems{code message path}}}");

export const TakeGroupRole = operation<TakeGroupRoleMutation, TakeGroupRoleMutationVariables>('TakeGroupRole', "mutation TakeGroupRole($input:RemoveGroupRoleInput!){removeGroupRole(input:$input){problems{code message path}}}");
