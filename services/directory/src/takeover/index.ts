export { AcknowledgedChanges } from './domain/acknowledged.ts';
export { Takeover } from './domain/takeover.ts';
