export { readSchemas } from './read-schemas.ts';
