/** Signature algorithms of private_key_jwt. */
export const privateKeyAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
] as const;
/** Signature algorithms of client_secret_jwt. */
export const secretAlgorithms = ['HS256', 'HS384', 'HS512'] as const;

export type AssertionAlgorithm = (typeof privateKeyAlgorithms)[number] | (typeof secretAlgorithms)[number];
