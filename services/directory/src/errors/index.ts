export { givesRole, InvalidAttribute, NotUniqueValue, VersionMismatch } from './refusals.ts';
