// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Effects of the deletion of users and groups. */
export type DeletionPolicy =
  /** They are deleted permanently. */
  | 'HARD'
  /** They are no longer visible and can be restored for 30 days; then they are deleted permanently. */
  | 'SOFT';

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

/** Security profiles of clients. */
export type RequiredClientProfile =
  /** FAPI 2.0 Security Profile. */
  | 'FAPI2'
  /** OAuth 2.1 and OpenID Connect, as for all clients. */
  | 'STANDARD';

/** Statuses of a tenant. */
export type TenantStatus =
  /** In use: users can sign in. */
  | 'ACTIVE'
  /** Suspended: users cannot sign in until the tenant is resumed. */
  | 'SUSPENDED';

/** Input of `updateTenant`; omitted fields do not change. */
export type UpdateTenantInput = {
  /**
   * Retention period of the audit log of the directory in days, 30 to 36500; null keeps entries without limit. Older
   * entries are deleted within minutes, a few thousand at a time.
   */
  auditRetentionDays?: number | null | undefined;
  /** Effect of future deletions of users and groups. */
  deletionPolicy?: DeletionPolicy | null | undefined;
  /** Id of the tenant. Default: the tenant of the caller. Only tokens of the platform can name another tenant. */
  id?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the tenant, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Input of `updateTenantPolicy`; omitted fields do not change, and null restores the default of the deployment. */
export type UpdateTenantPolicyInput = {
  /** Words that a password must not consist of: at most 1000, of 3 to 64 characters. */
  bannedPasswordWords?: Array<string> | null | undefined;
  /** Id of the active user or the group to which credentials are transferred; required for HAND_OVER. */
  handOverCredentialsTo?: string | null | undefined;
  /** Id of the tenant. Default: the tenant of the caller. Only tokens of the platform can name another tenant. */
  id?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Whether a client can introspect tokens (RFC 7662) that were neither issued to it nor for a resource that it serves. */
  introspectionByAnyClient?: boolean | null | undefined;
  /** Days for which secrets of other owners that an offboarded user knows remain valid. 0 to 30. */
  knownSecretOverlapDays?: number | null | undefined;
  /** Action on credentials whose only owner is offboarded. */
  ownedCredentialsOnOffboarding?: OwnedCredentialsAction | null | undefined;
  /** Whether roles apply only after a sign-in with two factors. */
  requireSecondFactorForAdministrators?: boolean | null | undefined;
  /** Security profile that every client must meet. */
  requiredClientProfile?: RequiredClientProfile | null | undefined;
  /** Whether the SCIM ServiceProviderConfig announces `securityEvents`. */
  scimSecurityEvents?: boolean | null | undefined;
  /** Retention period of sign-in attempts in days, 1 to 3650. */
  signInRetentionDays?: number | null | undefined;
  /** Whether names of groups must be unique. */
  uniqueGroupNames?: boolean | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
  /** Origins, for example https://app.example.com; at most 100, and http only for loopback addresses. */
  webOrigins?: Array<string> | null | undefined;
};

export type TenantSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type TenantSettingsQuery = { tenant: { id: string, name: string, status: TenantStatus, createdAt: string, updatedAt: string, version: number, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null, signInSettings: { accessTokenSeconds: number, idTokenSeconds: number, invitationSeconds: number, passwordMinLength: number, refreshTokenAbsoluteSeconds: number, refreshTokenIdleSeconds: number, securityLogRetentionSeconds: number, sessionAbsoluteSeconds: number, sessionIdleSeconds: number } | null } | null };

export type TenantPolicySettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type TenantPolicySettingsQuery = { tenantPolicy: { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, knownSecretOverlapDays: number, signInRetentionDays: number } | null };

export type PolicyOwnerQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type PolicyOwnerQuery = { nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string, groupName: string }
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
    | { userName: string, displayName: string | null, active: boolean, id: string }
    | { id: string }
   | null> | null };

export type UpdateTenantSettingsMutationVariables = Exact<{
  input: UpdateTenantInput;
}>;


export type UpdateTenantSettingsMutation = { updateTenant: { tenant: { id: string, name: string, status: TenantStatus, createdAt: string, updatedAt: string, version: number, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateTenantPolicySettingsMutationVariables = Exact<{
  input: UpdateTenantPolicyInput;
}>;


export type UpdateTenantPolicySettingsMutation = { updateTenantPolicy: { tenantPolicy: { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, knownSecretOverlapDays: number, signInRetentionDays: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type SettingsFragment = { id: string, name: string, status: TenantStatus, createdAt: string, updatedAt: string, version: number, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null };

export type PolicyFragment = { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, knownSecretOverlapDays: number, signInRetentionDays: number };

export const TenantSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TenantSettings"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenant"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInSettings"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessTokenSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"invitationSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"passwordMinLength"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refreshTokenAbsoluteSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refreshTokenIdleSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"securityLogRetentionSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionAbsoluteSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionIdleSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tenant"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deletionPolicy"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"auditRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<TenantSettingsQuery, TenantSettingsQueryVariables>;

export const TenantPolicySettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TenantPolicySettings"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenantPolicy"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Policy"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Policy"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TenantPolicy"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bannedPasswordWords"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"handOverCredentialsTo"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionByAnyClient"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownedCredentialsOnOffboarding"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSecondFactorForAdministrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requiredClientProfile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimSecurityEvents"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueGroupNames"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"webOrigins"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"knownSecretOverlapDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<TenantPolicySettingsQuery, TenantPolicySettingsQueryVariables>;

export const PolicyOwnerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PolicyOwner"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<PolicyOwnerQuery, PolicyOwnerQueryVariables>;

export const UpdateTenantSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTenantSettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateTenantInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTenant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenant"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tenant"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deletionPolicy"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"auditRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateTenantSettingsMutation, UpdateTenantSettingsMutationVariables>;

export const UpdateTenantPolicySettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTenantPolicySettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateTenantPolicyInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTenantPolicy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenantPolicy"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Policy"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Policy"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TenantPolicy"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bannedPasswordWords"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"handOverCredentialsTo"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionByAnyClient"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownedCredentialsOnOffboarding"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSecondFactorForAdministrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requiredClientProfile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimSecurityEvents"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueGroupNames"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"webOrigins"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"knownSecretOverlapDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateTenantPolicySettingsMutation, UpdateTenantPolicySettingsMutationVariables>;
