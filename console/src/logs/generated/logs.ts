// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Kinds of actors. */
export type ActorKind =
  /** A client, acting for itself or for a user. */
  | 'CLIENT'
  /** A connector (identity source). */
  | 'CONNECTOR'
  /** A service of the platform, or a client of the platform that acts in the tenant. */
  | 'SERVICE'
  /** The system: a scheduled action. */
  | 'SYSTEM'
  /** A user. */
  | 'USER';

/** Restricts the audit log; an omitted field does not restrict. */
export type AuditLogFilter = {
  /** Only this action, for example `user.deactivated`. */
  action?: string | null | undefined;
  /** Only changes by this actor. */
  actorId?: string | null | undefined;
  /** Only changes by actors of this kind. */
  actorKind?: ActorKind | null | undefined;
  /**
   * Only changes by requests from this network address.
   * @deprecated Use ipAddress, as in the other logs. sunset: 2027-11-30
   */
  address?: string | null | undefined;
  /** Only changes by requests with an access token of this client. */
  clientId?: string | null | undefined;
  /** Only changes by requests from this network address. */
  ipAddress?: string | null | undefined;
  /** Only changes by another actor on behalf of this user or client. */
  onBehalfOf?: string | null | undefined;
  /** Only changes by this request. */
  requestId?: string | null | undefined;
  /** Only changes of this user, group, tenant or schema. */
  resourceId?: string | null | undefined;
  /** Only changes of objects of this type: User, Group, Tenant or Schema. */
  resourceType?: string | null | undefined;
  /** Only changes at or after this time. */
  since?: string | null | undefined;
  /** Only changes through the connector with this id. */
  source?: string | null | undefined;
  /** Only changes of this trace. */
  traceId?: string | null | undefined;
  /** Only changes before this time. */
  until?: string | null | undefined;
};

/** Restricts the connector log; an omitted field does not restrict. */
export type ConnectorLogFilter = {
  /** Only this action, for example `connector.token_rotated`. */
  action?: string | null | undefined;
  /** Only changes by this actor. */
  actorId?: string | null | undefined;
  /** Only changes by requests with an access token of this client. */
  clientId?: string | null | undefined;
  /** Only changes of this connector, which may be deleted. */
  connectorId?: string | null | undefined;
  /** Only changes by requests from this network address. */
  ipAddress?: string | null | undefined;
  /** Only changes by this request. */
  requestId?: string | null | undefined;
  /** Only changes at or after this time. */
  since?: string | null | undefined;
  /** Only changes of this trace. */
  traceId?: string | null | undefined;
  /** Only changes before this time. */
  until?: string | null | undefined;
};

/** Resource types that a connector can access. */
export type ConnectorResourceType =
  /** Groups and their members. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Restricts the provisioning log; an omitted field does not restrict. */
export type ProvisioningLogFilter = {
  /** Only requests with this outcome. FAILED includes FORBIDDEN, CONFLICT, RATE_LIMITED and UNAVAILABLE. */
  outcome?: ProvisioningOutcome | null | undefined;
  /** Only requests about this user or group. */
  resourceId?: string | null | undefined;
  /** Only requests about resources of this type. */
  resourceType?: ConnectorResourceType | null | undefined;
  /** Only requests at or after this time. */
  since?: string | null | undefined;
  /** Only requests of this source: the id of a connector, or `direct`. */
  source?: string | null | undefined;
  /** Only requests before this time. */
  until?: string | null | undefined;
};

/** Outcomes of a SCIM request. */
export type ProvisioningOutcome =
  /** Status 409: a value is taken. */
  | 'CONFLICT'
  /** Status 400 or above. */
  | 'FAILED'
  /** Status 403: a scope is missing, or a rule or a protected account forbids the request. */
  | 'FORBIDDEN'
  /** Status 429: too many requests. */
  | 'RATE_LIMITED'
  /** Status below 400. */
  | 'SUCCEEDED'
  /** Status 500 or above: the service or a dependency failed. */
  | 'UNAVAILABLE';

