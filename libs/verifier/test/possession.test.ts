import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MemoryProofStore } from '../src/dpop/proof-store.ts';
import { VerificationError, type Verify } from '../src/index.ts';
import { type ProofChanges, Prover } from '../src/testing.ts';
import { StubIssuer } from './support/stub-issuer.ts';

const address = 'https://orders.example/orders/7?full=1';
let issuer: StubIssuer;
let verify: Verify;
let prover: Prover;
let token: string;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  verify = issuer.verifier();
  await verify.ready();
  prover = await Prover.create();
  token = await issuer.token({ cnf: { jkt: prover.jkt } });
});

afterAll(() => issuer.stop());

const requestWith = async (changes?: ProofChanges, by = prover) => ({
  ...(await by.headers('GET', address, token, changes)),
  method: 'GET',
  url: '/orders/7?full=1',
});

async function rejected(source: Parameters<Verify>[0], code: string): Promise<string> {
  const error: unknown = await verify(source).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(VerificationError);
  expect(error).toMatchObject({ status: 401, code });
  return (error as VerificationError).challenge ?? '';
}

test('A bound token with a proof for the request is accepted.', async () => {
  expect((await verify(await requestWith())).jkt).toBe(prover.jkt);
});

test('A bound token is rejected as Bearer, without a proof, and without the request.', async () => {
  await rejected(`Bearer ${token}`, 'invalid_token');
  const challenge = await rejected({ ...(await requestWith()), dpop: undefined }, 'invalid_dpop_proof');
  expect(challenge).toMatch(/^DPoP .*algs="ES256 /);
  await rejected(`DPoP ${token}`, 'invalid_dpop_proof');
  const { authorization, dpop } = await requestWith();
  await rejected({ authorization, dpop }, 'invalid_dpop_proof');
});

test('A proof with a token that is not bound is rejected.', async () => {
  const unbound = await issuer.token();
  const headers = await prover.headers('GET', address, unbound);
  await rejected({ ...headers, method: 'GET', url: '/orders/7' }, 'invalid_token');
});

test('A proof by another key than that of the token is rejected.', async () => {
  await rejected(await requestWith({}, await Prover.create()), 'invalid_token');
});

test('A proof for another method, address, token or time is rejected.', async () => {
  const now = Math.floor(Date.now() / 1_000);
  const wrong: ProofChanges[] = [
    { claims: { htm: 'POST' } },
    { claims: { htu: 'https://orders.example/orders/8' } },
    { claims: { htu: 'https://rival.example/orders/7' } },
    { claims: { ath: 'abc' } },
    { claims: { ath: undefined } },
    { claims: { iat: now - 90 } },
    { claims: { iat: now + 90 } },
    { claims: { jti: undefined } },
    { header: { typ: 'jwt' } },
  ];
  for (const changes of wrong) await rejected(await requestWith(changes), 'invalid_dpop_proof');
});

test('Of parallel requests with one proof, one succeeds.', async () => {
  const request = await requestWith();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => verify(request)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await rejected(request, 'invalid_dpop_proof');
});

test('Processes that share a store reject a proof that another one accepted.', async () => {
  const proofStore = new MemoryProofStore();
  const [first, second] = [issuer.verifier({ proofStore }), issuer.verifier({ proofStore })];
  const request = await requestWith();
  await first(request);
  await expect(second(request)).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
});

test('An address of the API other than its audience is configured for proofs.', async () => {
  const other = issuer.verifier({ publicOrigin: 'https://api.example' });
  const headers = await prover.headers('GET', 'https://api.example/x', token);
  await other({ ...headers, method: 'GET', url: '/x' });
  await expect(other(await requestWith())).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
});

test('A store of proofs that is full rejects requests with 503 until earlier proofs have expired.', async () => {
  let now = 0;
  const full = issuer.verifier({ proofStore: new MemoryProofStore(1, () => now) });
  await full(await requestWith());
  await expect(full(await requestWith())).rejects.toMatchObject({ status: 503 });
  now = 1_000_000;
  await full(await requestWith());
});

test('The proofs of one key use at most a tenth of the store, and those of other keys are still accepted.', async () => {
  let now = 0;
  const api = issuer.verifier({ proofStore: new MemoryProofStore(20, () => now) });
  for (let n = 0; n < 2; n += 1) await api(await requestWith());
  await expect(api(await requestWith())).rejects.toMatchObject({ status: 503 });
  const other = await Prover.create();
  const bound = await issuer.token({ cnf: { jkt: other.jkt } });
  await api({ ...(await other.headers('GET', address, bound)), method: 'GET', url: '/orders/7' });
  now = 1_000_000;
  await api(await requestWith());
});

test.each(['@rival.example/orders/7', '.rival.example/orders/7', ':1@rival.example/', 'orders/7', '*'])(
  'A proof is rejected for the request target %s, which is no path.',
  async (target) => {
    const htu = new URL(`https://orders.example${target}`).href;
    const headers = await prover.headers('GET', htu, token, { claims: { htu } });
    await rejected({ ...headers, method: 'GET', url: target }, 'invalid_dpop_proof');
  },
);
