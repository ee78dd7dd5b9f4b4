import type { NewAuditEntry } from '../../audit/index.ts';
import type { ResourceType, StoredSchema, StoredSchemas } from './stored-schema.ts';

/** Where the extension schemas of all tenants are kept. */
export interface SchemaStore {
  /** Only the version, which is cheap; undefined when there is no such tenant. */
  version(tenant: string): Promise<number | undefined>;
  /** The version and the schemas; a version that is older than they are is possible, a newer one isn't. */
  read(tenant: string): Promise<StoredSchemas>;
  /**
   * Runs a change of a tenant's schemas alone: no other process changes them, and no resource is written, until it is committed.
   * Then every process that listens is notified.
   */
  change<T>(tenant: string, work: (tables: SchemaChange) => Promise<T>): Promise<T>;
  /** Calls back with the tenant whose schemas changed; without one when any may have. Resolves to the function that ends it. */
  onChange(changed: (tenant: string | undefined) => void): Promise<() => Promise<void>>;
}

/** One tenant's schemas inside a change. */
export interface SchemaChange {
  /** In the order they were defined. */
  all(): Promise<StoredSchema[]>;
  save(schema: StoredSchema): Promise<void>;
  delete(urn: string): Promise<void>;
  /** Notes that values are to be removed from resources. */
  remove(schema: Pick<StoredSchema, 'urn' | 'resourceType'>, attribute?: string): Promise<void>;
  /** What is still being removed of an extension. */
  removals(urn: string): Promise<{ attribute: string | null }[]>;
  /** Values of an attribute are no longer kept unique. @param path its full name */
  release(path: string): Promise<void>;
  /** Whether the tenant has a resource of the type that lacks the extension. */
  someLackExtension(type: ResourceType, urn: string): Promise<boolean>;
  /** Whether a resource uses the extension without having a value of the attribute. */
  someLackAttribute(type: ResourceType, urn: string, attribute: string): Promise<boolean>;
  record(entry: NewAuditEntry): Promise<void>;
}
