export { givesRole, InvalidAttribute, NotUniqueValue, VersionMismatch } from './domain/refusals.ts';
