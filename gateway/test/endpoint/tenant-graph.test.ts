import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DpopProofs, subgraphAudience } from '@ostiary/access';
import { Issuer, Prover, publicOrigin } from '@ostiary/access/testing';
import { createKit, createRedis, type Redis, redisReady } from '@ostiary/service';
import { testNonceKeys } from '@ostiary/service/testing';
import { ask, codesOf, type RunningGateway, Services } from '../support/system.ts';

const path = '/t/demo/graphql';
const query = '{ users { id } }';
const scopes = ['users:read'];

let redis: Redis;
let issuer: Issuer;
let services: Services;
let gateway: RunningGateway;
let nonce: () => Promise<string>;

beforeAll(async () => {
  redis = createRedis(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379', {
    name: 'test',
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  await redisReady(redis);
  const proofs = new DpopProofs({
    redis,
    prefix: `test-${randomBytes(6).toString('hex')}`,
    nonceKeys: testNonceKeys,
    allowance: async () => undefined,
    clock: Date.now,
  });
  nonce = () => proofs.nonce();
  issuer = new Issuer({ proofs });
  services = await Services.start(issuer);
  gateway = await services.gateway({
    voucherFor: (service) => async () =>
      issuer.token({ tenant: 'platform', subject: 'gateway', audience: subgraphAudience(service) }),
  });
});

afterAll(async () => {
  await services?.stop();
  redis?.disconnect();
});

describe('the graph at the address of a tenant', () => {
  test.each([
    ['the tenant', `${publicOrigin}/t/demo`],
    ['the graph', `${publicOrigin}/graphql`],
    ['this address', `${publicOrigin}/t/demo/graphql`],
  ])(
    'The graph at the address of a tenant accepts the tokens of the tenant for %s.',
    async (_name, audience) => {
      const token = issuer.token({ scopes, audience });
      const answer = await ask(gateway.url, query, { token, path });
      expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
      expect((await ask(gateway.url, query, { token })).status).toBe(200);
    },
  );

  test.each([
    ['of another tenant', { tenant: 'rival' }],
    ['of another tenant for this address', { tenant: 'rival', audience: `${publicOrigin}/t/demo/graphql` }],
    ['for another tenant’s address', { audience: `${publicOrigin}/t/rival/graphql` }],
    ['for SCIM', { audience: `${publicOrigin}/t/demo/scim/v2` }],
  ])('The graph at the address of a tenant rejects a token %s.', async (_name, claims) => {
    for (const { received } of services.all) received.length = 0;
    const answer = await ask(gateway.url, query, { token: issuer.token({ scopes, ...claims }), path });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(codesOf(answer)).toEqual([[undefined, 'UNAUTHENTICATED']]);
    expect(services.received).toEqual([]);
  });

  test('The graph at the address of a tenant accepts a proof of possession for this address only.', async () => {
    const prover = await Prover.create();
    prover.nonce = await nonce();
    const token = issuer.token({ scopes, jkt: prover.jkt });
    const headers = (at: string) => prover.headers('POST', `${publicOrigin}${at}`, token);
    expect((await ask(gateway.url, query, { headers: await headers(path), path })).status).toBe(200);
    expect((await ask(gateway.url, query, { headers: await headers('/graphql'), path })).status).toBe(401);
    expect((await ask(gateway.url, query, { headers: await headers(path) })).status).toBe(401);
  });

  test.each(['/t/platform/graphql', '/t/Demo/graphql', '/t/-/graphql', '/t/a%00b/graphql'])(
    'The graph of a tenant is not served at %s.',
    async (other) => {
      const response = await fetch(`${gateway.url}${other}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ __typename }' }),
      });
      expect(response.status).toBe(404);
    },
  );

  test('A path that parsers could interpret differently is rejected, also at the address of a tenant.', async () => {
    for (const other of ['/t/demo%2fgraphql', '/t/demo//graphql']) {
      expect((await fetch(`${gateway.url}${other}`)).status).toBe(400);
    }
  });
});

describe('the metadata of the graph of a tenant (RFC 9728)', () => {
  /** Discovers the metadata from the address of the resource alone (§5). */
  const discovered = async (answer: { headers: Headers }) => {
    const address = /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
    const response = await fetch((address ?? '').replace(publicOrigin, gateway.url));
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };

  test('The challenge of the graph of a tenant leads to the authorization server of the tenant.', async () => {
    const expected = {
      resource: `${publicOrigin}/t/demo/graphql`,
      authorization_servers: [`${publicOrigin}/t/demo`],
      bearer_methods_supported: ['header'],
    };
    expect(await discovered(await ask(gateway.url, query, { path }))).toMatchObject(expected);
    expect(await discovered(await ask(gateway.url, query, { path, token: 'x.y.z' }))).toMatchObject(expected);
  });

  test('The metadata of the graph for all tenants names no authorization server, because each tenant has its own.', async () => {
    const metadata = await discovered(await ask(gateway.url, query));
    expect(metadata.resource).toBe(`${publicOrigin}/graphql`);
    expect(metadata).not.toHaveProperty('authorization_servers');
  });

  test.each(['/t/platform/graphql', '/t/Demo/graphql', '/t/demo/graphql/x', '/t/demo'])(
    'Metadata of the graph of a tenant does not exist for %s.',
    async (other) => {
      const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${other}`);
      expect(response.status).toBe(404);
    },
  );
});
