import { beforeEach, expect, test } from '@jest/globals';
import type { PeerRequest, PeerResponse } from '@ostiary/service';
import { type ServiceTokens, serviceTokens } from '../src/index.ts';

let issued: number;
let now: number;
let tokens: ServiceTokens;

/** The authorization server's token endpoint, at the port the tokens are fetched through. */
const auth = {
  async request<T>(_call: PeerRequest): Promise<PeerResponse<T>> {
    issued += 1;
    return { status: 200, body: { access_token: `token-${issued}`, expires_in: 300 } as T, headers: {} };
  },
};

beforeEach(() => {
  issued = 0;
  now = 1_000_000;
  tokens = serviceTokens({ auth, clientId: 'c', clientSecret: 's', audience: 'a', clock: () => now });
});

test('one token serves until shortly before it expires', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, () => tokens.supply()))).toEqual(
    Array(20).fill('token-1'),
  );
  now += 239_000;
  expect(await tokens.supply()).toBe('token-1');
  now += 2_000;
  expect(await tokens.supply()).toBe('token-2');
});

test('a token that was refused is replaced, once for everybody', async () => {
  await tokens.supply();
  now += 5_000;
  const renewed = await Promise.all(Array.from({ length: 20 }, () => tokens.supply('token-1')));
  expect(renewed).toEqual(Array(20).fill('token-2'));
  // Whoever comes late with the old refusal gets the one that is there.
  expect(await tokens.supply('token-1')).toBe('token-2');
  expect(issued).toBe(2);
});

test('one that is refused as soon as it is there is refused for another reason: no storm of new ones', async () => {
  await tokens.supply();
  for (let again = 0; again < 100; again += 1) await tokens.supply(`token-${issued}`);
  expect(issued).toBe(1);
});

test('one whose key is gone is forgotten without being refused first', async () => {
  await tokens.supply();
  tokens.forget();
  expect(await tokens.supply()).toBe('token-2');
});
