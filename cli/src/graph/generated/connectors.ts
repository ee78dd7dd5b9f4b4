// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
/** Access of a connector. */
export type ConnectorAccess =
  /** Reading. */
  | 'READ_ONLY'
  /** Reading and writing. */
  | 'READ_WRITE';

/** Meaning of the paths of an attribute rule. */
export type ConnectorAttributeMode =
  /** The connector can write all attributes except these. */
  | 'EXCEPT'
  /** The connector can write only these attributes. */
  | 'ONLY';

/** Attributes that a connector can write, in addition to its own `externalId`. */
export type ConnectorAttributesInput = {
  /** Meaning of the paths. */
  mode: ConnectorAttributeMode;
  /**
   * SCIM paths, at most 200: an attribute (`displayName`, `active`, `password`, `members`) or a sub-attribute of a
   * single-valued one (`name.familyName`), either with the URN of its schema as a prefix, or such a URN for all its
   * attributes.
   */
  paths: Array<string>;
};

/** Input of `disableConnector`, `enableConnector` and `deleteConnector`. */
export type ConnectorInput = {
  /** Id of the connector. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Limits of the requests of a connector, each at least 1. Values above the limit of the service have no effect. */
export type ConnectorLimitsInput = {
  /** Maximum number of operations in a Bulk request. */
  bulkOperations?: number | null | undefined;
  /** Maximum size of a Bulk request in bytes. */
  bulkPayloadBytes?: number | null | undefined;
  /** Maximum number of resources on a page of a list. */
  pageSize?: number | null | undefined;
  /** Maximum number of requests per minute. Each operation of a Bulk request counts as a request. */
  requestsPerMinute?: number | null | undefined;
};

/** Profiles of deviations from the RFCs in requests of connectors. */
export type ConnectorProfile =
  /** Accepts the deviations of all known sources, unless the RFC defines another meaning. Default. */
  | 'AUTO'
  /** Microsoft Entra ID. */
  | 'ENTRA'
  /** Okta. */
  | 'OKTA'
  /** OneLogin. */
  | 'ONELOGIN'
  /** RFC 7643 and RFC 7644 without deviations. */
  | 'RFC';

/** Accounts that a connector must not change; an omitted field protects no account. */
export type ConnectorProtectedAccountsInput = {
  /** Whether all users with a role in the tenant are protected, determined at each change. Default: false. */
  administrators?: boolean | null | undefined;
  /** Ids of protected groups, at most 500. The groups in them and all their members are also protected. */
  groupIds?: Array<string> | null | undefined;
  /** Ids of protected users, at most 500. */
  userIds?: Array<string> | null | undefined;
};

/** Deviation from RFC 7644 to accept or reject. */
export type ConnectorQuirkInput = {
  /** Whether the deviation is accepted. */
  enabled: boolean;
  /** The deviation. */
  quirk: ConnectorQuirkName;
};

/** Deviations from RFC 7643 and RFC 7644 in requests of known identity sources. */
export type ConnectorQuirkName =
  /** `op` regardless of case: `Replace`. */
  | 'ANY_CASE_OPERATIONS'
  /** `manager` as an id; an empty string removes the manager. */
  | 'BARE_MANAGER'
  /** Core URNs of drafts in `schemas`, such as `urn:scim:schemas:core:1.0`. */
  | 'DRAFT_SCHEMAS'
  /** The response to a PATCH of a group is 204. */
  | 'GROUP_PATCH_NO_CONTENT'
  /** Paths as keys of a PATCH without a path: `{"name.givenName": "Ada"}`. */
  | 'PATH_KEYS'
  /** Booleans as strings in filters: `emails[primary eq "True"]`. */
  | 'QUOTED_BOOLEANS'
  /** Attributes that cannot be written, such as `id`, in a PATCH without a path. */
  | 'READ_ONLY_KEYS'
  /** `remove` with a path and the values to remove. */
  | 'REMOVE_BY_VALUE'
  /** `replace` of a sub-attribute of a value that does not exist creates the value. */
  | 'REPLACE_CREATES_ELEMENT'
  /** Booleans as strings: `"active": "False"`. */
  | 'STRING_BOOLEANS'
  /** Unknown URNs in `schemas`. */
  | 'UNKNOWN_SCHEMAS'
  /** Single value in the form of a multi-valued attribute: `[{"$ref": null, "value": "Ada"}]`. */
  | 'WRAPPED_SCALARS';

/** Resource types that a connector can access. */
export type ConnectorResourceType =
  /** Groups and their members. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Statuses of a connector. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are rejected. */
  | 'DISABLED';

/** Input of `createConnector`. */
export type CreateConnectorInput = {
  /** Access of the connector. Default: READ_WRITE. */
  access?: ConnectorAccess | null | undefined;
  /** Attributes that the connector can write. Default: all. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** OAuth client of the tenant that can also act as this connector, with a token that has `scim:read` or `scim:write`. Default: none. */
  clientId?: string | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Limits of the requests of the connector. Default: those of the service. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** Name of the connector for administrators, 1 to 200 characters. */
  name: string;
  /**
   * Id of the owner: a group, or an active user whose role allows managing connectors. Default: the calling user, or the
   * owner of the calling client or service account. Clients of the platform operator create it without an owner.
   */
  ownerId?: string | null | undefined;
  /** Deviations from RFC 7644 to accept. Default: AUTO. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts that the connector must not change. Default: none. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to accept or reject, regardless of the profile. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** Resource types that the connector can access, at least one. Default: all. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** Whether email addresses that the connector writes are verified addresses of the users. Default: false. */
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

/** Input of `rotateConnectorToken`. */
export type RotateConnectorTokenInput = {
  /** Id of the connector. */
  id: string;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Time in seconds for which the previous token remains valid, 0 (revoked immediately) to 2592000 (30 days). Default: 86400 (one day). */
  overlapSeconds?: number | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type ConnectorsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConnectorsQuery = { connectors: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, status: ConnectorStatus, access: ConnectorAccess, profile: ConnectorProfile, createdAt: string, version: number } }> } | null };