/** Restricts the security log; an omitted field does not restrict. */
export type SecurityLogFilter = {
  /** Only this action, for example `client.updated`. */
  action?: string | null | undefined;
  /** Only events of this actor. */
  actorId?: string | null | undefined;
  /** Only events of requests with an access token of this client. */
  clientId?: string | null | undefined;
  /** Only events of requests from this network address. Without `audit:read`, only events that the caller caused. */
  ipAddress?: string | null | undefined;
  /** Only events of this request. */
  requestId?: string | null | undefined;
  /** Only events about the client, token, session or other object with this id. */
  resourceId?: string | null | undefined;
  /** Only events at or after this time. */
  since?: string | null | undefined;
  /** Only events of this trace. */
  traceId?: string | null | undefined;
  /** Only events before this time. */
  until?: string | null | undefined;
  /** Only events that concern this user. */
  userId?: string | null | undefined;
};

type Who_ClientActor_Fragment = { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null };

type Who_ConnectorActor_Fragment = { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null };

type Who_ServiceActor_Fragment = { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null };

type Who_SystemActor_Fragment = { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null };

type Who_UserActor_Fragment = { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null };

export type WhoFragment =
  | Who_ClientActor_Fragment
  | Who_ConnectorActor_Fragment
  | Who_ServiceActor_Fragment
  | Who_SystemActor_Fragment
  | Who_UserActor_Fragment
;

export type LogNamesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type LogNamesQuery = { nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string, clientName: string }
    | { id: string, connectorName: string }
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
    | { id: string, accountName: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { userName: string, displayName: string | null, id: string }
    | { id: string, webhookName: string }
   | null> | null };

export type AuditFactsFragment = { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, resourceVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, source: string | null, actor:
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
  , changes: Array<{ attribute: string, before: string | null, after: string | null }> };

export type SecurityFactsFragment = { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, user: { id: string, userName: string, displayName: string | null } | null, actor:
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
  , changes: Array<{ attribute: string, before: string | null, after: string | null }> };

export type ConnectorFactsFragment = { id: string, action: string, occurredAt: string, connectorId: string, connectorVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, connector: { id: string, name: string } | null, actor:
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
  , changes: Array<{ attribute: string, before: string | null, after: string | null }> };

export type RequestFactsFragment = { id: string, method: string, status: number, scimType: string | null, detail: string | null, durationMs: number, requestId: string, resourceId: string | null, resourceType: ConnectorResourceType | null, at: string, source: { sourceId: string, name: string }, actor:
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
    | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
   };

export type AuditLogPageQueryVariables = Exact<{
  filter?: AuditLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditLogPageQuery = { auditLog: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ cursor: string, node: { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, resourceVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, source: string | null, actor:
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        , changes: Array<{ attribute: string, before: string | null, after: string | null }> } | null }> } | null };

export type SecurityLogPageQueryVariables = Exact<{
  filter?: SecurityLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SecurityLogPageQuery = { securityLog: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ cursor: string, node: { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, user: { id: string, userName: string, displayName: string | null } | null, actor:
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        , changes: Array<{ attribute: string, before: string | null, after: string | null }> } | null }> } | null };

export type ConnectorLogPageQueryVariables = Exact<{
  filter?: ConnectorLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ConnectorLogPageQuery = { connectorLog: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ cursor: string, node: { id: string, action: string, occurredAt: string, connectorId: string, connectorVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, connector: { id: string, name: string } | null, actor:
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        , changes: Array<{ attribute: string, before: string | null, after: string | null }> } }> } | null };

export type ProvisioningLogPageQueryVariables = Exact<{
  filter?: ProvisioningLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProvisioningLogPageQuery = { provisioningLog: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ cursor: string, node: { id: string, method: string, status: number, scimType: string | null, detail: string | null, durationMs: number, requestId: string, resourceId: string | null, resourceType: ConnectorResourceType | null, at: string, source: { sourceId: string, name: string }, actor:
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
          | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
         } }> } | null };

