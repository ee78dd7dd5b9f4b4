import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { Schemas } from '../domain/schemas.ts';
import type { StoredSchema } from '../domain/stored-schema.ts';

/** The operations on the schemas of a tenant that the graph needs. */
export interface SchemaTenant {
  readonly schemas: Schemas;
}

export interface SchemaLoaders {
  directory(): Promise<SchemaTenant>;
  /** Extension schemas by URN, in lower case. */
  schemas: DataLoader<string, StoredSchema | null>;
}

export type SchemaResolvers = Record<string, Resolver<SchemaLoaders>>;

export const schemaLoaders = (tenant: () => Promise<SchemaTenant>): Pick<SchemaLoaders, 'schemas'> => ({
  schemas: batchOne(
    async () => (await tenant()).schemas.list(),
    ({ urn }) => urn.toLowerCase(),
  ),
});
