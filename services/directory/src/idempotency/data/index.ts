export { IdempotencyKeys } from './idempotency.ts';
