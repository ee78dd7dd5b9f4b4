import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { countInTurn, shareOfOne } from '../../../src/platform/limits/domain/counted-in-turn.ts';
import {
  deviceCodeGuesses,
  maxPushedBytes,
  pushedRequests,
  requestDocuments,
  signInFailures,
} from '../../../src/platform/limits/domain/shared-limits.ts';
import { challenge, publicClient, register, signedIn, verifier } from '../../support/running-auth.ts';
import { auth, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

setUpTwoProcesses();

const perMinute = 200;
/** Every limit that sources share, with the narrowest counter before it. */
const budgets = {
  'user codes of a tenant': [deviceCodeGuesses.address, deviceCodeGuesses.tenant],
  'sign-ins of a tenant': [signInFailures.address(3_000), signInFailures.tenant(3_000)],
  'sign-ins of a tenant that allows few': [signInFailures.address(100), signInFailures.tenant(100)],
  'pushed requests of a public client': [
    pushedRequests.unproven(perMinute),
    pushedRequests.client(perMinute),
  ],
  'pushed requests of a tenant, by a public client': [
    pushedRequests.unproven(perMinute),
    pushedRequests.tenant(perMinute),
  ],
  'pushed requests of a tenant, by one that proves who it is': [
    pushedRequests.client(perMinute),
    pushedRequests.tenant(perMinute),
  ],
  'request objects fetched from a client’s server': [
    requestDocuments.network(perMinute),
    requestDocuments.client(perMinute),
  ],
  'request objects fetched for a tenant': [
    requestDocuments.network(perMinute),
    requestDocuments.tenant(perMinute),
  ],
} as const;

test.each(Object.entries(budgets))(
  'One source uses at most half of the %s, however many requests it sends.',
  (name, [own, shared]) => {
    expect([name, shareOfOne(own, shared) <= 0.5]).toEqual([name, true]);
  },
);

test('Attempts and guesses are begun in the listed files only.', () => {
  const root = new URL('../../../src/', import.meta.url);
  const counting = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && /(?:attempts|guesses)\.begin\(/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  // Except for the rule itself, each of these counters belongs to one source or follows one that does
  // (sign-in-limits).
  expect(counting.toSorted()).toEqual([
    'clients/domain/platform/secret-guesses.ts',
    'identity/account/account.ts',
    'identity/sign-in/domain/second-factors.ts',
    'identity/sign-in/domain/sign-in-limits.ts',
    'identity/sign-in/http/open-interactions.ts',
    'identity/sign-in/http/second-factor.ts',
    'oauth/domain/device-request-limit.ts',
    'platform/limits/domain/counted-in-turn.ts',
  ]);
});

describe('1,300 guesses at user codes from one address', () => {
  test('Guesses from one address leave the counter of the tenant to other callers, at two processes in parallel.', async () => {
    const from = (address: string, at = auth) =>
      countInTurn(at.deps.attempts, {
        own: [{ key: `test:address:${address}`, limit: deviceCodeGuesses.address }],
        shared: [{ key: 'test:tenant', limit: deviceCodeGuesses.tenant }],
      });
    const turns = await Promise.all(
      Array.from({ length: 1_300 }, (_, guess) => from('198.51.100.1', guess % 2 ? auth : twin)),
    );
    expect(turns.filter(({ waitMs }) => waitMs === 0).length).toBeLessThanOrEqual(51);
    for (let other = 0; other < 20; other += 1) {
      expect((await from(`203.0.113.${other}`)).waitMs).toBe(0);
    }
  });

  test('A rejection by the shared limit does not count against the source.', async () => {
    const crowd = {
      key: 'test:full',
      limit: { free: 1, firstMs: 60_000, maxMs: 60_000, forgetMs: 60_000 },
    };
    const own = { key: 'test:own', limit: { free: 2, firstMs: 60_000, maxMs: 60_000, forgetMs: 60_000 } };
    await countInTurn(auth.deps.attempts, { own: [{ ...own, key: 'test:first' }], shared: [crowd] });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await countInTurn(auth.deps.attempts, { own: [own], shared: [crowd] })).waitMs).toBeGreaterThan(
        0,
      );
    }
    expect((await countInTurn(auth.deps.attempts, { own: [own], shared: [] })).waitMs).toBe(0);
  });
});

describe('pushed requests', () => {
  const callback = 'http://127.0.0.1:8123/callback';
  const fields = (clientId: string, more: Record<string, string> = {}) => ({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
    code_challenge: challenge(verifier()),
    code_challenge_method: 'S256',
    ...more,
  });
  const push = (
    clientId: string,
    address: string,
    o: { tenant?: string; more?: Record<string, string> } = {},
  ) =>
    auth.post(`/t/${o.tenant ?? 'demo'}/par`, fields(clientId, o.more), {
      headers: { 'x-forwarded-for': address },
    });
  const app = async (tenant = 'demo') =>
    (await register(auth, { ...publicClient, redirect_uris: [callback] }, tenant)).client.clientId;

  test('Pushed requests of one network are stored up to a limit, then rejected with 429 and Retry-After for it only.', async () => {
    await signedIn(auth);
    const [own, rival] = [await app(), await app('rival')];
    let answer = await push(own, '198.51.100.9');
    let kept = 0;
    for (; answer.status === 201 && kept <= 2 * perMinute; kept += 1)
      answer = await push(own, '198.51.100.9');
    expect([answer.status, answer.body.error]).toEqual([429, 'slow_down']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(kept).toBeGreaterThanOrEqual(perMinute - 1);
    expect((await push(own, '198.51.100.10')).status).toBe(201);
    expect((await push(rival, '198.51.100.9', { tenant: 'rival' })).status).toBe(201);
  });

  test('The total size of the parameters of a pushed request is limited.', async () => {
    const own = await app();
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`x${at}`, 'y'.repeat(maxPushedBytes / 30)]),
    );
    const answer = await push(own, '198.51.100.11', { more: many });
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
    const single = await push(own, '198.51.100.11', { more: { claims: ' '.repeat(maxPushedBytes) } });
    expect([400, 413]).toContain(single.status);
  });
});
