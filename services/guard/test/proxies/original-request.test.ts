import { describe, expect, test } from '@jest/globals';
import { type AskedRequest, originalRequest, type ProxyName } from '../../src/proxies/index.ts';

const forwarded = {
  'x-forwarded-method': 'POST',
  'x-forwarded-host': 'Orders.example:443',
  'x-forwarded-uri': '/orders/%2e%2e?x=1',
};
const original = {
  'x-original-method': 'POST',
  'x-original-url': 'https://Orders.example/orders/%2e%2e?x=1',
};
const wanted = { method: 'POST', host: 'orders.example', target: '/orders/%2e%2e?x=1' };

/** A request of each proxy for the same original request. */
const asked: Record<ProxyName, AskedRequest> = {
  nginx: { method: 'GET', url: '/verify', headers: original },
  traefik: { method: 'GET', url: '/verify', headers: forwarded },
  caddy: { method: 'GET', url: '/verify', headers: forwarded },
  haproxy: { method: 'GET', url: '/verify', headers: forwarded },
  envoy: { method: 'POST', url: '/verify/orders/%2e%2e?x=1', headers: { host: 'Orders.example' } },
};

describe.each(Object.entries(asked) as [ProxyName, AskedRequest][])('a request of %s', (proxy, request) => {
  test(`The original request behind ${proxy} is read unchanged, with the host in lower case.`, () => {
    expect(originalRequest(proxy, request)).toEqual(wanted);
  });

  test(`With ${proxy}, the headers of other proxies are ignored: a client could have sent them.`, () => {
    const others = {
      'x-original-method': 'GET',
      'x-original-url': 'https://other.example/public',
      'x-forwarded-method': 'GET',
      'x-forwarded-host': 'other.example',
      'x-forwarded-uri': '/public',
      'x-real-ip': '127.0.0.1',
      'x-rewrite-url': '/public',
      forwarded: 'host=other.example',
    };
    const headers = { ...others, ...request.headers };
    expect(originalRequest(proxy, { ...request, headers })).toEqual(wanted);
  });

  test(`With ${proxy}, there is no original request without its headers.`, () => {
    expect(originalRequest(proxy, { ...request, url: '/verify', headers: {} })).toBeUndefined();
  });
});

test.each([
  ['x-forwarded-method', 'POST, POST'],
  ['x-forwarded-method', ''],
  ['x-forwarded-host', 'orders.example, other.example'],
  ['x-forwarded-host', 'orders.example/public'],
  ['x-forwarded-host', 'user@orders.example'],
  ['x-forwarded-uri', '/orders, /public'],
  ['x-forwarded-uri', 'orders'],
  ['x-forwarded-uri', '/orders#/public'],
  ['x-forwarded-uri', 'https://orders.example/orders'],
])('The header %s with the value "%s" describes no request.', (name, value) => {
  const headers = { ...forwarded, [name]: value };
  for (const proxy of ['traefik', 'caddy', 'haproxy'] as const)
    expect(originalRequest(proxy, { ...asked[proxy], headers })).toBeUndefined();
});

test.each(['/verify', '/verify?x=1', '/verifyx/orders', '/', '*', 'https://orders.example/verify/x'])(
  'For Envoy, the target %s has no original path.',
  (url) => {
    expect(
      originalRequest('envoy', { method: 'GET', url, headers: { host: 'orders.example' } }),
    ).toBeUndefined();
  },
);

test.each([
  'https://orders.example',
  'orders.example/x',
  '/x',
  'ftp://orders.example/x',
  'https://a@b/x',
  'https:///x',
  'https://a/x, https://a/x',
])('For nginx, the address %s is malformed.', (url) => {
  const headers = { 'x-original-method': 'GET', 'x-original-url': url };
  expect(originalRequest('nginx', { method: 'GET', url: '/verify', headers })).toBeUndefined();
});
