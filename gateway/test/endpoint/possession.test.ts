import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DpopProofs, subgraphAudience } from '@ostiary/access';
import { Issuer, Prover, publicOrigin } from '@ostiary/access/testing';
import { createKit, createRedis, type Redis, redisReady } from '@ostiary/service';
import { testNonceKeys } from '@ostiary/service/testing';
import {
  ask,
  type RunningGateway,
  type RunningService,
  startGateway,
  startService,
} from '../support/system.ts';

const graphql = `${publicOrigin}/graphql`;
const query = '{ users { id sessionCount source } }';
const scopes = ['users:read', 'sessions:read', 'provisioning:read'];

let redis: Redis;
let issuer: Issuer;
let services: RunningService[];
let gateway: RunningGateway;
let prover: Prover;
let token: string;

beforeAll(async () => {
  redis = createRedis(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379', {
    name: 'test',
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  await redisReady(redis);
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const proofs = new DpopProofs({
    redis,
    prefix,
    nonceKeys: testNonceKeys,
    allowance: async () => undefined,
    clock: Date.now,
  });
  issuer = new Issuer({ proofs });
  services = await Promise.all([
    startService(issuer, 'auth'),
    startService(issuer, 'directory'),
    startService(issuer, 'provisioning'),
  ]);
  const [auth, directory, provisioning] = services.map(({ origin }) => origin);
  gateway = await startGateway(
    issuer,
    { auth: auth ?? '', directory: directory ?? '', provisioning: provisioning ?? '' },
    {
      voucherFor: (service) => async () =>
        issuer.token({ tenant: 'platform', subject: 'gateway', audience: subgraphAudience(service) }),
    },
  );
  prover = await Prover.create();
  prover.nonce = await proofs.nonce();
  token = issuer.token({ subject: 'job', scopes, jkt: prover.jkt });
});
beforeEach(() => {
  for (const { received } of services) received.length = 0;
});
afterAll(async () => {
  await gateway?.app.close();
  await Promise.all((services ?? []).map(({ app }) => app.close()));
  redis?.disconnect();
});

describe('a token bound to a key', () => {
  test('A bound token reads from three subgraphs with one proof, which is verified once, at the gateway.', async () => {
    const answer = await ask(gateway.url, query, { headers: await prover.headers('POST', graphql, token) });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data?.users).toHaveLength(2);
    expect(answer.headers.get('dpop-nonce')).toBe(prover.nonce);
    for (const { received } of services) {
      expect(received.map(({ headers }) => headers.authorization)).toEqual([`DPoP ${token}`]);
      expect(received[0]?.headers).not.toHaveProperty('dpop');
    }
  });

  test('A bound token is accepted by GET as well.', async () => {
    const response = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: await prover.headers('GET', graphql, token),
    });
    expect(response.status).toBe(200);
  });

  test.each<[string, string, () => Promise<Record<string, string>>]>([
    ['as Bearer', 'invalid_token', async () => ({ authorization: `Bearer ${token}` })],
    ['without a proof', 'invalid_dpop_proof', async () => ({ authorization: `DPoP ${token}` })],
    ['with a proof for GET', 'invalid_dpop_proof', () => prover.headers('GET', graphql, token)],
    [
      'with a proof for a subgraph',
      'invalid_dpop_proof',
      () => prover.headers('POST', `${services[0]?.origin}/graphql`, token),
    ],
    [
      'without a nonce',
      'use_dpop_nonce',
      () => prover.headers('POST', graphql, token, { claims: { nonce: undefined } }),
    ],
  ])(
    'A bound token sent %s is rejected with 401 %s, and no subgraph gets a request.',
    async (_name, error, headers) => {
      const answer = await ask(gateway.url, query, { headers: await headers() });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain(`error="${error}"`);
      expect(answer.headers.get('www-authenticate')).toContain('algs="ES256 ');
      expect(answer.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
      expect(services.flatMap(({ received }) => received)).toHaveLength(0);
    },
  );

  test('A bound token needs a new proof for each operation.', async () => {
    const headers = await prover.headers('POST', graphql, token);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(gateway.url, query, { headers })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('A bound token is not accepted directly by a subgraph, with any proof.', async () => {
    const url = `${services[1]?.origin}/graphql`;
    for (const headers of [
      await prover.headers('POST', graphql, token),
      await prover.headers('POST', url, token),
      { authorization: `Bearer ${token}` },
    ]) {
      const answer = await ask(services[1]?.origin ?? '', '{ users { id } }', { headers });
      expect(answer.status).toBe(401);
    }
  });
});

test('A bearer token is forwarded to subgraphs without a voucher of possession.', async () => {
  const bearer = issuer.token({ subject: 'job', scopes });
  expect((await ask(gateway.url, query, { token: bearer })).status).toBe(200);
  for (const { received } of services) {
    expect(received[0]?.headers).not.toHaveProperty('x-ostiary-possession');
  }
});

describe('the ways of presenting a token (RFC 6750 section 2)', () => {
  const form = async (headers: Record<string, string> = {}) => {
    const bearer = issuer.token({ subject: 'job', scopes });
    return fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ access_token: bearer, query }),
    });
  };

  test('A token in a form is not accepted, because the graph accepts no forms.', async () => {
    expect((await form()).status).toBe(415);
  });

  test('A token in both the header and a form is rejected with 400 invalid_request.', async () => {
    const bearer = issuer.token({ subject: 'job', scopes });
    const answer = await form({ authorization: `Bearer ${bearer}` });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });

  test('A token in the query is rejected with 400 invalid_request.', async () => {
    const answer = await fetch(`${gateway.url}/graphql?access_token=${token}&query={__typename}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });
});

describe('protected resource metadata (RFC 9728)', () => {
  test('The protected resource metadata of the graph is at the address in its challenge.', async () => {
    const refused = await ask(gateway.url, query);
    const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(address).toBe(`${publicOrigin}/.well-known/oauth-protected-resource/graphql`);
    const answer = await fetch(`${gateway.url}/.well-known/oauth-protected-resource/graphql`);
    expect(await answer.json()).toMatchObject({
      resource: graphql,
      bearer_methods_supported: ['header'],
      dpop_bound_access_tokens_required: false,
    });
  });

  test('The protected resource metadata of SCIM is served by provisioning, for tenants only.', async () => {
    const ask = (path: string) => fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`);
    await ask('/t/demo/scim/v2');
    expect(services[2]?.received.map(({ url }) => url)).toEqual([
      '/.well-known/oauth-protected-resource/t/demo/scim/v2',
    ]);
    for (const path of ['/t/platform/scim/v2', '/t/demo/scim', '/t/demo/scim/v2/Users', '/t/demo']) {
      expect((await ask(path)).status).toBe(404);
    }
    expect(services[2]?.received).toHaveLength(1);
  });
});
