// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** A new service account. */
export type CreateServiceAccountInput = {
  /** What it is for. */
  description?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What people call it, 1 to 100 characters. */
  name: string;
  /**
   * The owner: a group, or an active user whose role allows managing it. By default the user who creates it, or for whom an app does, or the
   * owner of the program that does. What a program of the platform operator creates has no owner.
   */
  ownerId?: string | null | undefined;
  /** What it may do: scopes of the API, and of the access token that asks for it. */
  scopes: Array<string>;
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

/** Which service account. */
export type ServiceAccountInput = {
  /** The service account's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the service account has changed since. */
  version?: number | null | undefined;
};

/** What is different about a service account from now on. */
export type UpdateServiceAccountInput = {
  /** What it is for; null clears. */
  description?: string | null | undefined;
  /** Whether everything of it is refused. */
  disabled?: boolean | null | undefined;
  /** The service account's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What people call it. */
  name?: string | null | undefined;
  /** What it may do. Its API keys never get more than they were made with. */
  scopes?: Array<string> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the service account has changed since. */
  version?: number | null | undefined;
};

export type ServiceAccountConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ServiceAccountConfigurationsQuery = { serviceAccounts: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, name: string, description: string | null, disabled: boolean, scopes: Array<string> } | null }> } | null };

export type AddServiceAccountMutationVariables = Exact<{
  input: CreateServiceAccountInput;
}>;


export type AddServiceAccountMutation = { createServiceAccount: { serviceAccount: { id: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeServiceAccountMutationVariables = Exact<{
  input: UpdateServiceAccountInput;
}>;


export type ChangeServiceAccountMutation = { updateServiceAccount: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveServiceAccountMutationVariables = Exact<{
  input: ServiceAccountInput;
}>;


export type RemoveServiceAccountMutation = { deleteServiceAccount: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const ServiceAccountConfigurations = operation<ServiceAccountConfigurationsQuery, ServiceAccountConfigurationsQueryVariables>('ServiceAccountConfigurations', "query ServiceAccountConfigurations($after:String){serviceAccounts(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version name description disabled scopes}}}}");

export const AddServiceAccount = operation<AddServiceAccountMutation, AddServiceAccountMutationVariables>('AddServiceAccount', "mutation AddServiceAccount($input:CreateServiceAccountInput!){createServiceAccount(input:$input){serviceAccount{id version}problems{code message path}}}");

export const ChangeServiceAccount = operation<ChangeServiceAccountMutation, ChangeServiceAccountMutationVariables>('ChangeServiceAccount', "mutation ChangeServiceAccount($input:UpdateServiceAccountInput!){updateServiceAccount(input:$input){problems{code message path}}}");

export const RemoveServiceAccount = operation<RemoveServiceAccountMutation, RemoveServiceAccountMutationVariables>('RemoveServiceAccount', "mutation RemoveServiceAccount($input:ServiceAccountInput!){deleteServiceAccount(input:$input){problems{code message path}}}");
