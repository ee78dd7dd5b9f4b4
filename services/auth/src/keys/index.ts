export {
  decodeJwt,
  decodeUnsecuredJwt,
  type Signer,
  type SigningAlgorithm,
  signingAlgorithms,
  signJwt,
  tokenHash,
  type Verifier,
  verifyJwt,
} from './domain/jwt.ts';
export { MasterKeys } from './domain/keys.ts';
export {
  deriveKey,
  equalDigests,
  type KeptPurpose,
  keyedDigest,
  keyedMac,
  open,
  randomSecret,
  seal,
} from './domain/secret.ts';
export { Settling } from './domain/settling.ts';
export type { GenerateSigningKey } from './domain/signing-keys.ts';
