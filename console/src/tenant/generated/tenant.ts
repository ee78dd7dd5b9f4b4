// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** What becomes of users and groups that are deleted. */
export type DeletionPolicy =
  /** They are gone for good. */
  | 'HARD'
  /** They are gone for everybody, and can be restored for 30 days; then they are gone for good. */
  | 'SOFT';

/** What becomes of credentials whose only owner is gone. */
export type OwnedCredentialsAction =
  /** They get another owner, and go on. */
  | 'HAND_OVER'
  /** They end. */
  | 'REVOKE'
  /** They are disabled until somebody enables them. */
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

/** A security profile for apps. */
export type RequiredClientProfile =
  /** FAPI 2.0 Security Profile. */
  | 'FAPI2'
  /** OAuth 2.1 as this server always has it. */
  | 'STANDARD';

/** Whether a tenant is in use. */
export type TenantStatus =
  /** In use. */
  | 'ACTIVE'
  /** Closed for the time being. */
  | 'SUSPENDED';

/** Settings of the tenant: what is left out stays. */
export type UpdateTenantInput = {
  /**
   * Days for which entries of the directory's audit log are kept, 30 to 36500; null keeps them for good. Older ones are taken
   * away within minutes, a few thousand at a time.
   */
  auditRetentionDays?: number | null | undefined;
  /** What becomes of users and groups that are deleted from now on. */
  deletionPolicy?: DeletionPolicy | null | undefined;
  /** The tenant; without it, the caller's own. Only tokens of the platform's own can name another. */
  id?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the tenant is called. */
  name?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the tenant has changed since. */
  version?: number | null | undefined;
};

/** Settings of a tenant's policy: what is left out stays, and null goes back to what holds in this installation. */
export type UpdateTenantPolicyInput = {
  /** Words of 3 to 64 characters, at most 1000. */
  bannedPasswordWords?: Array<string> | null | undefined;
  /** The id of an active user or a group that gets them; needed for HAND_OVER. */
  handOverCredentialsTo?: string | null | undefined;
  /** The tenant; without it, the caller's own. Only tokens of the platform's own can name another. */
  id?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Whether an app may introspect tokens that were issued neither to it nor for it. */
  introspectionByAnyClient?: boolean | null | undefined;
  /** What becomes of credentials whose only owner is offboarded. */
  ownedCredentialsOnOffboarding?: OwnedCredentialsAction | null | undefined;
  /** Whether a role counts only for who signed in with two factors. */
  requireSecondFactorForAdministrators?: boolean | null | undefined;
  /** The security profile that every app has to meet. */
  requiredClientProfile?: RequiredClientProfile | null | undefined;
  /** Whether SCIM's ServiceProviderConfig announces `securityEvents`. */
  scimSecurityEvents?: boolean | null | undefined;
  /** Days for which attempts to sign in are kept: 1 to 3650. */
  signInRetentionDays?: number | null | undefined;
  /** Whether two groups may not have one name. */
  uniqueGroupNames?: boolean | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the policy has changed since. */
  version?: number | null | undefined;
  /** Origins such as https://app.example.com, at most 100; http only for loopback addresses. */
  webOrigins?: Array<string> | null | undefined;
};

export type TenantSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type TenantSettingsQuery = { tenant: { id: string, name: string, status: TenantStatus, createdAt: string, updatedAt: string, version: number, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null, signInSettings: { accessTokenSeconds: number, idTokenSeconds: number, invitationSeconds: number, passwordMinLength: number, refreshTokenAbsoluteSeconds: number, refreshTokenIdleSeconds: number, securityLogRetentionSeconds: number, sessionAbsoluteSeconds: number, sessionIdleSeconds: number } | null } | null };

export type TenantPolicySettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type TenantPolicySettingsQuery = { tenantPolicy: { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, signInRetentionDays: number } | null };

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


export type UpdateTenantPolicySettingsMutation = { updateTenantPolicy: { tenantPolicy: { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, signInRetentionDays: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type SettingsFragment = { id: string, name: string, status: TenantStatus, createdAt: string, updatedAt: string, version: number, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null };

export type PolicyFragment = { version: number, updatedAt: string | null, bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, webOrigins: Array<string>, signInRetentionDays: number };

export const TenantSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TenantSettings"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenant"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInSettings"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accessTokenSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"invitationSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"passwordMinLength"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refreshTokenAbsoluteSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"refreshTokenIdleSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"securityLogRetentionSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionAbsoluteSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionIdleSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tenant"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deletionPolicy"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"auditRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<TenantSettingsQuery, TenantSettingsQueryVariables>;

export const TenantPolicySettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TenantPolicySettings"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenantPolicy"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Policy"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Policy"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TenantPolicy"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bannedPasswordWords"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"handOverCredentialsTo"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionByAnyClient"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownedCredentialsOnOffboarding"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSecondFactorForAdministrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requiredClientProfile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimSecurityEvents"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueGroupNames"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"webOrigins"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<TenantPolicySettingsQuery, TenantPolicySettingsQueryVariables>;

export const PolicyOwnerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PolicyOwner"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<PolicyOwnerQuery, PolicyOwnerQueryVariables>;

export const UpdateTenantSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTenantSettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateTenantInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTenant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenant"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tenant"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"deletionPolicy"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"auditRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateTenantSettingsMutation, UpdateTenantSettingsMutationVariables>;

export const UpdateTenantPolicySettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTenantPolicySettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateTenantPolicyInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTenantPolicy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tenantPolicy"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Policy"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Policy"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TenantPolicy"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bannedPasswordWords"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"handOverCredentialsTo"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionByAnyClient"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownedCredentialsOnOffboarding"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSecondFactorForAdministrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requiredClientProfile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimSecurityEvents"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueGroupNames"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"webOrigins"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInRetentionDays"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateTenantPolicySettingsMutation, UpdateTenantPolicySettingsMutationVariables>;
