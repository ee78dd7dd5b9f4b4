export { Idempotency, type IdempotencyStore, type KeyOutcome, type KeyUse } from './domain/idempotency.ts';
