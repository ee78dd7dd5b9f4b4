/** Parameters of a JWK that would make it more than a public key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4, RFC 8037 section 2). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isEdwards = (alg: unknown): boolean => alg === 'EdDSA' || alg === 'Ed25519';

/** Whether a key that names `alg` may verify a signature that names `other`: EdDSA and Ed25519 are two names of one (RFC 9864). */
export const isSameAlgorithm = (alg: unknown, other: unknown): boolean =>
  alg === other || (isEdwards(alg) && isEdwards(other));

/**
 * Returns the reason why a JWK cannot be a public verification key (RFC 7517 sections 4.2 to 4.4): private
 * parameters, another `use`, `key_ops` without `verify`, or another `alg`. Used for all external keys.
 * @param alg algorithm of the signature, default any
 * @returns a sentence for the key's creator; undefined if there is none
 */
export function contradictionOf(jwk: Readonly<Record<string, unknown>>, alg?: string): string | undefined {
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) {
    return 'The key contains private parameters and is no longer secret. Only public keys are accepted.';
  }
  if (jwk.use !== undefined && jwk.use !== 'sig') return 'The key is not for signatures (use).';
  const { key_ops: operations } = jwk;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return 'The key is not for verifying signatures (key_ops).';
  }
  if (alg !== undefined && jwk.alg !== undefined && !isSameAlgorithm(jwk.alg, alg)) {
    return 'The key is for another algorithm (alg).';
  }
  return undefined;
}
