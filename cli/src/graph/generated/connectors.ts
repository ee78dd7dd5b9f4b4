// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
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
