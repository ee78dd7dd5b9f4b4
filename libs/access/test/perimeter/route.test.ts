import { describe, expect, test } from '@jest/globals';
import { consolePathOf, plainRouteOf, routeOf } from '../../src/perimeter/route.ts';

describe('routing by the path alone', () => {
  test.each([
    ['/t/demo/jwks', 'auth'],
    ['/t/demo', 'auth'],
    ['/t/demo/', 'auth'],
    ['/t/demo/.well-known/openid-configuration', 'auth'],
    ['/t/demo/scim', 'provisioning'],
    ['/t/demo/scim/v2/Users?filter=userName%20eq%20%22a%2Fb%22', 'provisioning'],
    ['/t/demo/%73cim/v2/Users', 'provisioning'],
    ['/t/demo/scim/v2//Users//', 'provisioning'],
    ['/t/demo/scim/v2/?filter=x', 'provisioning'],
    ['/t/demo/scimitar', 'auth'],
    ['/.well-known/oauth-authorization-server/t/demo', 'auth'],
    ['/.well-known/ssf-configuration/t/demo', 'auth'],
  ])('The path %s is forwarded unchanged to %s.', (url, service) => {
    expect(routeOf(url)).toEqual({ service, target: url });
  });

  test.each([
    '/internal/v1/revocations',
    '/Internal/v1/revocations',
    '/%69nternal/v1/revocations',
    '/t',
    '/t/',
    '/t/platform/token',
    '/t/Demo/jwks',
    '/t/-x/jwks',
    '/t/demo;a=b/jwks',
    '/T/demo/jwks',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/t/demo/more',
    '/.well-known/oauth-authorization-server/internal/v1',
    '/.well-known/ssf-configuration',
    '/.well-known/ssf-configuration/t/platform',
    '/.well-known/ssf-configuration/t/demo/more',
    '/metrics',
    '/readyz',
    '/',
  ])('The path %s is routed to no service.', (url) => {
    expect(['unknown', 'malformed']).toContain(routeOf(url));
  });

  test.each([
    '/t/demo/../../internal/v1/revocations',
    '/t/demo/%2e%2e/%2E%2e/internal/v1/revocations',
    '/t/demo/..%2f..%2finternal/v1',
    '/t/demo/%2e%2e%2f%2e%2e%2finternal',
    '/t/demo/.%2e/internal',
    '/t/demo/..;/..;/internal/../..',
    '/t/demo/%252e%252e/%252e%252e/internal',
    '/t/demo/..%5c..%5cinternal',
    '/t/demo\\..\\internal',
    '/t/demo/./scim/v2/Users',
    '/t/demo//internal/v1',
    '/t/demo/scim//v2/Users',
    '/t/demo//scim/v2/Users',
    '/t/demo/scim/v2//../../internal/v1',
    '//internal/v1/revocations',
    '/t//internal/v1',
    '/t/demo/%00/internal',
    '/t/demo/%0d%0aX-Evil:1',
    '/t/demo/%zz',
    '/t/demo/%c0%ae%c0%ae/internal',
    '/t/demo/a#/../../internal',
    'http://auth/internal/v1/revocations',
    'internal/v1/revocations',
    '',
    '*',
  ])('The path %s is malformed.', (url) => {
    expect(routeOf(url)).toBe('malformed');
  });

  const noResource = { service: 'provisioning', target: '/t/demo/scim/v2/Users/!' };
  test.each([
    '/t/demo/scim/v2/Users/%00',
    '/t/demo/scim/v2/Users/a%2Fb',
    '/t/demo/scim/v2/Users/a%5Cb/',
    '/t/demo/scim/v2/Users/%2500',
    '/t/demo/scim/v2/Users/..%2f..%2finternal%2fv1',
    '/t/demo/scim/v2/Users/%0d%0aX-Evil:1',
    `/t/demo/scim/v2/Users/${'x'.repeat(257)}`,
  ])('The path %s names a resource that does not exist, and is not forwarded.', (url) => {
    expect(routeOf(url)).toEqual(noResource);
    expect(routeOf(`${url}?attributes=userName`)).toEqual({
      ...noResource,
      target: `${noResource.target}?attributes=userName`,
    });
  });

  test.each([
    '/t/demo/scim/v2/Users/%2e%2e',
    '/t/demo/scim/v2/Users/..',
    '/t/demo/scim/v2/Users/a\\b',
    '/t/demo/scim/v2/Users/%zz',
    '/t/demo/scim/v2/Users/%c0%ae',
    '/t/demo/scim/v2/Users/a%2Fb/c',
    '/t/demo/scim/v2/a%2Fb',
    '/t/demo/scim/v2/%2e%2e/a%2Fb',
    '/t/demo/scim/%00/Users/a%2Fb',
    '/t/%00/scim/v2/Users/a%2Fb',
    '/t/demo/scim/v2/a%2Fb/Users/%00',
  ])('The path %s is malformed, with any resource id.', (url) => {
    expect(routeOf(url)).toBe('malformed');
  });

  test('The SCIM resources of the platform are unknown, with any id.', () => {
    expect(routeOf('/t/platform/scim/v2/Users/%00')).toBe('unknown');
  });
});

