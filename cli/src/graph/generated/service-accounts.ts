// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Input of `createServiceAccount`. */
export type CreateServiceAccountInput = {
  /** Purpose of the service account, at most 500 characters. */
  description?: string | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Display name, 1 to 100 characters. */
  name: string;
  /**
   * Id of the owner: a group, or an active user whose role allows managing the service account. Default: the calling user,
   * or the owner of the calling client or service account. Clients of the platform operator create it without an owner.
   */
  ownerId?: string | null | undefined;
  /** Scopes of the service account: scopes of the API that the access token of the request has. */
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

/** Input of `deleteServiceAccount`. */
export type ServiceAccountInput = {
  /** Id of the service account. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Input of `updateServiceAccount`; omitted fields do not change. */
export type UpdateServiceAccountInput = {
  /** Purpose of the service account, at most 500 characters; null deletes it. */
  description?: string | null | undefined;
  /** Whether every credential of the service account is rejected. */
  disabled?: boolean | null | undefined;
  /** Id of the service account. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Display name, 1 to 100 characters. */
  name?: string | null | undefined;
  /** Scopes of the service account. Existing API keys get no scopes beyond those with which they were created. */
  scopes?: Array<string> | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
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
