// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Whether a connector may change anything. */
export type ConnectorAccess =
  /** It reads. */
  | 'READ_ONLY'
  /** It reads and writes. */
  | 'READ_WRITE';

/** How the paths of a rule are meant. */
export type ConnectorAttributeMode =
  /** It may write all but these. */
  | 'EXCEPT'
  /** It may write these and no others. */
  | 'ONLY';

/** Which attributes a connector may write. Its own externalId it always may. */
export type ConnectorAttributesInput = {
  /** How the paths are meant. */
  mode: ConnectorAttributeMode;
  /**
   * SCIM paths: an attribute (`displayName`, `active`, `password`, `members`), a part of one with a single value
   * (`name.familyName`), either behind the URN of its schema, or such a URN for all of its attributes. At most 200.
   */
  paths: Array<string>;
};

/** Which connector. */
export type ConnectorInput = {
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
};

/** What a connector may ask for at most; each at least 1, and no more than the service's own limit has any effect. */
export type ConnectorLimitsInput = {
  /** Operations in one Bulk. */
  bulkOperations?: number | null | undefined;
  /** Bytes of one Bulk. */
  bulkPayloadBytes?: number | null | undefined;
  /** Resources in a page of a list. */
  pageSize?: number | null | undefined;
  /** Requests in a minute; each operation of a Bulk counts as one. */
  requestsPerMinute?: number | null | undefined;
};

/** Compatibility with what identity sources really send. */
export type ConnectorProfile =
  /** Understands the deviations of all known sources, as long as the RFC gives them no other meaning. The default. */
  | 'AUTO'
  /** Microsoft Entra ID. */
  | 'ENTRA'
  /** Okta. */
  | 'OKTA'
  /** OneLogin. */
  | 'ONELOGIN'
  /** RFC 7643 and 7644 to the letter. */
  | 'RFC';

/** Accounts a connector must not touch; what is left out protects nobody. */
export type ConnectorProtectedAccountsInput = {
  /** Everybody with a role in the tenant, as of the moment of each change. */
  administrators?: boolean | null | undefined;
  /** These groups, those inside them, and everybody in any of them; at most 500. */
  groupIds?: Array<string> | null | undefined;
  /** These users; at most 500. */
  userIds?: Array<string> | null | undefined;
};

/** A deviation from RFC 7644 to understand, or not to. */
export type ConnectorQuirkInput = {
  /** Whether to understand it. */
  enabled: boolean;
  /** Which one. */
  quirk: ConnectorQuirkName;
};

/** Deviations from RFC 7643 and 7644 that real identity sources rely on. */
export type ConnectorQuirkName =
  /** `op` in any case: `Replace`. */
  | 'ANY_CASE_OPERATIONS'
  /** `manager` as an id, and as an empty text to unassign it. */
  | 'BARE_MANAGER'
  /** Core URNs of drafts in `schemas`, such as `urn:scim:schemas:core:1.0`. */
  | 'DRAFT_SCHEMAS'
  /** PATCH on a group answers 204. */
  | 'GROUP_PATCH_NO_CONTENT'
  /** Paths as keys of a PATCH without a path: `{"name.givenName": "Ada"}`. */
  | 'PATH_KEYS'
  /** Booleans as text in filters: `emails[primary eq "True"]`. */
  | 'QUOTED_BOOLEANS'
  /** What can't be written, such as `id`, in a PATCH without a path. */
  | 'READ_ONLY_KEYS'
  /** `remove` with a path and the values to remove. */
  | 'REMOVE_BY_VALUE'
  /** `replace` of a part of a value that isn't there makes the value. */
  | 'REPLACE_CREATES_ELEMENT'
  /** Booleans as text: `"active": "False"`. */
  | 'STRING_BOOLEANS'
  /** Unknown URNs in `schemas`. */
  | 'UNKNOWN_SCHEMAS'
  /** A single value wrapped like one of several: `[{"$ref": null, "value": "Ada"}]`. */
  | 'WRAPPED_SCALARS';

/** What a connector has to do with. */
export type ConnectorResourceType =
  /** Groups and their members. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Whether a connector may do anything. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are refused. */
  | 'DISABLED';

