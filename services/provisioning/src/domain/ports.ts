import type { Actor } from '@ostiary/events';
import type { JsonObject } from '@ostiary/scim';
import type { Operation } from './compatibility/operation.ts';
import type { Projection } from './projection.ts';

export type ResourceType = 'User' | 'Group';

export const endpointOf = (type: ResourceType): 'Users' | 'Groups' => (type === 'User' ? 'Users' : 'Groups');

/** A resource as the directory gives it: canonical names, `meta` without a location. */
export type ScimResource = JsonObject;

export interface Query extends Projection {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  /** 1-based. */
  startIndex: number;
  count: number;
}

export interface Page {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: ScimResource[];
}

/** On whose behalf, and in whose externalId namespace. */
export interface Authority {
  tenant: string;
  actor: Actor;
  source: string;
}

export interface Change extends Authority {
  type: ResourceType;
  /** Versions of which one must be the current one (RFC 7644 section 3.14); any when absent. */
  ifMatch?: readonly string[];
  credentialTicket?: string;
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
}

/** Where passwords go: the authorization server hashes them and hands out a ticket. */
export interface Credentials {
  /**
   * Hashes a password and keeps it, not yet valid, for an hour.
   * @param administrators whether the caller may set the passwords of people with a role, too
   * @throws ScimError invalidValue when it isn't acceptable, 403 for an administrator's; ServiceUnavailable
   */
  stage(tenant: string, subject: string, password: string, administrators: boolean): Promise<string>;
  /** Makes a staged password valid. The event of the change does the same a little later, so failing is no harm. */
  activate(tenant: string, ticket: string): Promise<void>;
}