export type AuditEntryByIdQueryVariables = Exact<{
  id: string;
}>;


export type AuditEntryByIdQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, resourceVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, source: string | null, actor:
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
      , changes: Array<{ attribute: string, before: string | null, after: string | null }> }
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
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null };

export type SecurityEventByIdQueryVariables = Exact<{
  id: string;
}>;


export type SecurityEventByIdQuery = { node:
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
    | { id: string }
    | { id: string }
    | { id: string, action: string, occurredAt: string, resourceId: string, resourceType: string, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, user: { id: string, userName: string, displayName: string | null } | null, actor:
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
      , changes: Array<{ attribute: string, before: string | null, after: string | null }> }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null };

export type ConnectorLogEntryByIdQueryVariables = Exact<{
  id: string;
}>;


export type ConnectorLogEntryByIdQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string, action: string, occurredAt: string, connectorId: string, connectorVersion: number, clientId: string | null, ipAddress: string | null, requestId: string | null, traceId: string | null, userAgent: string | null, connector: { id: string, name: string } | null, actor:
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
      , changes: Array<{ attribute: string, before: string | null, after: string | null }> }
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
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null };

export type ProvisioningLogEntryByIdQueryVariables = Exact<{
  id: string;
}>;


export type ProvisioningLogEntryByIdQuery = { node:
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
    | { id: string, method: string, status: number, scimType: string | null, detail: string | null, durationMs: number, requestId: string, resourceId: string | null, resourceType: ConnectorResourceType | null, at: string, source: { sourceId: string, name: string }, actor:
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
        | { actorId: string, kind: ActorKind, name: string | null, onBehalfOf: string | null, onBehalfOfUser: { id: string, userName: string, displayName: string | null } | null }
       }
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
   | null };

export const LogNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LogNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"clientName"},"name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Connector"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"connectorName"},"name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ServiceAccount"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"accountName"},"name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"webhookName"},"name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<LogNamesQuery, LogNamesQueryVariables>;

export const AuditLogPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AuditLogPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditLogFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<AuditLogPageQuery, AuditLogPageQueryVariables>;

export const SecurityLogPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SecurityLogPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityLogFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"securityLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SecurityFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SecurityFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityEvent"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<SecurityLogPageQuery, SecurityLogPageQueryVariables>;

export const ConnectorLogPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorLogPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorLogFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connectorLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connectorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connectorVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ConnectorLogPageQuery, ConnectorLogPageQueryVariables>;

export const ProvisioningLogPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProvisioningLogPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ProvisioningLogFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"last"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"provisioningLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"Variable","name":{"kind":"Name","value":"last"}}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"startCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RequestFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RequestFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProvisioningLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"at"},"name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"method"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"detail"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"durationMs"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ProvisioningLogPageQuery, ProvisioningLogPageQueryVariables>;

export const AuditEntryByIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AuditEntryById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<AuditEntryByIdQuery, AuditEntryByIdQueryVariables>;

export const SecurityEventByIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SecurityEventById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityEvent"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SecurityFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SecurityFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityEvent"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<SecurityEventByIdQuery, SecurityEventByIdQueryVariables>;

export const ConnectorLogEntryByIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectorLogEntryById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConnectorFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConnectorFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConnectorLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connectorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connectorVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"traceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"connector"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"before"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"after"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ConnectorLogEntryByIdQuery, ConnectorLogEntryByIdQueryVariables>;

export const ProvisioningLogEntryByIdDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProvisioningLogEntryById"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProvisioningLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RequestFacts"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RequestFacts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProvisioningLogEntry"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"at"},"name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"method"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"status"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scimType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"detail"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"durationMs"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sourceId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Who"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Who"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Actor"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOf"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"onBehalfOfUser"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ProvisioningLogEntryByIdQuery, ProvisioningLogEntryByIdQueryVariables>;
