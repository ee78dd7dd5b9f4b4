import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Harness, startDirectory } from '../support/harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startDirectory({ databaseUrl: 'postgres://nobody:secret@127.0.0.1:1/nowhere' });
});
afterAll(() => harness.stop());

test('Without its database the directory returns 503 with a retry hint and no internal details.', async () => {
  const answer = await harness.call('GET', '/internal/v1/tenants/acme/Users/x');
  expect(answer).toMatchObject({ status: 503, body: { status: '503' } });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect((await harness.call('GET', '/internal/v1/tenants')).status).toBe(503);
  const token = harness.issuer.token('acme', { scopes: ['users:read', 'tenants:read'] });
  const graph = await harness.graph('{ users { totalCount } tenant { id } }', {}, token);
  expect(graph.body.errors.map((error: { extensions: object }) => error.extensions)).toEqual([
    { code: 'SERVICE_UNAVAILABLE' },
    { code: 'SERVICE_UNAVAILABLE' },
  ]);
  expect(JSON.stringify([answer.body, graph.body])).not.toMatch(/127\.0|nobody|nowhere|ECONN|prisma/i);
  expect((await fetch(`${harness.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${harness.url}/livez`)).status).toBe(200);
});
