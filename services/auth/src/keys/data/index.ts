export { createKeptKeys } from './kept-keys.ts';
export { LocalKeys } from './local-keys.ts';
export { needingRedis } from './needing-redis.ts';
export { SealedNotes } from './sealed-notes.ts';
export { DigestNames, type SealedStoreOptions } from './sealed-store.ts';
export { SigningKeys, signingKeyContext } from './signing-keys.ts';
export { UsedValues } from './used-values.ts';
