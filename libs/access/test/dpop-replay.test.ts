import { describe, expect, test } from '@jest/globals';
import { createRedis } from '@ostiary/service';
import { testNonceKeys } from '@ostiary/service/testing';
import {
  clock,
  drift,
  get,
  issuer,
  kit,
  newProofs,
  prefix,
  prover,
  redis,
  setUpProofGuard,
  token,
  url,
} from './proof-guard.ts';

setUpProofGuard();

describe('the nonce (RFC 9449 section 9)', () => {
  const asks = async (nonce: string | undefined) => {
    const iat = Math.floor(clock() / 1000);
    const answer = await get(await prover.headers('GET', url, token, { claims: { nonce, iat } }));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'use_dpop_nonce']);
    expect(answer.headers['www-authenticate']).toMatch(/^DPoP .*error="use_dpop_nonce"/);
    expect(answer.headers['dpop-nonce']).toBeDefined();
  };

  test('A DPoP nonce is requested when it is missing, made up, or changed.', async () => {
    await asks(undefined);
    await asks('made-up');
    await asks(`${prover.nonce?.slice(0, -2)}AA`);
    await asks('x'.repeat(1_000));
  });

  test('A DPoP nonce is valid for minutes, not for longer, and a newer one is issued in the meantime.', async () => {
    drift.seconds = 120;
    const answer = await get(await prover.headers('GET', url, token));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['dpop-nonce']).not.toBe(prover.nonce);
    drift.seconds = 420;
    await asks(prover.nonce);
    drift.seconds = -420;
    await asks(prover.nonce);
  });

  test('A DPoP nonce of one process is valid at another, also when they start together on an empty Redis.', async () => {
    const fresh = `${prefix}-fresh`;
    const many = Array.from({ length: 10 }, () => newProofs({ prefix: fresh }));
    const nonces = await Promise.all(many.map((one) => one.nonce()));
    expect(new Set(nonces).size).toBe(1);
  });

  test('A DPoP nonce of another installation is rejected.', async () => {
    await asks(await newProofs({ nonceKeys: [Buffer.alloc(32, 8)] }).nonce());
  });
});

const holder = { address: '192.0.2.1', isKnown: true };

describe('limits on the proof marks of a network', () => {
  const perMinute = 10;
  const showing = async (count: number, address: (n: number) => string, isKnown: boolean, of: string) => {
    const processes = [newProofs({ prefix: of, perMinute }), newProofs({ prefix: of, perMinute })];
    const proofs = await Promise.all(Array.from({ length: count }, () => prover.proof('GET', url, token)));
    const expected = { method: 'GET', uri: url, accessToken: token };
    const outcomes: PromiseSettledResult<unknown>[] = [];
    // In parts: a process that waits too long for Redis counts locally.
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

  test('A network without other identification leaves few proof marks, at two processes in parallel.', async () => {
    const of = `${prefix}-anybody`;
    expect(await showing(50, () => '198.51.100.1', false, of)).toBe(perMinute);
    expect(await marks(of)).toBe(perMinute);
    // An IPv6 /64 is one network and does not affect others.
    expect(await showing(50, (n) => `2001:db8:0:1::${n}`, false, of)).toBe(perMinute);
    expect(await showing(5, (n) => `203.0.113.${n}`, false, of)).toBe(5);
  });

  test('A network with a token or credentials leaves many proof marks, besides those without.', async () => {
    const of = `${prefix}-known`;
    expect(await showing(20, () => '198.51.100.2', false, of)).toBe(perMinute);
    const letIn = await showing(perMinute * 50 + 30, () => '198.51.100.2', true, of);
    // Processes lease a dozen marks at a time; with concurrent leases, some marks remain unused.
    expect(letIn).toBeLessThanOrEqual(perMinute * 50);
    expect(letIn).toBeGreaterThan(perMinute * 20);
    expect(await marks(of)).toBe(letIn + perMinute);
  });
});

describe('single use of a proof', () => {
  test('Exactly one of 50 parallel uses of a proof at two processes is accepted.', async () => {
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

  test('The mark of a proof outlives every nonce the proof could have been made with, and then expires.', async () => {
    await get(await prover.headers('GET', url, token));
    const [mark] = await redis.keys(`${prefix}:dpop_proof:*`);
    const left = await redis.ttl(mark ?? '');
    expect(left).toBeGreaterThan(420);
    expect(left).toBeLessThanOrEqual(480);
  });

  test('A rejected token leaves no proof mark, so a caller without a valid token cannot fill Redis.', async () => {
    const before = (await redis.keys(`${prefix}:dpop_proof:*`)).length;
    const stale = await issuer.sign('demo', { cnf: { jkt: prover.jkt }, exp: 1 });
    await get(await prover.headers('GET', url, stale));
    await get(await prover.headers('GET', url, 'x'));
    expect(await redis.keys(`${prefix}:dpop_proof:*`)).toHaveLength(before);
  });

  test('A nonce of any process is valid at any other, with any content of Redis, and at both while the key is replaced.', async () => {
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

  test('A proof without Redis to check it is answered with 503, not 200.', async () => {
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
