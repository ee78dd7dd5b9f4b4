export { type SchemaLoaders, schemaLoaders } from './loaders.ts';
export { schemaAttributeResolvers, schemaMutations, schemaQueries, schemaResolvers } from './schemas.ts';
