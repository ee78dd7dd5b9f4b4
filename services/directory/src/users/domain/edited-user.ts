import type { SchemaRegistry } from '@ostiary/scim';
import type { ProtectionTables } from '../../protection/index.ts';
import type { ReplaceResource, ResourceContent, StoredResource } from '../../resources/index.ts';
import type { RoleTables } from '../../roles/index.ts';

/** A change of one user, apart from the edit of the attributes. */
export type UserChange = Omit<ReplaceResource, 'resource'> & {
  /** The addresses that it names, default all of the user's addresses after it. */
  named?: ReadonlySet<string>;
  /** The source that no longer vouches for the user's addresses. */
  withdrawn?: string;
};

/** A user whose attributes were edited, and not yet checked. */
export interface EditedUser {
  tenant: string;
  registry: SchemaRegistry;
  before: StoredResource;
  content: ResourceContent;
  command: UserChange;
  now: Date;
}

/** The tables from which the rules for changes of a user read, also outside of a transaction. */
export type UserGuards = ProtectionTables & RoleTables;

export const isActive = ({ data }: Pick<StoredResource, 'data'>): boolean => data.active !== false;
