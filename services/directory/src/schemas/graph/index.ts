export { type SchemaLoaders, type SchemaTenant, schemaLoaders } from './loaders.ts';
export { schemaAttributeResolvers, schemaMutations, schemaQueries, schemaResolvers } from './schemas.ts';
