import type { Actor } from '@ostiary/events';
import type { AttributeRule, JsonObject, SchemaRegistry } from '@ostiary/scim';
import type { Operation } from '../../compatibility/index.ts';
import type { Projection, ResourceType, ScimResource } from '../../protocol/index.ts';

/** Filter and order of a list. */
export interface Selection {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
}

/** The position of a resource in the order of a list: its sort key, where there is one, and its id. */
export interface Position {
  key?: string | number | boolean | null;
  id: string;
}

/** Pages by index, with a 1-based `startIndex`, or from a position; with `backward`, they end before it. */
export type Paging =
  | { paging: 'index'; startIndex: number }
  | { paging: 'cursor'; after?: Position | undefined; backward?: true };

export type Query = Selection & Projection & Paging & { count: number };

export interface Page {
  /** Absent from a page after a position when counting would be expensive. */
  totalResults?: number;
  Resources: ScimResource[];
  /** Position after which the next page begins; absent on the last page, and with index paging. */
  next?: Position;
  /** Position before which the previous page ends; absent on the first page, and with index paging. */
  previous?: Position;
}

/** The origin and the restrictions of a request. The source is also the namespace of externalId. */
export interface Authority {
  tenant: string;
  actor: Actor;
  source: string;
  /** Attributes that may be written, default all. */
  writable?: AttributeRule;
  /** Whether the source vouches that the e-mail addresses that it writes belong to the user. */
  vouchesForEmails?: boolean;
  /**
   * Accounts that must not be changed: these users, these groups with all members, and the role holders that the
   * directory has stored.
   */
  protects?: { users: readonly string[]; groups: readonly string[]; roleHolders?: true };
  /** Scopes that it may confer by adding members to groups that give roles, default none. */
  roleScopes?: readonly string[];
  /** The client of the request's access token, for the audit log. */
  clientId?: string;
}

export interface Change extends Authority {
  type: ResourceType;
  /** Versions, one of which must be the current one (RFC 7644 §3.14), default any. */
  ifMatch?: readonly string[];
  credentialTicket?: string;
  /**
   * Called when the change has taken effect and only its response is pending, as after a departure until access paths
   * are closed.
   */
  onTakenEffect?: (() => void) | undefined;
}

/**
 * The directory, which owns users and groups. One call is one transaction. Every method throws ScimError when the
 * directory rejects the call, ServiceUnavailable when it does not answer.
 */
export interface Directory {
  create(command: Change & { id: string; resource: JsonObject } & Projection): Promise<ScimResource>;
  read(query: Authority & { type: ResourceType; id: string } & Projection): Promise<ScimResource>;
  search(query: Authority & { type: ResourceType } & Query): Promise<Page>;
  replace(command: Change & { id: string; resource: JsonObject } & Projection): Promise<ScimResource>;
  patch(
    command: Change & { id: string; operations: readonly Operation[] } & Projection,
  ): Promise<ScimResource>;
  remove(command: Change & { id: string }): Promise<void>;
  /** Returns the schemas of a tenant's resources: those of RFC 7643, and the tenant's current own ones. */
  schemas(tenant: string): Promise<SchemaRegistry>;
}
