import type { NewEvent } from '@ostiary/events';
import type { SchemaRegistry } from '@ostiary/scim';
import type { NewAuditEntry } from '../../audit/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { SearchResources } from './commands.ts';
import type { Attributes, Derived, StoredResource } from './stored-resource.ts';

/** The users or the groups of one tenant, for reading. */
export interface ResourceReader {
  /** @param id canonical UUID */
  find(id: string): Promise<StoredResource | undefined>;
  /** Those of the ids that exist, in no particular order. */
  findMany(ids: readonly string[]): Promise<StoredResource[]>;
}

/** The users or the groups of one tenant, inside a transaction. */
export interface ResourceStore extends ResourceReader {
  /** Reads one and holds it until the transaction ends. What is held for a change may become a member of groups meanwhile. */
  lock(id: string, purpose?: 'change' | 'deletion'): Promise<StoredResource | undefined>;
  /** Locks many in the order of their ids, so that two transactions can't wait for each other in a ring. */
  lockMany(ids: readonly string[]): Promise<StoredResource[]>;
  /** @throws NotUniqueValue */
  insert(resource: StoredResource, derived: Derived): Promise<void>;
  /** The caller holds its lock. @throws NotUniqueValue */
  update(resource: StoredResource, derived: Derived): Promise<void>;
  /** One version more for those whose members changed; their locks are held. */
  touchMany(ids: readonly string[], at: Date): Promise<StoredResource[]>;
  delete(id: string): Promise<void>;
}

/** A new resource, or a new state of one, and what there is to record about it. */
export interface ResourceWrite {
  type: ResourceType;
  resource: StoredResource;
  derived: Derived;
  /** The version whose place it takes; a new resource when there is none. */
  replaces?: number;
  entry: NewAuditEntry;
  event: NewEvent;
}

/** Finds out what ids are of. */
export interface ReferenceStore {
  /** The type of each id that exists in the tenant. Inside a transaction, users stay in existence until it ends. */
  holdMembers(ids: readonly string[]): Promise<Map<string, ResourceType>>;
}

/** What every collection of resources needs of one tenant's data. */
export interface ResourcesStore {
  readonly tenant: string;
  readonly users: ResourceReader;
  readonly groups: ResourceReader;
  readonly memberships: ReferenceStore;
}

/** What belongs to the resources of one page is more than fits into memory with good conscience. */
export class TooMuchToShow extends Error {}

/** A page of a tenant's resources: in the order of their ids, which is that of their creation, or by an attribute. */
export interface KeysetPage {
  filter?: string | undefined;
  sortBy?: string | undefined;
  sortOrder?: 'ascending' | 'descending' | undefined;
  /** Whether it is read from the end of the list: its resources then come last first. */
  backward?: boolean | undefined;
  /** The position behind which it begins, in its direction. */
  after?: { key?: string | number | boolean | null; id: string } | undefined;
  limit: number;
}

/** A place in the order of a search: that of a resource, by its sort key (null for no value) and its id. */
export interface Position {
  key?: string | null;
  id: string;
}

/** A resource, and its place in the order of a page. */
export interface Placed {
  resource: StoredResource;
  position: Position;
}

/** What searches of one type need to know of it. */
export interface Searched {
  type: ResourceType;
  registry: SchemaRegistry;
  /** @throws TooMuchToShow when more than `most` members or groups belong to them */
  present(stored: readonly StoredResource[], query: SearchResources, most?: number): Promise<Attributes[]>;
  /** How many of these, the first ones, may be shown on one page, of which too much belongs to all of them. */
  room(stored: readonly StoredResource[], most: number): Promise<number>;
}

/** Finds resources of one tenant. */
export interface ResourceSearch {
  /** A query (RFC 7644 section 3.4.2), as a ListResponse. @throws ScimError invalidFilter, invalidPath, invalidValue, tooMany */
  search(searched: Searched, query: SearchResources): Promise<object>;
  /** @throws ScimError invalidFilter, tooMany */
  page(searched: Searched, page: KeysetPage): Promise<Placed[]>;
  /** How many match. @throws ScimError invalidFilter, tooMany */
  count(searched: Searched, filter?: string): Promise<number>;
}
