import { describe, expect, test } from '@jest/globals';
import { readProof } from '@ostiary/verifier/core';
import { contradictionOf, dpopAlgorithms } from '../src/index.ts';
import { Prover } from '../src/testing.ts';

const uri = 'https://id.example/t/demo/token';

const read = async (prover: Prover, changes: Record<string, unknown>) =>
  readProof(await prover.proof('POST', uri, undefined, { header: { jwk: { ...prover.jwk, ...changes } } }), {
    method: 'POST',
    uri,
    now: Date.now() / 1000,
  });

/** Members of a JWK that contradict its use as the public key of a signature (RFC 7517 §4.2 to §4.4). */
const contradictions: Record<string, Record<string, unknown>> = {
  'use: enc': { use: 'enc' },
  'use: something unknown': { use: 'tls' },
  'use: not even text': { use: 1 },
  'key_ops: sign': { key_ops: ['sign'] },
  'key_ops: encrypt': { key_ops: ['encrypt', 'wrapKey'] },
  'key_ops: none': { key_ops: [] },
  'key_ops: no list': { key_ops: 'verify' },
  'use and key_ops that disagree': { use: 'sig', key_ops: ['deriveKey'] },
  'a private exponent': { d: 'AAAA' },
  'a symmetric key': { k: 'AAAA' },
};

describe('the key of a DPoP proof (RFC 9449 §4.3)', () => {
  test.each([...dpopAlgorithms])('A %s proof key that contradicts its purpose is rejected.', async (alg) => {
    const prover = await Prover.create(alg);
    for (const [name, members] of Object.entries(contradictions)) {
      await expect([name, read(prover, members)][1]).rejects.toThrow('jwk of the DPoP proof');
    }
    for (const other of [...dpopAlgorithms, 'HS256', 'none', 'RS512'].filter((one) => one !== alg)) {
      const isSame = [alg, other].every((one) => one === 'EdDSA' || one === 'Ed25519');
      if (isSame) await read(prover, { alg: other });
      else await expect(read(prover, { alg: other })).rejects.toThrow('another algorithm');
    }
  });

  test.each([...dpopAlgorithms])(
    'A %s proof key that states its purpose correctly is accepted, and has the same thumbprint.',
    async (alg) => {
      const prover = await Prover.create(alg);
      const { jkt } = await read(prover, { alg, use: 'sig', key_ops: ['verify'], kid: 'mine' });
      expect(jkt).toBe(prover.jkt);
    },
  );
});

test('A key without an algorithm to compare with leaves the check of alg to the caller.', () => {
  expect(contradictionOf({ kty: 'EC', alg: 'ES256' })).toBeUndefined();
  expect(contradictionOf({ kty: 'EC', alg: 'ES256' }, 'ES384')).toBeDefined();
});
