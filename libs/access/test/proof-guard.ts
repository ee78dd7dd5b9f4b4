import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createHttp, createKit, createRedis, HttpPeer, type Redis, redisReady } from '@ostiary/service';
import { testNonceKeys } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import {
  DpopProofs,
  LocalTokenVerifier,
  proofAllowance,
  RemoteKeys,
  RevocationList,
  requireAccess,
  requireService,
  type TokenVerifier,
} from '../src/index.ts';
import { Prover } from '../src/testing.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

export const issuer = new TestIssuer();
export const kit = createKit({ name: 'test', logLevel: 'silent' });
export const prefix = `test-${randomBytes(6).toString('hex')}`;
export const path = '/t/demo/users';
export const url = `${publicOrigin}${path}`;

export let peer: HttpPeer;
export let redis: Redis;
export let app: FastifyInstance;
export let verifier: TokenVerifier;
export let prover: Prover;
export let token: string;
/** Seconds by which the processes' clock is off, in a single test. */
export const drift = { seconds: 0 };

export const clock = () => Date.now() + drift.seconds * 1000;
export const newProofs = (
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

/** A resource that takes tokens with proofs of possession, as every service does, and before each test a key with its token. */
export function setUpProofGuard(): void {
  beforeAll(async () => {
    peer = new HttpPeer({ name: 'auth', origin: await issuer.start(['demo', 'rival', 'platform']) });
    redis = createRedis(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379', {
      name: 'test',
      log: kit.log,
    });
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
    drift.seconds = 0;
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
}

export const get = (headers: Record<string, string>, target = path) => app.inject({ url: target, headers });
