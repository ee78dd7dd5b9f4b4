import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttp, createKit, HttpPeer } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { LocalTokenVerifier, RemoteKeys, RevocationList, requireAccess } from '../src/index.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
const twoFactors = ['urn:ostiary:acr:2fa', 'phr'];
let peer: HttpPeer;
let app: FastifyInstance;

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start(['demo']) });
  const revocations = new RevocationList();
  revocations.touch(performance.now());
  const verifier = new LocalTokenVerifier({
    publicOrigin,
    keys: new RemoteKeys(peer, Date.now),
    revocations,
    introspect: async () => true,
    maxStalenessMs: 60_000,
    clock: Date.now,
  });
  app = createHttp(createKit({ name: 'test', logLevel: 'silent' }));
  const authentication = { acrValues: twoFactors, maxAge: 300 };
  app.get('/t/:tenant/vault', {
    preHandler: requireAccess(verifier, { publicOrigin, tenantParam: 'tenant', authentication }),
    handler: async () => ({ open: true }),
  });
});

afterAll(async () => {
  await app.close();
  await peer.close();
  await issuer.stop();
});

/** Claim `derived_from` of a token that was exchanged without naming the actor. */
const ancestor = { jti: 'subject-token', sub: 'alice', client_id: 'app' };

const seconds = (ago: number): number => Math.floor(Date.now() / 1000) - ago;

async function vault(claims: Record<string, unknown>) {
  const token = await issuer.sign('demo', { grant_id: 'g', sub: 'alice', ...claims });
  return app.inject({ url: '/t/demo/vault', headers: { authorization: `Bearer ${token}` } });
}

describe('a resource that requires a stronger or more recent sign-in (RFC 9470)', () => {
  test.each(twoFactors)('A resource that requires step-up accepts a token with acr %s.', async (acr) => {
    expect((await vault({ acr, auth_time: seconds(10) })).statusCode).toBe(200);
  });

  test.each([
    ['a weaker class', { acr: 'urn:ostiary:acr:1fa', auth_time: seconds(10) }],
    ['no class', { auth_time: seconds(10) }],
    ['a class that is not text', { acr: ['phr'], auth_time: seconds(10) }],
    ['an old sign-in', { acr: 'phr', auth_time: seconds(301) }],
    ['no sign-in at all', { acr: 'phr' }],
    ['an actor', { acr: 'phr', auth_time: seconds(10), act: { sub: 'app', client_id: 'app' } }],
    ['an ancestor', { acr: 'phr', auth_time: seconds(10), derived_from: [ancestor] }],
  ])(
    'A token with %s is rejected with a challenge that states the required authentication.',
    async (_what, claims) => {
      const answer = await vault(claims);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ error: 'insufficient_user_authentication' });
      const challenge = String(answer.headers['www-authenticate']);
      expect(challenge).toMatch(/^Bearer realm="[^"]+"/);
      expect(challenge).toContain('error="insufficient_user_authentication"');
      expect(challenge).toContain('acr_values="urn:ostiary:acr:2fa phr"');
      expect(challenge).toContain('max_age="300"');
    },
  );
});
