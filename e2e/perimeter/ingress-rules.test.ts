import { describe, expect, test } from '@jest/globals';
import { routeOf } from '@ostiary/access';
import { backendOf, ingressRules } from './ingress.ts';

describe('the Ingress that bypasses the gateway', () => {
  test.each([
    '/t/demo/token',
    '/t/demo/.well-known/openid-configuration',
    '/t/demo/scim',
    '/t/demo/scim/v2/Users/1',
    '/t/demo/scimitar',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/ssf-configuration/t/demo',
    '/.well-known/oauth-protected-resource/t/demo/scim/v2',
  ])('The Ingress routes %s to the same service as the gateway.', (path) => {
    const route = routeOf(path);
    expect(backendOf(path)).toBe(typeof route === 'object' ? route.service : route);
  });

  test.each([
    '/graphql',
    '/t/demo/graphql',
    '/readyz',
    '/console',
    '/console/',
    '/console/demo/users',
    '/console/assets/main.js',
    '/.well-known/oauth-protected-resource/graphql',
    '/.well-known/oauth-protected-resource/t/demo/graphql',
  ])('The Ingress routes %s to the gateway.', (path) => expect(backendOf(path)).toBe('gateway'));

  test.each([
    '/',
    '/internal/v1/revocations',
    '/metrics',
    '/livez',
    '/graphiql',
    '/graphql/x',
    '/consoles',
    '/tx/demo',
  ])('The Ingress that bypasses the gateway has no route for %s.', (path) =>
    expect(backendOf(path)).toBeUndefined(),
  );

  test('The Ingress has no route to a service without public routes.', () => {
    expect(new Set(ingressRules().map(({ backend }) => backend))).toEqual(
      new Set(['auth', 'provisioning', 'gateway']),
    );
  });
});
