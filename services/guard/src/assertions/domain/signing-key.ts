import {
  createECDH,
  createHash,
  createPrivateKey,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';

/** A key that signs assertions with ES256, and its public part. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
}

/** Order of P-256 (NIST SP 800-186 §3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Derives the signing key of a shared secret, so that all replicas have the same one without storing it.
 * The scalar comes from 128 more bits than the order has (FIPS 186-5 §A.2.1).
 */
export function signingKey(secret: Buffer): SigningKey {
  const bits = Buffer.from(hkdfSync('sha256', secret, '', 'ostiary/guard/assertion', 48));
  const scalar = (BigInt(`0x${bits.toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const coordinates = { crv: 'P-256', kty: 'EC', x: x as string, y: y as string };
  // RFC 7638 §3.1: the members in this order.
  const kid = createHash('sha256').update(JSON.stringify(coordinates)).digest('base64url');
  return {
    kid,
    privateKey: createPrivateKey({ key: { ...coordinates, d: d.toString('base64url') }, format: 'jwk' }),
    jwk: { ...coordinates, kid, alg: 'ES256', use: 'sig' },
  };
}