export type ConnectorQueryVariables = Exact<{
  id: string;
}>;


export type ConnectorQuery = { connector: { id: string, name: string, status: ConnectorStatus, access: ConnectorAccess, profile: ConnectorProfile, clientId: string | null, resourceTypes: Array<ConnectorResourceType>, vouchesForEmails: boolean, createdAt: string, version: number, owner:
      | { displayName: string }
      | { userName: string }
     | null, tokens: Array<{ id: string, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }> | null } | null };

export type CreateConnectorMutationVariables = Exact<{
  input: CreateConnectorInput;
}>;


export type CreateConnectorMutation = { createConnector: { token: string | null, connector: { id: string, name: string } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RotateConnectorTokenMutationVariables = Exact<{
  input: RotateConnectorTokenInput;
}>;


export type RotateConnectorTokenMutation = { rotateConnectorToken: { token: string | null, previousTokenExpiresAt: string | null, connector: { id: string, name: string } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type DisableConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type DisableConnectorMutation = { disableConnector: { connector: { id: string, name: string, status: ConnectorStatus } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type EnableConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type EnableConnectorMutation = { enableConnector: { connector: { id: string, name: string, status: ConnectorStatus } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type DeleteConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type DeleteConnectorMutation = { deleteConnector: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const Connectors = operation<ConnectorsQuery, ConnectorsQueryVariables>('Connectors', "query Connectors($after:String){connectors(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name status access profile createdAt version}}}}");

export const Connector = operation<ConnectorQuery, ConnectorQueryVariables>('Connector', "query Connector($id:ID!){connector(id:$id){id name status access profile clientId resourceTypes vouchesForEmails createdAt version owner{...on User{userName}...on Group{displayName}}tokens{id createdAt expiresAt lastUsedAt}}}");

export const CreateConnector = operation<CreateConnectorMutation, CreateConnectorMutationVariables>('CreateConnector', "mutation CreateConnector($input:CreateConnectorInput!){createConnector(input:$input){connector{id name}token problems{code message path}}}");

export const RotateConnectorToken = operation<RotateConnectorTokenMutation, RotateConnectorTokenMutationVariables>('RotateConnectorToken', "mutation RotateConnectorToken($input:RotateConnectorTokenInput!){rotateConnectorToken(input:$input){connector{id name}token previousTokenExpiresAt problems{code message}}}");

export const DisableConnector = operation<DisableConnectorMutation, DisableConnectorMutationVariables>('DisableConnector', "mutation DisableConnector($input:ConnectorInput!){disableConnector(input:$input){connector{id name status}problems{code message}}}");

export const EnableConnector = operation<EnableConnectorMutation, EnableConnectorMutationVariables>('EnableConnector', "mutation EnableConnector($input:ConnectorInput!){enableConnector(input:$input){connector{id name status}problems{code message}}}");

export const DeleteConnector = operation<DeleteConnectorMutation, DeleteConnectorMutationVariables>('DeleteConnector', "mutation DeleteConnector($input:ConnectorInput!){deleteConnector(input:$input){id problems{code message}}}");
