import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { compactVerify } from 'jose';
import { joseSignature, signJwt } from './jwt.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test('ES256 signatures consist of two 32-byte halves for integers of every length.', () => {
  const lengths = new Set<number>();
  for (let round = 0; round < 3_000; round += 1) {
    const input = Buffer.from(`message ${round}`);
    const der = sign('sha256', input, privateKey);
    lengths.add(der.length);
    const signature = joseSignature(der);
    expect(signature).toHaveLength(64);
    expect(verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  }
  // Numbers with and without a leading zero, and shorter ones, occurred.
  expect(lengths.size).toBeGreaterThanOrEqual(4);
});

test('The jose library verifies signatures of the server.', async () => {
  for (const [alg, type] of [
    ['ES256', 'ec'],
    ['RS256', 'rsa'],
    ['EdDSA', 'ed25519'],
  ] as const) {
    const pair =
      type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : type === 'rsa'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('ed25519');
    const token = signJwt('at+jwt', { sub: 'alice' }, { kid: 'k', alg, privateKey: pair.privateKey });
    const { payload, protectedHeader } = await compactVerify(token, pair.publicKey);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ sub: 'alice' });
    expect(protectedHeader).toEqual({ typ: 'at+jwt', alg, kid: 'k' });
  }
});