/** A new identity source. */
export type CreateConnectorInput = {
  /** Whether it may change anything. */
  access?: ConnectorAccess | null | undefined;
  /** Which attributes it may write; null for all of them. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** An OAuth client of the tenant that may speak for this source, with a token that has scim:read or scim:write. */
  clientId?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What it may ask for at most; all limits at once. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** For people to recognise it by; up to 200 characters. */
  name: string;
  /**
   * The owner: a group, or an active user whose role allows managing connectors. By default the user who creates it, or for whom an app does,
   * or the owner of the program that does. What a program of the platform operator creates has no owner.
   */
  ownerId?: string | null | undefined;
  /** Which deviations from RFC 7644 to understand. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts it must not touch. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to understand, or not to, whatever the profile says; all of them at once. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** What it has to do with; at least one. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** Whether to believe that the e-mail addresses it writes are the people's own. */
  vouchesForEmails?: boolean | null | undefined;
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

/** Which token of which connector. */
export type RevokeConnectorTokenInput = {
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The token's id, which is no part of the token. */
  tokenId: string;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
};

/** Which connector gets a new token, and how long the previous one keeps working. */
export type RotateConnectorTokenInput = {
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Seconds for which the previous token keeps working, 0 (stops at once) to 2592000 (30 days). */
  overlapSeconds?: number | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
};

/** To whom an identity source goes. */
export type TransferConnectorInput = {
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Whose it is to be: a group, or an active person whose role lets them manage connectors. */
  ownerId: string;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
};

/** What becomes different about an identity source. */
export type UpdateConnectorInput = {
  /** Whether it may change anything. */
  access?: ConnectorAccess | null | undefined;
  /** Which attributes it may write; null for all of them. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** An OAuth client of the tenant that may speak for this source; null for none: it then has the rights of its own scopes. */
  clientId?: string | null | undefined;
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What it may ask for at most; all limits at once. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** For people to recognise it by; up to 200 characters. */
  name?: string | null | undefined;
  /** Which deviations from RFC 7644 to understand. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts it must not touch. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to understand, or not to, whatever the profile says; all of them at once. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** What it has to do with; at least one. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
  /** Whether to believe that the e-mail addresses it writes are the people's own. */
  vouchesForEmails?: boolean | null | undefined;
};

export type SourceFragment = { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
    | { id: string, name: string }
    | { id: string, userName: string, displayName: string | null }
   | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null };

export type SourceSettingsFragment = { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, attributes: { mode: ConnectorAttributeMode, paths: Array<string> } | null, limits: { pageSize: number | null, requestsPerMinute: number | null, bulkOperations: number | null, bulkPayloadBytes: number | null }, protectedAccounts: { administrators: boolean, userIds: Array<string>, groupIds: Array<string> }, quirks: Array<{ quirk: ConnectorQuirkName, enabled: boolean, overridden: boolean }>, owner:
    | { id: string, name: string }
    | { id: string, userName: string, displayName: string | null }
   | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null };

export type SourceListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SourceListQuery = { connectors: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
          | { id: string, name: string }
          | { id: string, userName: string, displayName: string | null }
         | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } }> } | null };

export type SourceByIdQueryVariables = Exact<{
  id: string;
}>;


export type SourceByIdQuery = { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, attributes: { mode: ConnectorAttributeMode, paths: Array<string> } | null, limits: { pageSize: number | null, requestsPerMinute: number | null, bulkOperations: number | null, bulkPayloadBytes: number | null }, protectedAccounts: { administrators: boolean, userIds: Array<string>, groupIds: Array<string> }, quirks: Array<{ quirk: ConnectorQuirkName, enabled: boolean, overridden: boolean }>, owner:
      | { id: string, name: string }
      | { id: string, userName: string, displayName: string | null }
     | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null };

export type CreateSourceMutationVariables = Exact<{
  input: CreateConnectorInput;
}>;


