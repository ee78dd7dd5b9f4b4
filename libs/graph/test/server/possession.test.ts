import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceAudience, subgraphAudience } from '@ostiary/access';
import { Issuer, type TokenClaims } from '@ostiary/access/testing';
import { type GraphContext, possessionHeader } from '../../src/index.ts';
import { federation, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

let issuer: Issuer;
let graph: RunningSubgraph;
let bound: string;

beforeAll(async () => {
  issuer = new Issuer();
  bound = issuer.token({ scopes: ['all'], jkt: 'A'.repeat(43) });
  graph = await serveSubgraph(issuer, {
    typeDefs: `${federation}\n type Query { tenant: String @scopes(any: ["all"]) }`,
    resolvers: {
      Query: { tenant: (_parent: unknown, _args: unknown, context: GraphContext) => context.tenant },
    },
    loaders: () => ({}),
  });
});
afterAll(() => graph.close());

const voucher = (change: TokenClaims = {}) =>
  issuer.token({ tenant: 'platform', subject: 'gateway', audience: subgraphAudience('test'), ...change });
const ask = async (authorization: string, vouchedBy?: string) =>
  graph.ask('{ tenant }', {
    headers: { authorization, ...(vouchedBy === undefined ? {} : { [possessionHeader]: vouchedBy }) },
  });

describe('key-bound tokens at a subgraph', () => {
  test('A key-bound token is accepted when the gateway confirms that it has verified the proof.', async () => {
    const answer = await ask(`DPoP ${bound}`, voucher());
    expect([answer.status, answer.body.data]).toEqual([200, { tenant: 'demo' }]);
  });

  test.each<[string, () => string | undefined]>([
    ['no service', () => undefined],
    ['another service', () => voucher({ subject: 'provisioning' })],
    ['the gateway, to another subgraph', () => voucher({ audience: subgraphAudience('directory') })],
    ['a token for the service’s internal routes', () => voucher({ audience: serviceAudience('test') })],
    ['the gateway, an hour ago', () => voucher({ expiresIn: -3_600 })],
    ['a client of a tenant that is called gateway', () => voucher({ tenant: 'demo' })],
    ['the caller itself', () => bound],
    ['something made up', () => 'x'],
  ])('A key-bound token is rejected when it is confirmed by %s.', async (_name, make) => {
    const answer = await ask(`DPoP ${bound}`, make());
    expect([401, 403]).toContain(answer.status);
    expect(answer.body).not.toHaveProperty('data');
  });

  test('A key-bound token is rejected as a bearer token, even with a confirmation.', async () => {
    expect((await ask(`Bearer ${bound}`, voucher())).status).toBe(401);
  });
});

test('A confirmation alone is no token, and it adds no access to a bearer token.', async () => {
  const alone = await graph.ask('{ tenant }', { headers: { [possessionHeader]: voucher() } });
  expect(alone.status).toBe(401);
  const weak = issuer.token({ scopes: [] });
  const answer = await ask(`Bearer ${weak}`, voucher());
  expect(answer.body.data).toEqual({ tenant: null });
});

test('A token for the graph alone is accepted like a token for the whole API.', async () => {
  const narrow = issuer.token({ scopes: ['all'], audience: 'https://id.test/graphql' });
  expect((await ask(`Bearer ${narrow}`)).body.data).toEqual({ tenant: 'demo' });
  const scim = issuer.token({ scopes: ['all'], audience: 'https://id.test/t/demo/scim/v2' });
  expect((await ask(`Bearer ${scim}`)).status).toBe(401);
});