describe('plain paths that bypass the router', () => {
  test.each([
    '/t/demo/token',
    '/t/demo',
    '/t/platforms/token',
    '/t/demo?x=%2F..%2F',
    '/t/demo/.well-known/openid-configuration',
    '/t/demo/scim/v2/Users/019c2b5a-0000-7000-8000-000000000001?attributes=userName',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/oauth-protected-resource/t/demo/scim/v2',
  ])('The path %s is one that every parser reads in the same way.', (url) => {
    expect(plainRouteOf(url)).toEqual(routeOf(url));
    expect(plainRouteOf(url)).toHaveProperty('target', url);
  });

  test.each([
    '/t/demo/graphql',
    '/t/demo/graphql?query=x',
    '/.well-known/oauth-protected-resource/t/demo/graphql',
    '/.well-known/oauth-protected-resource/graphql',
    '/t/demo/%67raphql',
    '/t/demo/%74oken',
    '/t/%64emo/token',
    '/t/demo/../../internal/v1',
    '/t/demo/./token',
    '/t/demo/...',
    '/t/demo//token',
    '/t/demo/token;a=b',
    '/t/demo/token#x',
    '/t/demo/a\\b',
    `/t/demo/scim/v2/Users/${'x'.repeat(257)}`,
    '/t/platform/token',
    '/t/platform',
    '/.well-known/oauth-authorization-server/t/platform',
    '/t/Demo/token',
    '/internal/v1/revocations',
    '/.well-known/ssf-configuration/t/demo/more',
    'http://id.test/t/demo/token',
    '/metrics',
    '*',
    '',
  ])('The path %s is left to the router.', (url) => {
    expect(plainRouteOf(url)).toBeUndefined();
  });
});

describe('paths of the console', () => {
  test.each([
    ['/console/', ''],
    ['/console/?x=../y', ''],
    ['/console/assets/main-Ab12.js', 'assets/main-Ab12.js'],
    ['/console/t/demo/users/alice%40example.com?tab=doors', 't/demo/users/alice%40example.com'],
    ['/console/t/demo/', 't/demo/'],
  ])('The path %s requests "%s" of the console.', (url, below) => expect(consolePathOf(url)).toBe(below));

  test.each([
    '/console',
    '/consoles/',
    '/console/../t/demo',
    '/console/%2e%2e/t/demo',
    '/console/a%2Fb',
    '/console/a%5cb',
    '/console/a\\b',
    '/console//a',
    '/console/./a',
    '/console/%00',
    '/console/%252e',
    '/console/%zz',
    '/console/a#b',
    '/console/a b',
    '//console/',
    'http://id.test/console/',
    '/t/demo/console/',
  ])('The path %s is not a path of the console.', (url) => expect(consolePathOf(url)).toBeUndefined());
});
