export { schemaUrns, withoutSchema } from './domain/attributes.ts';
export { normaliseFilter, normaliseOperations, normaliseResource } from './domain/normalise.ts';
export { member, type Operation } from './domain/operation.ts';
export { isProfile, type Profile, type Quirks, quirkNames, quirksOf, readQuirks } from './domain/profiles.ts';
