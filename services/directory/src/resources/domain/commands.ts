import type { Actor } from '@ostiary/events';
import type { AttributeRule } from '@ostiary/scim';
import type { ProtectedAccounts } from '../../protection/index.ts';
import type { Attributes } from './stored-resource.ts';

/** The actor of a change, its identity source, and the restrictions on it. Without a source the change is direct. */
export interface Origin {
  actor: Actor;
  source?: string;
  /** Whether it is made by one of the tenant's own clients, which write attributes that SCIM clients cannot modify. */
  ownClient?: boolean;
  /** Attributes that it may write, default all that clients may write. */
  writable?: AttributeRule;
  /** Whether its source vouches that the e-mail addresses that it writes belong to the user. */
  vouchesForEmails?: boolean;
  /** Accounts that it must not change. */
  protects?: ProtectedAccounts;
  /**
   * Throws, or rejects, unless the caller may grant rights that need these scopes. Without it, no rights can be
   * granted.
   */
  mayGive?: (scopes: readonly string[]) => void | Promise<void>;
}

/** The returned part of a resource (RFC 7644 §3.9), and the source of its externalId. */
export interface View {
  attributes?: readonly string[];
  excludedAttributes?: readonly string[];
  source?: string;
  /** Names of the attributes that the request has written. */
  written?: readonly string[];
  /** Whether e-mail addresses are returned with `verified`, which is no attribute of SCIM. */
  verified?: boolean;
}

export interface CreateResource extends Origin {
  resource: Attributes;
  /** Canonical UUID that the caller chose before the creation. */
  id?: string;
  /** Ticket of a password staged with the authorization server; part of the event. */
  credentialTicket?: string;
}

/** A change of one resource. Without further properties, its deletion. */
export interface ChangeResource extends Origin {
  id: string;
  /** ETags, one of which must be the current one (RFC 9110 §13.1.1). */
  ifMatch?: readonly string[];
}

export interface ReplaceResource extends ChangeResource {
  resource: Attributes;
  credentialTicket?: string;
}

export interface PatchResource extends ChangeResource {
  /** The `Operations` of a PatchOp message (RFC 7644 §3.5.2). */
  operations: unknown;
  credentialTicket?: string;
}

/** A query (RFC 7644 §3.4.2). */
export interface SearchResources extends View {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  /** Paging by `startIndex` (default) or from a position. */
  paging?: 'index' | 'cursor';
  /** 1-based. */
  startIndex?: number;
  /** `next` of the previous page; with `backward`, `previous` of the following page. */
  after?: { key?: string | number | boolean | null; id: string };
  /** Whether the page ends before the position instead of beginning after it. */
  backward?: boolean;
  count?: number;
}

/** The source of changes that are made without a connector. */
export const directSource = 'direct';
