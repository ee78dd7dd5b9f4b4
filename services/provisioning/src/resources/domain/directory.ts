import type { Actor } from '@ostiary/events';
import type { AttributeRule, JsonObject, SchemaRegistry } from '@ostiary/scim';
import type { Operation } from '../../compatibility/index.ts';
import type { Projection, ResourceType, ScimResource } from '../../protocol/index.ts';

/** What is looked for, and in which order it comes. */
export interface Selection {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
}

/** The place of a resource in the order of a list: its sort key, where there is one, and its id. */
export interface Position {
  key?: string | number | boolean | null;
  id: string;
}

/** Pages either by index, `startIndex` being 1-based, or begin after a position; backward, they end before it. */
export type Paging =
  | { paging: 'index'; startIndex: number }
  | { paging: 'cursor'; after?: Position | undefined; backward?: true };

export type Query = Selection & Projection & Paging & { count: number };

export interface Page {
  /** Left out of a page after a position when counting would be expensive. */
  totalResults?: number;
  Resources: ScimResource[];
  /** Where the next page begins; absent on the last page, and with index paging. */
  next?: Position;
  /** Where the page before ends; absent on the first page, and with index paging. */
  previous?: Position;
}

/** On whose behalf, and in whose externalId namespace. */
export interface Authority {
  tenant: string;
  actor: Actor;
  source: string;
  /** Which attributes may be written; all when absent. */
  writable?: AttributeRule;
  /** The source stands for it that the e-mail addresses it writes are the user's own. */
  vouchesForEmails?: boolean;
  /** Accounts that must not be touched: these users, these groups and everybody in them; and whom the directory knows to have a role. */
  protects?: { users: readonly string[]; groups: readonly string[]; roleHolders?: true };
  /** What it may give by adding to groups that give roles; nothing when absent. */
  roleScopes?: readonly string[];
  /** The app whose access token the request came with, for the audit log. */
  clientId?: string;
}

export interface Change extends Authority {
  type: ResourceType;
  /** Versions of which one must be the current one (RFC 7644 section 3.14); any when absent. */
  ifMatch?: readonly string[];
  credentialTicket?: string;
  /** Called when it has taken effect and only the answer waits, as that to a departure does for its doors to close. */
  onTakenEffect?: (() => void) | undefined;
}

/**
 * The directory: owner of users and groups. One call is one transaction.
 * Every method throws ScimError for what the directory refuses, ServiceUnavailable when it doesn't answer.
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
  /** What is defined for a tenant's resources: the RFC's schemas, and the tenant's own as of now. */
  schemas(tenant: string): Promise<SchemaRegistry>;
}
