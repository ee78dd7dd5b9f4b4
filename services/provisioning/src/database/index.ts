export { type KeptPurpose, renewedKeys } from './domain/keys.ts';
