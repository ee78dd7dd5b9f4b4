export { PostgresSchemaStore } from './schemas.ts';
export { asOutdatedSchemas } from './violations.ts';
