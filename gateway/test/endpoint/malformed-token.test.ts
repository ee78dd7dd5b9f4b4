import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { challengeRoutes, Issuer, recordRoutes } from '@ostiary/access/testing';
import { type RunningGateway, Services } from '../support/system.ts';

const routes = recordRoutes();

let services: Services;
let gateway: RunningGateway;

beforeAll(async () => {
  services = await Services.start(new Issuer());
  gateway = await services.gateway();
});

afterAll(() => services?.stop());

test('A malformed token is rejected as an invalid token at every address of the graph (RFC 6750 §3.1).', async () => {
  const graph = routes.filter(({ url }) => url.endsWith('/graphql') && !url.startsWith('/.well-known'));
  expect(new Set(graph.map(({ url }) => url))).toEqual(new Set(['/graphql', '/t/:tenant/graphql']));
  const answers = await challengeRoutes(gateway.url, graph, { fill: { tenant: 'demo' } });
  const guarded = answers.filter(({ isProtected }) => isProtected);
  expect(guarded.length).toBeGreaterThan(1);
  expect(guarded.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});
