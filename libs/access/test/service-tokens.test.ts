import { beforeEach, expect, test } from '@jest/globals';
import type { PeerRequest, PeerResponse } from '@ostiary/service';
import { ServiceTokens } from '../src/index.ts';

let issued: number;
let now: number;
let tokens: ServiceTokens;
let away: boolean;

/** Token endpoint of the authorization server. */
const auth = {
  async request<T>(_call: PeerRequest): Promise<PeerResponse<T>> {
    if (away) return { status: 503, body: {} as T, headers: {} };
    issued += 1;
    return { status: 200, body: { access_token: `token-${issued}`, expires_in: 300 } as T, headers: {} };
  },
};

beforeEach(() => {
  issued = 0;
  away = false;
  now = 1_000_000;
  tokens = new ServiceTokens({ auth, clientId: 'c', clientSecret: 's', audience: 'a', clock: () => now });
});

test('One service token is used until shortly before it expires.', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, () => tokens.supply()))).toEqual(
    Array(20).fill('token-1'),
  );
  now += 149_000;
  expect(await tokens.supply()).toBe('token-1');
  expect(issued).toBe(1);
  now += 2_000;
  // The next token is requested in the background.
  expect(await tokens.supply()).toBe('token-1');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await tokens.supply()).toBe('token-2');
  expect(issued).toBe(2);
});

test('A service token outlives an outage of the authorization server for nearly half of its lifetime.', async () => {
  await tokens.supply();
  now += 149_000;
  await tokens.supply();
  away = true;
  now += 135_000;
  expect(await tokens.supply()).toBe('token-1');
  now += 2_000;
  await expect(tokens.supply()).rejects.toThrow();
  away = false;
  expect(await tokens.supply()).toBe('token-2');
});

test('A service token that is renewed early outlasts an outage at any time, even when the token was long unused.', async () => {
  for (let begins = 300_000; begins <= 600_000; begins += 7_000) {
    for (let passed = 0; passed < begins; passed += 5_000) {
      tokens.tend();
      await new Promise((resolve) => setImmediate(resolve));
      now += 5_000;
    }
    away = true;
    const before = issued;
    for (let passed = 0; passed < 130_000; passed += 5_000) {
      now += 5_000;
      tokens.tend();
      await new Promise((resolve) => setImmediate(resolve));
      expect(await tokens.supply()).toBe(`token-${before}`);
    }
    away = false;
  }
  // At most one request per half of a token's lifetime.
  expect(issued).toBeLessThan(now / 140_000);
});

test('A service token that was rejected is replaced, once for all callers.', async () => {
  await tokens.supply();
  now += 5_000;
  const renewed = await Promise.all(Array.from({ length: 20 }, () => tokens.supply('token-1')));
  expect(renewed).toEqual(Array(20).fill('token-2'));
  // A late caller with the rejected token gets the current one.
  expect(await tokens.supply('token-1')).toBe('token-2');
  expect(issued).toBe(2);
});

test('A service token that is rejected right after its issue causes no storm of new tokens.', async () => {
  await tokens.supply();
  for (let again = 0; again < 100; again += 1) await tokens.supply(`token-${issued}`);
  expect(issued).toBe(1);
});

test('A service token whose key is gone is discarded before it is rejected.', async () => {
  await tokens.supply();
  tokens.forget();
  expect(await tokens.supply()).toBe('token-2');
});
