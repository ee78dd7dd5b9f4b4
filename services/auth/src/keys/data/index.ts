export { localKeys } from './local-keys.ts';
export { needingRedis } from './needing-redis.ts';
export { createKeptKeys, createReencryption } from './sealed-columns.ts';
export { createSealedNotes, type SealedNotes } from './sealed-notes.ts';
export { DigestNames, type SealedStoreOptions } from './sealed-store.ts';
export { SigningKeys } from './signing-keys.ts';
export { createUsedValues, type UsedValues } from './used-values.ts';
