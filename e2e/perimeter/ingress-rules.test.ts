import { describe, expect, test } from '@jest/globals';
import { routeOf } from '@ostiary/access';
import { backendOf, ingressRules } from './ingress.ts';

describe('the Ingress that leads past the gateway', () => {
  test.each([
    '/t/demo/token',
    '/t/demo/.well-known/openid-configuration',
    '/t/demo/scim',
    '/t/demo/scim/v2/Users/1',
    '/t/demo/scimitar',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/ssf-configuration/t/demo',
    '/.well-known/oauth-protected-resource/t/demo/scim/v2',
  ])('The Ingress leads %s where the gateway passes it on to.', (path) => {
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
  ])('The Ingress leads %s to the gateway.', (path) => expect(backendOf(path)).toBe('gateway'));

  test.each([
    '/',
    '/internal/v1/revocations',
    '/metrics',
    '/livez',
    '/graphiql',
    '/graphql/x',
    '/consoles',
    '/tx/demo',
  ])('The Ingress past the gateway has no route for %s.', (path) => expect(backendOf(path)).toBeUndefined());

  test('The Ingress leads to no service of which the outside may ask nothing.', () => {
    expect(new Set(ingressRules().map(({ backend }) => backend))).toEqual(
      new Set(['auth', 'provisioning', 'gateway']),
    );
  });
});
