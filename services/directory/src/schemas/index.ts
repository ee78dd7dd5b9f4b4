export { Registries } from './domain/registries.ts';
export { Schemas } from './domain/schemas.ts';
export { OutdatedSchemas, SchemasInUse } from './domain/schemas-in-use.ts';
export type { ResourceType } from './domain/stored-schema.ts';
