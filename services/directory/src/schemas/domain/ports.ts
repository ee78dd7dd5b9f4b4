import type { NewAuditEntry } from '../../audit/index.ts';
import type { ResourceType, StoredSchema, StoredSchemas } from './stored-schema.ts';

/** The stored extension schemas of all tenants. */
export interface SchemaStore {
  /** Returns only the version, which is cheap; undefined when there is no such tenant. */
  version(tenant: string): Promise<number | undefined>;
  /** Returns the version and the schemas. The version may be older than the schemas, never newer. */
  read(tenant: string): Promise<StoredSchemas>;
  /**
   * Runs a change of a tenant's schemas exclusively: until the commit, no other process changes them or writes a
   * resource. Then every listening process is notified.
   */
  change<T>(tenant: string, work: (tables: SchemaChange) => Promise<T>): Promise<T>;
  /**
   * Calls back with the tenant whose schemas changed; without one when any may have. @returns the function that ends
   * it
   */
  onChange(changed: (tenant: string | undefined) => void): Promise<() => Promise<void>>;
}

/** One tenant's schemas inside a change. */
export interface SchemaChange {
  /** Returns the schemas in the order of their definition. */
  all(): Promise<StoredSchema[]>;
  save(schema: StoredSchema): Promise<void>;
  delete(urn: string): Promise<void>;
  /** Schedules the removal of values from resources. */
  remove(schema: Pick<StoredSchema, 'urn' | 'resourceType'>, attribute?: string): Promise<void>;
  /** Returns the pending removals of an extension. */
  removals(urn: string): Promise<{ attribute: string | null }[]>;
  /** Ends the uniqueness of an attribute's values. @param path its full name */
  release(path: string): Promise<void>;
  /** Reports whether the tenant has a resource of the type that lacks the extension. */
  someLackExtension(type: ResourceType, urn: string): Promise<boolean>;
  /** Reports whether a resource has the extension without a value of the attribute. */
  someLackAttribute(type: ResourceType, urn: string, attribute: string): Promise<boolean>;
  record(entry: NewAuditEntry): Promise<void>;
}