export type CreateSourceMutation = { createConnector: { token: string | null, repeated: boolean | null, connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, attributes: { mode: ConnectorAttributeMode, paths: Array<string> } | null, limits: { pageSize: number | null, requestsPerMinute: number | null, bulkOperations: number | null, bulkPayloadBytes: number | null }, protectedAccounts: { administrators: boolean, userIds: Array<string>, groupIds: Array<string> }, quirks: Array<{ quirk: ConnectorQuirkName, enabled: boolean, overridden: boolean }>, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateSourceMutationVariables = Exact<{
  input: UpdateConnectorInput;
}>;


export type UpdateSourceMutation = { updateConnector: { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, attributes: { mode: ConnectorAttributeMode, paths: Array<string> } | null, limits: { pageSize: number | null, requestsPerMinute: number | null, bulkOperations: number | null, bulkPayloadBytes: number | null }, protectedAccounts: { administrators: boolean, userIds: Array<string>, groupIds: Array<string> }, quirks: Array<{ quirk: ConnectorQuirkName, enabled: boolean, overridden: boolean }>, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type EnableSourceMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type EnableSourceMutation = { enableConnector: { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DisableSourceMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type DisableSourceMutation = { disableConnector: { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeleteSourceMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type DeleteSourceMutation = { deleteConnector: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RotateSourceTokenMutationVariables = Exact<{
  input: RotateConnectorTokenInput;
}>;


export type RotateSourceTokenMutation = { rotateConnectorToken: { token: string | null, repeated: boolean | null, previousTokenExpiresAt: string | null, connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RevokeSourceTokenMutationVariables = Exact<{
  input: RevokeConnectorTokenInput;
}>;


export type RevokeSourceTokenMutation = { revokeConnectorToken: { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type TransferSourceMutationVariables = Exact<{
  input: TransferConnectorInput;
}>;


export type TransferSourceMutation = { transferConnector: { connector: { id: string, name: string, status: ConnectorStatus, profile: ConnectorProfile, access: ConnectorAccess, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, clientId: string | null, createdAt: string, version: number, owner:
        | { id: string, name: string }
        | { id: string, userName: string, displayName: string | null }
       | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type OwnerSearchQueryVariables = Exact<{
  text: string;
}>;


export type OwnerSearchQuery = { users: { edges: Array<{ node: { id: string, userName: string, displayName: string | null } | null }> } | null, groups: { edges: Array<{ node: { id: string, displayName: string } | null }> } | null };

export const SourceListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SourceList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectors"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<SourceListQuery, SourceListQueryVariables>;

export const SourceByIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SourceById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SourceSettings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SourceSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"paths"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageSize"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkOperations"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkPayloadBytes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"protectedAccounts"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"administrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"groupIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"quirks"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quirk"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"overridden"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<SourceByIdQuery, SourceByIdQueryVariables>;

export const CreateSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SourceSettings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SourceSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"paths"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageSize"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkOperations"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkPayloadBytes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"protectedAccounts"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"administrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"groupIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"quirks"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quirk"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"overridden"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<CreateSourceMutation, CreateSourceMutationVariables>;

export const UpdateSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SourceSettings"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SourceSettings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"paths"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"limits"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageSize"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestsPerMinute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkOperations"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"bulkPayloadBytes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"protectedAccounts"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"administrators"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"groupIds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"quirks"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quirk"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"enabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"overridden"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateSourceMutation, UpdateSourceMutationVariables>;

export const EnableSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EnableSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"enableConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<EnableSourceMutation, EnableSourceMutationVariables>;

export const DisableSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DisableSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"disableConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<DisableSourceMutation, DisableSourceMutationVariables>;

export const DeleteSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DeleteSourceMutation, DeleteSourceMutationVariables>;

export const RotateSourceTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateSourceToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateConnectorTokenInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateConnectorToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"previousTokenExpiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RotateSourceTokenMutation, RotateSourceTokenMutationVariables>;

export const RevokeSourceTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeSourceToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeConnectorTokenInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeConnectorToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RevokeSourceTokenMutation, RevokeSourceTokenMutationVariables>;

export const TransferSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TransferSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TransferConnectorInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"transferConnector"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Source"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Source"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"access"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"vouchesForEmails"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"name"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tokens"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<TransferSourceMutation, TransferSourceMutationVariables>;

export const OwnerSearchDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnerSearch"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"text"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"and"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"active"},"value":{"kind":"BooleanValue","value":true}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"or"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"userName"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"startsWith"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"displayName"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"startsWith"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}]}]}}]}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"8"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"displayName"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"startsWith"},"value":{"kind":"Variable","name":{"kind":"Name","value":"text"}}}]}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<OwnerSearchQuery, OwnerSearchQueryVariables>;
