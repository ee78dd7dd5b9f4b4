/**
 * Signature algorithms of proofs (RFC 9449 section 5.1), all asymmetric. Each type of key has one algorithm,
 * so the key bound at the token endpoint determines the algorithm everywhere. FAPI 2.0 (section 5.4.1), with
 * PS256 instead of RS256 for RSA keys, therefore needs no rule at resources.
 */
export const dpopAlgorithms = ['ES256', 'ES384', 'PS256', 'EdDSA', 'Ed25519'] as const;
