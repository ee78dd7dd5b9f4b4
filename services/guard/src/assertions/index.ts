export { Assertions } from './domain/assertion.ts';
export { signingKey } from './domain/signing-key.ts';
