import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import {
  dpopAlgorithms,
  LocalTokenVerifier,
  RemoteKeys,
  RevocationList,
  serviceAudience,
} from '../src/index.ts';
import { type ProofChanges, Prover } from '../src/testing.ts';
import { publicOrigin } from './issuer.ts';
import {
  app,
  get,
  issuer,
  path,
  peer,
  prover,
  setUpProofGuard,
  token,
  url,
  verifier,
} from './proof-guard.ts';

setUpProofGuard();

describe('a token bound to a key (RFC 9449 section 7)', () => {
  test('A bound token with a proof by its key is accepted, and the answer brings the next nonce.', async () => {
    const answer = await get(await prover.headers('GET', url, token));
    expect([answer.statusCode, answer.json()]).toEqual([200, { subject: 'user-1', jkt: prover.jkt }]);
    expect(answer.headers['dpop-nonce']).toBe(prover.nonce);
  });

  test.each(dpopAlgorithms)('A bound token with a proof signed with %s is accepted.', async (alg) => {
    const other = await Prover.create(alg);
    other.nonce = prover.nonce;
    const bound = await issuer.sign('demo', { scope: 'users:read', cnf: { jkt: other.jkt } });
    expect((await get(await other.headers('GET', url, bound))).statusCode).toBe(200);
  });

  test('The query is not part of the URL in a proof, and the scheme is accepted in any case.', async () => {
    const { dpop } = await prover.headers('GET', `${url}?a=b`, token);
    expect((await get({ authorization: `dpop ${token}`, dpop }, `${path}?first=1`)).statusCode).toBe(200);
  });

  test('A bound token is accepted when the request has an absolute target (RFC 9112 section 3.2.2).', async () => {
    const { port } = app.server.address() as { port: number };
    const status = async (target: string, named = new URL(target).host) => {
      const headers = { ...(await prover.headers('GET', url, token)), host: named };
      return new Promise<number | undefined>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: target, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        })
          .on('error', reject)
          .end();
      });
    };
    expect(await status(`${url}?count=1`)).toBe(200);
    expect(await status(`http://elsewhere.example${path}`)).toBe(200);
    expect(await status(`${publicOrigin}/t/rival/users`)).toBe(401);
    // Two hosts in one request are ambiguous.
    expect(await status(`${url}?count=1`, 'elsewhere.example')).toBe(400);
  });

  test('A bound token sent as a bearer token is rejected, in the header and in a form.', async () => {
    const header = await get({
      authorization: `Bearer ${token}`,
      dpop: await prover.proof('GET', url, token),
    });
    expect([header.statusCode, header.json().error]).toEqual([401, 'invalid_token']);
    expect(header.headers['www-authenticate']).toMatch(
      /^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+", DPoP realm="[^"]+", algs="ES256 /,
    );
    const form = await app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: await prover.proof('POST', url, token),
      },
      payload: `access_token=${token}`,
    });
    expect([form.statusCode, form.json().error]).toEqual([401, 'invalid_token']);
  });

  test('A bound token without a proof is rejected, in the challenge of the scheme that was used.', async () => {
    const answer = await get({ authorization: `DPoP ${token}` });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
    expect(answer.headers['www-authenticate']).toMatch(
      /^DPoP realm="[^"]+", error="invalid_dpop_proof".*algs="/,
    );
  });

  test('A bound token from a caller without its key is rejected, because the proof is by another key.', async () => {
    const thief = await Prover.create();
    thief.nonce = prover.nonce;
    const answer = await get(await thief.headers('GET', url, token));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_token']);
  });

  test('A token bound in an unknown way is rejected, not accepted as unbound.', async () => {
    for (const cnf of [{}, { 'x5t#S256': 'x' }, { jkt: 1 }, 'x', null]) {
      const odd = await issuer.sign('demo', { scope: 'users:read', cnf });
      expect((await get({ authorization: `Bearer ${odd}` })).statusCode).toBe(401);
    }
  });

  test('A verifier that cannot check proofs accepts no bound token at all.', async () => {
    const without = new LocalTokenVerifier({
      publicOrigin,
      keys: new RemoteKeys(peer, Date.now),
      revocations: new RevocationList(),
      introspect: async () => true,
      maxStalenessMs: 0,
      clock: Date.now,
    });
    const expectation = { audience: `${publicOrigin}/t/demo` };
    await expect(without.verify(token, expectation)).rejects.toMatchObject({ error: 'invalid_token' });
  });

  test('A bound token is rejected when the calling code does not state how it was presented.', async () => {
    const verification = verifier.verify(token, { audience: `${publicOrigin}/t/demo` });
    await expect(verification).rejects.toMatchObject({ error: 'invalid_token' });
  });

  test('No internal route accepts a bound token.', async () => {
    const bound = await issuer.sign('platform', {
      sub: 'gateway',
      client_id: 'gateway',
      aud: serviceAudience('directory'),
      cnf: { jkt: prover.jkt },
    });
    const internal = `${publicOrigin}/internal`;
    expect((await get(await prover.headers('GET', internal, bound), '/internal')).statusCode).toBe(401);
    expect((await get({ authorization: `Bearer ${bound}` }, '/internal')).statusCode).toBe(401);
  });
});

