// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Input of `createTenant`. */
export type CreateTenantInput = {
  /** Id of the tenant, which is part of its issuer URL: 1 to 63 lower-case letters, digits and inner hyphens. It cannot be changed later. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the tenant, 1 to 200 characters. */
  name: string;
};

/** Effects of the deletion of users and groups. */
export type DeletionPolicy =
  /** They are deleted permanently. */
  | 'HARD'
  /** They are no longer visible and can be restored for 30 days; then they are deleted permanently. */
  | 'SOFT';

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

/** Statuses of a tenant. */
export type TenantStatus =
  /** In use: users can sign in. */
  | 'ACTIVE'
  /** Suspended: users cannot sign in until the tenant is resumed. */
  | 'SUSPENDED';

/** Input of `suspendTenant` and `resumeTenant`. */
export type TenantVersionInput = {
  /** Id of the tenant. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type TenantsQueryVariables = Exact<{
  after?: string | null | undefined;
  text?: string | null | undefined;
}>;


export type TenantsQuery = { tenants: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, status: TenantStatus, version: number, createdAt: string } | null }> } | null };

export type TenantQueryVariables = Exact<{
  id?: string | null | undefined;
}>;


export type TenantQuery = { tenant: { id: string, name: string, status: TenantStatus, version: number, createdAt: string, updatedAt: string, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null } | null };

export type CreateTenantMutationVariables = Exact<{
  input: CreateTenantInput;
}>;


export type CreateTenantMutation = { createTenant: { tenant: { id: string, name: string, status: TenantStatus, version: number, createdAt: string } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type SuspendTenantMutationVariables = Exact<{
  input: TenantVersionInput;
}>;


export type SuspendTenantMutation = { suspendTenant: { tenant: { id: string, status: TenantStatus, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type ResumeTenantMutationVariables = Exact<{
  input: TenantVersionInput;
}>;


export type ResumeTenantMutation = { resumeTenant: { tenant: { id: string, status: TenantStatus, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const Tenants = operation<TenantsQuery, TenantsQueryVariables>('Tenants', "query Tenants($after:String$text:String){tenants(first:100 after:$after filter:{text:$text}){pageInfo{hasNextPage endCursor}edges{node{id name status version createdAt}}}}");

export const Tenant = operation<TenantQuery, TenantQueryVariables>('Tenant', "query Tenant($id:ID){tenant(id:$id){id name status version createdAt updatedAt deletionPolicy auditRetentionDays}}");

export const CreateTenant = operation<CreateTenantMutation, CreateTenantMutationVariables>('CreateTenant', "mutation CreateTenant($input:CreateTenantInput!){createTenant(input:$input){tenant{id name status version createdAt}problems{code message}}}");

export const SuspendTenant = operation<SuspendTenantMutation, SuspendTenantMutationVariables>('SuspendTenant', "mutation SuspendTenant($input:TenantVersionInput!){suspendTenant(input:$input){tenant{id status version}problems{code message}}}");

export const ResumeTenant = operation<ResumeTenantMutation, ResumeTenantMutationVariables>('ResumeTenant', "mutation ResumeTenant($input:TenantVersionInput!){resumeTenant(input:$input){tenant{id status version}problems{code message}}}");
