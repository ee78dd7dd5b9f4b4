import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHttp, createKit, createRedis, HttpPeer, type Redis, redisReady } from '@ostiary/service';
import { testNonceKeys } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import {
  DpopProofs,
  dpopAlgorithms,
  LocalTokenVerifier,
  proofAllowance,
  RemoteKeys,
  RevocationList,
  requireAccess,
  requireService,
  serviceAudience,
  type TokenVerifier,
} from '../src/index.ts';
import { type ProofChanges, Prover } from '../src/testing.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
const kit = createKit({ name: 'test', logLevel: 'silent' });
const prefix = `test-${randomBytes(6).toString('hex')}`;
const path = '/t/demo/users';
const url = `${publicOrigin}${path}`;

let peer: HttpPeer;
let redis: Redis;
let app: FastifyInstance;
let verifier: TokenVerifier;
let prover: Prover;
let token: string;
/** Seconds by which the processes' clock is off. */
let drift = 0;

const clock = () => Date.now() + drift * 1000;
const newProofs = (
  o: { prefix?: string; redis?: Redis; nonceKeys?: readonly Buffer[]; perMinute?: number } = {},
) =>
  new DpopProofs({
    redis: o.redis ?? redis,
    prefix: o.prefix ?? prefix,
    nonceKeys: o.nonceKeys ?? testNonceKeys,
    allowance: proofAllowance({
      redis: o.redis ?? redis,
      prefix: o.prefix ?? prefix,
      log: kit.log,
      perMinute: o.perMinute ?? 600,
    }),
    clock,
  });

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start(['demo', 'rival', 'platform']) });
  redis = createRedis(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379', { name: 'test', log: kit.log });
  await redisReady(redis);
  const revocations = new RevocationList();
  revocations.touch(performance.now());
  verifier = new LocalTokenVerifier({
    publicOrigin,
    keys: new RemoteKeys(peer, Date.now),
    revocations,
    introspect: async () => true,
    proofs: newProofs(),
    maxStalenessMs: 600_000,
    clock: Date.now,
  });
  app = createHttp(kit);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.route({
    method: ['GET', 'POST'],
    url: '/t/:tenant/users',
    preHandler: requireAccess(verifier, { publicOrigin, tenantParam: 'tenant', scopes: ['users:read'] }),
    handler: async (request) => ({ subject: request.principal?.subject, jkt: request.principal?.jkt }),
  });
  app.get('/internal', {
    preHandler: requireService(verifier, 'directory'),
    handler: async () => ({}),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});

beforeEach(async () => {
  drift = 0;
  prover = await Prover.create();
  prover.nonce = await newProofs().nonce();
  token = await issuer.sign('demo', { scope: 'users:read', cnf: { jkt: prover.jkt } });
});

afterAll(async () => {
  await app.close();
  await peer.close();
  await issuer.stop();
  redis.disconnect();
});

const get = (headers: Record<string, string>, target = path) => app.inject({ url: target, headers });

describe('a token bound to a key (RFC 9449 section 7)', () => {
  test('counts with a proof by that key, and the answer brings the next nonce', async () => {
    const answer = await get(await prover.headers('GET', url, token));
    expect([answer.statusCode, answer.json()]).toEqual([200, { subject: 'user-1', jkt: prover.jkt }]);
    expect(answer.headers['dpop-nonce']).toBe(prover.nonce);
  });

  test.each(dpopAlgorithms)('signed with %s', async (alg) => {
    const other = await Prover.create(alg);
    other.nonce = prover.nonce;
    const bound = await issuer.sign('demo', { scope: 'users:read', cnf: { jkt: other.jkt } });
    expect((await get(await other.headers('GET', url, bound))).statusCode).toBe(200);
  });

  test('the query is no part of the address, and the scheme is written in any case', async () => {
    const { dpop } = await prover.headers('GET', `${url}?a=b`, token);
    expect((await get({ authorization: `dpop ${token}`, dpop }, `${path}?first=1`)).statusCode).toBe(200);
  });

  test('counts also when the request names the whole address, as every server must accept (RFC 9112 section 3.2.2)', async () => {
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
    // Two hosts in one request are read in two ways.
    expect(await status(`${url}?count=1`, 'elsewhere.example')).toBe(400);
  });

  test('as a bearer token is refused, in the header and in a form', async () => {
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

  test('without a proof is refused, in the challenge of the scheme that was used', async () => {
    const answer = await get({ authorization: `DPoP ${token}` });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
    expect(answer.headers['www-authenticate']).toMatch(
      /^DPoP realm="[^"]+", error="invalid_dpop_proof".*algs="/,
    );
  });

  test('by a caller who has only the token is refused: the proof is by another key', async () => {
    const thief = await Prover.create();
    thief.nonce = prover.nonce;
    const answer = await get(await thief.headers('GET', url, token));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_token']);
  });

  test('bound in a way that is not known here is refused, not taken for unbound', async () => {
    for (const cnf of [{}, { 'x5t#S256': 'x' }, { jkt: 1 }, 'x', null]) {
      const odd = await issuer.sign('demo', { scope: 'users:read', cnf });
      expect((await get({ authorization: `Bearer ${odd}` })).statusCode).toBe(401);
    }
  });

  test('a verifier that cannot check proofs takes no bound token at all', async () => {
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

  test('a caller that does not say how a token was presented gets a refusal, not a hole', async () => {
    const verdict = verifier.verify(token, { audience: `${publicOrigin}/t/demo` });
    await expect(verdict).rejects.toMatchObject({ error: 'invalid_token' });
  });

  test('no internal route takes one', async () => {
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
  test('by the scheme DPoP is refused: nothing says whose key it should be', async () => {
    const plain = await issuer.sign('demo', { scope: 'users:read' });
    const answer = await get(await prover.headers('GET', url, plain));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_token']);
  });

  test('no token at all: both schemes are offered', async () => {
    const answer = await get({});
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="[^"]+", DPoP realm="[^"]+", algs="ES256[^"]*"$/,
    );
  });
});

const other = 'https://other.test/t/demo/users';

describe('a proof is refused (RFC 9449 section 4.3)', () => {
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
  ])('%s', async (_name, changes) => {
    const answer = await get(await prover.headers('GET', url, token, changes));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('from more than a minute ahead', async () => {
    const claims = { iat: Math.floor(Date.now() / 1000) + 63 };
    const answer = await get(await prover.headers('GET', url, token, { claims }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('with the private key in it', async () => {
    const jwk = await prover.exportPrivate();
    const answer = await get(await prover.headers('GET', url, token, { header: { jwk } }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test.each(['none', 'HS256', 'ES512', 'RS256', 'PS384'])('with alg %s', async (alg) => {
    const [, body, signature] = (await prover.proof('GET', url, token)).split('.');
    const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: prover.jwk })).toString(
      'base64url',
    );
    const answer = await get({ authorization: `DPoP ${token}`, dpop: `${header}.${body}.${signature}` });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test.each<[string, (proof: string) => string]>([
    ['changed by a bit', (proof) => `${proof.slice(0, -4)}${proof.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`],
    ['without its signature', (proof) => proof.slice(0, proof.lastIndexOf('.') + 1)],
    ['twice in one header', (proof) => `${proof}, ${proof}`],
    ['of a megabyte', () => 'a'.repeat(10_000)],
    ['that is no JWT', () => 'x'],
    ['empty', () => ''],
  ])('%s', async (_name, spoil) => {
    const dpop = spoil(await prover.proof('GET', url, token));
    const answer = await get({ authorization: `DPoP ${token}`, dpop });
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('with an RSA key of 1024 bits', async () => {
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

describe('a clock that is off by a little (FAPI 2.0 section 5.3.2.1)', () => {
  test.each([-240, -10, 0, 8, 10, 50])('a proof of %i seconds from now counts', async (seconds) => {
    const iat = Math.floor(Date.now() / 1000) + seconds;
    const answer = await get(await prover.headers('GET', url, token, { claims: { iat } }));
    expect(answer.statusCode).toBe(200);
  });
});

describe('an RSA key', () => {
  test('proves by PS256 only, also with a signature by RS256 that is right', async () => {
    const rsa = await Prover.create('RS256');
    rsa.nonce = prover.nonce;
    const bound = await issuer.sign('demo', { scope: 'users:read', cnf: { jkt: rsa.jkt } });
    const answer = await get(await rsa.headers('GET', url, bound));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_dpop_proof']);
  });

  test('no key is good for two algorithms that its holder did not choose from', () => {
    const kinds = dpopAlgorithms.map((alg) =>
      alg.startsWith('PS') ? 'RSA' : alg.startsWith('ES') ? `P-${alg.slice(2)}` : 'Ed25519',
    );
    // EdDSA and Ed25519 are two names of one algorithm (RFC 9864).
    expect(new Set(kinds).size).toBe(dpopAlgorithms.length - 1);
  });
});

describe('the nonce (RFC 9449 section 9)', () => {
  const asks = async (nonce: string | undefined) => {
    const iat = Math.floor(clock() / 1000);
    const answer = await get(await prover.headers('GET', url, token, { claims: { nonce, iat } }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'use_dpop_nonce']);
    expect(answer.headers['www-authenticate']).toMatch(/^DPoP .*error="use_dpop_nonce"/);
    expect(answer.headers['dpop-nonce']).toBeDefined();
  };

  test('is asked for when it is missing, made up, or changed', async () => {
    await asks(undefined);
    await asks('made-up');
    await asks(`${prover.nonce?.slice(0, -2)}AA`);
    await asks('x'.repeat(1_000));
  });

  test('is good for minutes, not for longer; a newer one is handed out meanwhile', async () => {
    drift = 120;
    const answer = await get(await prover.headers('GET', url, token));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['dpop-nonce']).not.toBe(prover.nonce);
    drift = 420;
    await asks(prover.nonce);
    drift = -420;
    await asks(prover.nonce);
  });

  test('of one process is good at another, also when they start together on an empty Redis', async () => {
    const fresh = `${prefix}-fresh`;
    const many = Array.from({ length: 10 }, () => newProofs({ prefix: fresh }));
    const nonces = await Promise.all(many.map((one) => one.nonce()));
    expect(new Set(nonces).size).toBe(1);
  });

  test('of another installation is worth nothing', async () => {
    await asks(await newProofs({ nonceKeys: [Buffer.alloc(32, 8)] }).nonce());
  });
});

const holder = { address: '192.0.2.1', isKnown: true };

describe('a network leaves so many marks', () => {
  const perMinute = 10;
  const showing = async (count: number, address: (n: number) => string, isKnown: boolean, of: string) => {
    const processes = [newProofs({ prefix: of, perMinute }), newProofs({ prefix: of, perMinute })];
    const proofs = await Promise.all(Array.from({ length: count }, () => prover.proof('GET', url, token)));
    const expected = { method: 'GET', uri: url, accessToken: token };
    const outcomes: PromiseSettledResult<unknown>[] = [];
    // Not all at once: a process that is busy for longer than it waits for Redis counts by itself.
    for (let from = 0; from < count; from += 20) {
      const some = proofs
        .slice(from, from + 20)
        .map((proof, n) =>
          processes[n % 2]?.verify(proof, expected, { address: address(from + n), isKnown }),
        );
      outcomes.push(...(await Promise.allSettled(some)));
    }
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ statusCode: 429, retryAfter: expect.any(Number) });
    }
    return count - refused.length;
  };
  const marks = async (of: string) => (await redis.keys(`${of}:dpop_proof:*`)).length;

  test('without anything else that says who it is: few, at two processes in parallel', async () => {
    const of = `${prefix}-anybody`;
    expect(await showing(50, () => '198.51.100.1', false, of)).toBe(perMinute);
    expect(await marks(of)).toBe(perMinute);
    // An IPv6 /64 is one network, and nobody else's trouble.
    expect(await showing(50, (n) => `2001:db8:0:1::${n}`, false, of)).toBe(perMinute);
    expect(await showing(5, (n) => `203.0.113.${n}`, false, of)).toBe(5);
  });

  test('with a token or credentials: many, beside those', async () => {
    const of = `${prefix}-known`;
    expect(await showing(20, () => '198.51.100.2', false, of)).toBe(perMinute);
    const letIn = await showing(perMinute * 50 + 30, () => '198.51.100.2', true, of);
    // Processes take them by the dozen; of what many take at once, some goes unused.
    expect(letIn).toBeLessThanOrEqual(perMinute * 50);
    expect(letIn).toBeGreaterThan(perMinute * 20);
    expect(await marks(of)).toBe(letIn + perMinute);
  });
});

describe('a proof is good for one request', () => {
  test('of 50 parallel ones at two processes one passes', async () => {
    const processes = [newProofs(), newProofs()];
    const proof = await prover.proof('GET', url, token);
    const expected = { method: 'GET', uri: url, accessToken: token };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => processes[index % 2]?.verify(proof, expected, holder)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_dpop_proof' });
    }
  });

  test('its mark outlives every nonce it could have been made with, and then goes', async () => {
    await get(await prover.headers('GET', url, token));
    const [mark] = await redis.keys(`${prefix}:dpop_proof:*`);
    const left = await redis.ttl(mark ?? '');
    expect(left).toBeGreaterThan(420);
    expect(left).toBeLessThanOrEqual(480);
  });

  test('a refused token leaves no mark: who has none cannot fill Redis', async () => {
    const before = (await redis.keys(`${prefix}:dpop_proof:*`)).length;
    const stale = await issuer.sign('demo', { cnf: { jkt: prover.jkt }, exp: 1 });
    await get(await prover.headers('GET', url, stale));
    await get(await prover.headers('GET', url, 'x'));
    expect(await redis.keys(`${prefix}:dpop_proof:*`)).toHaveLength(before);
  });

  test('a nonce of any process is good at any other, whatever Redis holds; and while the key is replaced, at both', async () => {
    const key = Buffer.alloc(32, 9);
    const [former] = testNonceKeys;
    const proofs = [newProofs(), newProofs({ prefix: `${prefix}-other` }), newProofs({ nonceKeys: [key] })];
    const [one, other, foreign] = await Promise.all(proofs.map((each) => each.nonce()));
    expect(one).toBe(other);
    expect(foreign).not.toBe(one);
    const step = (nonceKeys: readonly Buffer[]) => newProofs({ nonceKeys }).nonce();
    expect(await step([former as Buffer, key])).toBe(one);
    expect(await step([key, former as Buffer])).toBe(foreign);
  });

  test('without Redis nobody can tell: 503, not 200', async () => {
    const away = createRedis('redis://127.0.0.1:1', { name: 'test', log: kit.log });
    try {
      const proofs = newProofs({ redis: away });
      const [, proof = ''] = /^(.+)$/.exec((await prover.headers('GET', url, 'x')).dpop ?? '') ?? [];
      const expected = { method: 'GET', uri: url, accessToken: 'x' };
      await expect(proofs.verify(proof, expected, holder)).rejects.toMatchObject({ statusCode: 503 });
    } finally {
      away.disconnect();
    }
  });
});

test('a repeated Authorization header is two places, though Node shows only the first', async () => {
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
