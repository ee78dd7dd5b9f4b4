export { createKeptKeys } from './kept-keys.ts';
export { localKeys } from './local-keys.ts';
export { needingRedis } from './needing-redis.ts';
export { createSealedNotes, type SealedNotes } from './sealed-notes.ts';
export { DigestNames, type SealedStoreOptions } from './sealed-store.ts';
export { SigningKeys, signingKeyContext } from './signing-keys.ts';
export { createUsedValues, type UsedValues } from './used-values.ts';
