export { Registries } from './domain/registries.ts';
export { SchemasInUse } from './domain/schemas-in-use.ts';
export type { ResourceType } from './domain/stored-schema.ts';
