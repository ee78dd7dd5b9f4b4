import type { NewEvent } from '@ostiary/events';
import type { SchemaRegistry } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import type { NewAuditEntry } from '../../audit/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { SearchResources } from './commands.ts';
import type { Attributes, Derived, StoredResource } from './stored-resource.ts';

/** The users or the groups of one tenant, for reading. */
export interface ResourceReader {
  /** @param id canonical UUID */
  find(id: string): Promise<StoredResource | undefined>;
  /** Returns the existing resources of these ids, in no particular order. */
  findMany(ids: readonly string[]): Promise<StoredResource[]>;
}

/** The users or the groups of one tenant, inside a transaction. */
export interface ResourceStore extends ResourceReader {
  /**
   * Reads a resource and locks it until the transaction ends. One locked for a change can still become a member of
   * groups.
   */
  lock(id: string, purpose?: 'change' | 'deletion'): Promise<StoredResource | undefined>;
  /** Locks resources in the order of their ids, so that two transactions cannot deadlock. */
  lockMany(ids: readonly string[]): Promise<StoredResource[]>;
  /** @throws NotUniqueValue */
  insert(resource: StoredResource, derived: Derived): Promise<void>;
  /** The caller holds its lock. @throws NotUniqueValue */
  update(resource: StoredResource, derived: Derived): Promise<void>;
  /** Increments the version of resources whose members changed; their locks are held. */
  touchMany(ids: readonly string[], at: Date): Promise<StoredResource[]>;
  delete(id: string): Promise<void>;
}

/** A new resource, or a new state of one, with its audit entry and event. */
export interface ResourceWrite {
  type: ResourceType;
  resource: StoredResource;
  derived: Derived;
  /** The replaced version; undefined for a new resource. */
  replaces?: number;
  entry: NewAuditEntry;
  event: NewEvent;
}

/** Determines the types of ids. */
export interface ReferenceStore {
  /**
   * Returns the type of each id that exists in the tenant. Inside a transaction, the users cannot be deleted until it
   * ends.
   */
  holdMembers(ids: readonly string[]): Promise<Map<string, ResourceType>>;
}

/** Resources that share their name with another one, from before names were unique. */
export interface SharedNames {
  /** Returns a page in the order of ids. */
  page(page: IdPage): Promise<StoredResource[]>;
  count(): Promise<number>;
}

/** The tables of one tenant that can be changed together. */
export interface Transactions<Tables> {
  readonly tenant: string;
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  change<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
}

/** The part of a tenant's data that all collections of resources need. */
export interface ResourcesStore {
  readonly tenant: string;
  readonly users: ResourceReader;
  readonly groups: ResourceReader;
  readonly memberships: ReferenceStore;
}

/** The members or groups of one page exceed the memory limit. */
export class TooMuchToShow extends Error {}

/** A page of a tenant's resources, in the order of their ids, which is that of their creation, or by an attribute. */
export interface KeysetPage {
  filter?: string | undefined;
  sortBy?: string | undefined;
  sortOrder?: 'ascending' | 'descending' | undefined;
  /** Whether it is read from the end of the list, last resource first. */
  backward?: boolean | undefined;
  /** The position after which it begins, in its direction. */
  after?: { key?: string | number | boolean | null; id: string } | undefined;
  limit: number;
}

/** The position of a resource in the order of a search: its sort key (null for no value) and its id. */
export interface Position {
  key?: string | null;
  id: string;
}

/** A resource with its position in the order of a page. */
export interface Placed {
  resource: StoredResource;
  position: Position;
}

/** The part of a resource type that searches need. */
export interface Searched {
  type: ResourceType;
  registry: SchemaRegistry;
  /** @throws TooMuchToShow when the resources have more than `most` members or groups */
  present(stored: readonly StoredResource[], query: SearchResources, most?: number): Promise<Attributes[]>;
  /** Returns the number of resources, from the first, that fit on one page. */
  room(stored: readonly StoredResource[], most: number): Promise<number>;
}

/** Finds resources of one tenant. */
export interface ResourceSearch {
  /**
   * Executes a query (RFC 7644 §3.4.2). @returns a ListResponse @throws ScimError invalidFilter, invalidPath,
   * invalidValue, tooMany
   */
  search(searched: Searched, query: SearchResources): Promise<object>;
  /** @throws ScimError invalidFilter, tooMany */
  page(searched: Searched, page: KeysetPage): Promise<Placed[]>;
  /** Counts the matching resources. @throws ScimError invalidFilter, tooMany */
  count(searched: Searched, filter?: string): Promise<number>;
}
