import type { Actor } from '@ostiary/events';
import type { AttributeRule } from '@ostiary/scim';
import type { ProtectedAccounts } from '../../protection/index.ts';
import type { Attributes } from './stored-resource.ts';

/** The actor of a change, and the identity source it comes through; without a source it is made directly. */
export interface Origin {
  actor: Actor;
  source?: string;
  /** It is done by one of the tenant's own apps, which keep what SCIM clients can't modify. */
  keeper?: boolean;
  /** Which attributes it may write; all that clients may write when there is no rule. */
  writable?: AttributeRule;
  /** Its source vouches for the e-mail addresses it writes: they are the user's own. */
  vouchesForEmails?: boolean;
  /** Accounts it must not touch. */
  protects?: ProtectedAccounts;
  /** Throws, or rejects, unless the caller may give rights that need these scopes; without it, no rights are given. */
  mayGive?: (scopes: readonly string[]) => void | Promise<void>;
}

/** What part of a resource is returned (RFC 7644 section 3.9), and whose externalId. */
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
  /** Chosen by the caller, who needed it beforehand; a canonical UUID. */
  id?: string;
  /** Names a password staged with the authorization server; travels in the event. */
  credentialTicket?: string;
}

interface Change extends Origin {
  id: string;
  /** ETags, one of which must be the current one (RFC 9110 section 13.1.1). */
  ifMatch?: readonly string[];
}

export interface ReplaceResource extends Change {
  resource: Attributes;
  credentialTicket?: string;
}

export interface PatchResource extends Change {
  /** The `Operations` of a PatchOp message (RFC 7644 section 3.5.2). */
  operations: unknown;
  credentialTicket?: string;
}

export type RemoveResource = Change;

/** A query (RFC 7644 section 3.4.2). */
export interface SearchResources extends View {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  /** Whether pages are found by `startIndex` (unless said) or behind a position. */
  paging?: 'index' | 'cursor';
  /** 1-based. */
  startIndex?: number;
  /** `next` of the page before; with `backward`, `previous` of the page behind. */
  after?: { key?: string | number | boolean | null; id: string };
  /** Whether the page ends before the position instead of beginning behind it. */
  backward?: boolean;
  count?: number;
}

/** The source of what isn't done through a connector. */
export const directSource = 'direct';
