import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
});
afterAll(async () => {
  await auth.stop();
  await backend.drop();
});

/** Every route of the process, as `GET /t/platform/jwks`. */
const routes = (): { method: string; url: string }[] =>
  auth.routes().flatMap(({ url, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => ({
        method,
        url: url
          .replace(':tenant', 'platform')
          .replace(/:[a-zA-Z]+/g, '00000000-0000-7000-8000-000000000000'),
      })),
  );

test('No route of the internal issuer, and none under /internal, answers a request that a proxy forwards.', async () => {
  const internal = routes().filter(({ url }) => url.startsWith('/internal') || url.includes('/platform'));
  expect(internal.length).toBeGreaterThan(50);
  for (const { method, url } of internal) {
    const response = await fetch(auth.origin + url, {
      method,
      headers: { 'x-forwarded-host': 'id.example' },
    });
    const { error } = (await response.json().catch(() => ({}))) as { error?: string };
    expect([method, url, response.status, error]).toEqual([method, url, 404, 'not_found']);
  }
});

test('Other services of the platform still get the keys and tokens of the internal issuer.', async () => {
  expect((await auth.get('/t/platform/jwks', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200);
  const token = await auth.post(
    '/t/platform/token',
    { grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' },
    { basic: ['gateway', 'gateway-secret-for-tests'], headers: { 'x-forwarded-for': '192.0.2.1' } },
  );
  expect(token.status).toBe(200);
});
