export { ofEachType } from './of-each-type.ts';
export { PostgresSchemaStore } from './schemas.ts';
export { asOutdatedSchemas } from './violations.ts';