describe('a bearer token', () => {
  test('A bearer token with the scheme DPoP is rejected, because it is bound to no key.', async () => {
    const plain = await issuer.sign('demo', { scope: 'users:read' });
    const answer = await get(await prover.headers('GET', url, plain));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_token']);
  });

  test('A request without a token is offered both schemes.', async () => {
    const answer = await get({});
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="[^"]+", DPoP realm="[^"]+", algs="ES256[^"]*"$/,
    );
  });
});

const other = 'https://other.test/t/demo/users';

describe('rejected proofs (RFC 9449 section 4.3)', () => {
  test.each<[string, ProofChanges]>([
    ['without jti', { claims: { jti: undefined } }],
    ['with an endless jti', { claims: { jti: 'x'.repeat(300) } }],
    ['with a numeric jti', { claims: { jti: 1 } }],
    ['for another method', { claims: { htm: 'POST' } }],
    ['for the method in lower case', { claims: { htm: 'get' } }],
    ['for another origin', { claims: { htu: other } }],
    ['for another path', { claims: { htu: `${url}/1` } }],
    ['for an address with credentials', { claims: { htu: 'http://a:b@id.test/t/demo/users' } }],
    ['without an address', { claims: { htu: undefined } }],
    ['from an hour ago', { claims: { iat: Math.floor(Date.now() / 1000) - 3_600 } }],
    ['from the future', { claims: { iat: Math.floor(Date.now() / 1000) + 3_600 } }],
    ['without a time', { claims: { iat: undefined } }],
    ['for another token', { claims: { ath: 'A'.repeat(43) } }],
    ['for no token', { claims: { ath: undefined } }],
    ['with a nonce that is no text', { claims: { nonce: 1 } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['with critical extensions', { header: { crit: ['b64'], b64: true } }],
    ['with no key', { header: { jwk: undefined } }],
    ['with a symmetric key', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }],
    ['with a key that is no key', { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } }],
  ])('A DPoP proof %s is rejected.', async (_name, changes) => {
    const answer = await get(await prover.headers('GET', url, token, changes));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('A DPoP proof from more than a minute ahead is rejected.', async () => {
    const claims = { iat: Math.floor(Date.now() / 1000) + 63 };
    const answer = await get(await prover.headers('GET', url, token, { claims }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('A DPoP proof that contains the private key is rejected.', async () => {
    const jwk = await prover.exportPrivate();
    const answer = await get(await prover.headers('GET', url, token, { header: { jwk } }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test.each(['none', 'HS256', 'ES512', 'RS256', 'PS384'])(
    'A DPoP proof with alg %s is rejected.',
    async (alg) => {
      const [, body, signature] = (await prover.proof('GET', url, token)).split('.');
      const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: prover.jwk })).toString(
        'base64url',
      );
      const answer = await get({ authorization: `DPoP ${token}`, dpop: `${header}.${body}.${signature}` });
      expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
    },
  );

  test.each<[string, (proof: string) => string]>([
    ['changed by a bit', (proof) => `${proof.slice(0, -4)}${proof.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`],
    ['without its signature', (proof) => proof.slice(0, proof.lastIndexOf('.') + 1)],
    ['twice in one header', (proof) => `${proof}, ${proof}`],
    ['of a megabyte', () => 'a'.repeat(10_000)],
    ['that is no JWT', () => 'x'],
    ['empty', () => ''],
  ])('A DPoP header is rejected: %s.', async (_name, spoil) => {
    const dpop = spoil(await prover.proof('GET', url, token));
    const answer = await get({ authorization: `DPoP ${token}`, dpop });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('A DPoP proof with an RSA key of 1024 bits is rejected.', async () => {
    const { constants, generateKeyPairSync, sign } = await import('node:crypto');
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${encode({ typ: 'dpop+jwt', alg: 'PS256', jwk: publicKey.export({ format: 'jwk' }) })}.${encode({})}`;
    const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const signature = sign('sha256', Buffer.from(input), key).toString('base64url');
    const answer = await get({ authorization: `DPoP ${token}`, dpop: `${input}.${signature}` });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });
});

describe('small clock differences (FAPI 2.0 section 5.3.2.1)', () => {
  test.each([-240, -10, 0, 8, 10, 50])('A proof made %i seconds from now is accepted.', async (seconds) => {
    const iat = Math.floor(Date.now() / 1000) + seconds;
    const answer = await get(await prover.headers('GET', url, token, { claims: { iat } }));
    expect(answer.statusCode).toBe(200);
  });
});

describe('an RSA key', () => {
  test('An RSA key proves possession by PS256 only, and a correct RS256 signature is rejected.', async () => {
    const rsa = await Prover.create('RS256');
    rsa.nonce = prover.nonce;
    const bound = await issuer.sign('demo', { scope: 'users:read', cnf: { jkt: rsa.jkt } });
    const answer = await get(await rsa.headers('GET', url, bound));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('No key is valid for two algorithms, so that the key determines the algorithm.', () => {
    const kinds = dpopAlgorithms.map((alg) =>
      alg.startsWith('PS') ? 'RSA' : alg.startsWith('ES') ? `P-${alg.slice(2)}` : 'Ed25519',
    );
    // EdDSA and Ed25519 are two names of one algorithm (RFC 9864).
    expect(new Set(kinds).size).toBe(dpopAlgorithms.length - 1);
  });
});

test('A repeated Authorization header counts as two places, although Node shows only the first.', async () => {
  const { port } = app.server.address() as { port: number };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = ['host', 'id.test', 'authorization', 'Bearer a', 'Authorization', 'Bearer b'];
    request({ port, host: '127.0.0.1', path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(400);
});
