// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Which group gets which role. */
export type AssignGroupRoleInput = {
  /** The group's id. */
  groupId: string;
  /**
   * Names this change: a repeat with the same key within a day changes nothing more, and answers the same. 1 to 200 characters, the
   * caller's own.
   */
  idempotencyKey?: string | null | undefined;
  /** Whether identity sources (connectors) may add to the group, and by that give the role; only if said. */
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

/** Which group loses which role. */
export type RemoveGroupRoleInput = {
  /** The group's id. */
  groupId: string;
  /**
   * Names this change: a repeat with the same key within a day changes nothing more, and answers the same. 1 to 200 characters, the
   * caller's own.
   */
  idempotencyKey?: string | null | undefined;
  /** The role. */
  role: Role;
};

/** What a person may do in their tenant beyond their own account. */
export type Role =
  /** Reads everything, with the audit log and the provisioning log, and changes nothing. */
  | 'AUDITOR'
  /** Finds people and groups, ends people's sessions, and sends them a link to sign in anew; not for people who have a role. */
  | 'HELP_DESK'
  /** Everything the tenant's API offers. */
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


export type GroupsCalledQuery = { groups: { edges: Array<{ node: { id: string } | null }> } | null };

export type GroupRolesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type GroupRolesQuery = { groups: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, displayName: string, roleGrants: Array<{ role: Role, managedBySources: boolean }> | null } | null }> } | null };

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

export const GroupsCalled = operation<GroupsCalledQuery, GroupsCalledQueryVariables>('GroupsCalled', "query GroupsCalled($name:String!){groups(first:2 where:{displayName:{equals:$name}}){edges{node{id}}}}");

export const GroupRoles = operation<GroupRolesQuery, GroupRolesQueryVariables>('GroupRoles', "query GroupRoles($after:String){groups(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id displayName roleGrants{role managedBySources}}}}}");

export const GiveGroupRole = operation<GiveGroupRoleMutation, GiveGroupRoleMutationVariables>('GiveGroupRole', "mutation GiveGroupRole($input:AssignGroupRoleInput!){assignGroupRole(input:$input){problems{code message path}}}");

export const TakeGroupRole = operation<TakeGroupRoleMutation, TakeGroupRoleMutationVariables>('TakeGroupRole', "mutation TakeGroupRole($input:RemoveGroupRoleInput!){removeGroupRole(input:$input){problems{code message path}}}");
