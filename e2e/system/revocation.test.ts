import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually.ts';
import { issued } from '../support/one-times.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import {
  answered,
  inParallel,
  Pair,
  type Redeem,
  type Redemption,
  rowsOf,
  tokenRequest,
} from '../support/redemptions.ts';
import { signIn } from '../support/sign-in.ts';

jest.setTimeout(180_000);

const refreshes = 40;
const revocations = 10;

let own: OwnSystem;
/** Repeating a refresh is replay from the first moment on. */
let strict: Pair;
/** A repeated refresh gets the same answer for a while. */
let lenient: Pair;

beforeAll(async () => {
  own = await ownSystem();
  [strict, lenient] = await Promise.all([
    Pair.start(own, { REFRESH_RETRY_WINDOW_SECONDS: '0' }),
    Pair.start(own, {}),
  ]);
});

afterAll(() => own?.stop());

const tenant = () => own.demo.tenants.demo;
const web = () => tenant().clients.web.client_id;

const refreshWith = (token: string): Redeem =>
  tokenRequest({ grant_type: 'refresh_token', client_id: web(), refresh_token: token });
const revokeWith =
  (token: string): Redeem =>
  (origin) =>
    answered(`${origin}/t/demo/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: web(), token }),
    });
const introspectWith =
  (token: string): Redeem =>
  (origin) => {
    const { client_id, client_secret } = tenant().clients.api;
    return answered(`${origin}/t/demo/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
      body: new URLSearchParams({ token }),
    });
  };
const userinfoWith =
  (token: string): Redeem =>
  (origin) =>
    answered(`${origin}/t/demo/userinfo`, { headers: { authorization: `Bearer ${token}` } });

interface Race {
  grantId: string;
  refreshed: Redemption[];
  revoked: Redemption[];
  /** Every access token and refresh token that anybody got. */
  tokens: { access: Set<string>; refresh: Set<string> };
  refreshToken: string;
}

/** Refreshes and revocations of one refresh token at the same time, at two processes. */
async function race(pair: Pair, disturb: () => Promise<void>): Promise<Race> {
  const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope: 'openid offline_access' });
  const refreshToken = tokens.refresh_token ?? '';
  const refreshing = inParallel(refreshes, pair.origins, refreshWith(refreshToken));
  const revoking = inParallel(revocations, pair.origins, revokeWith(refreshToken));
  await disturb();
  const [refreshed, revoked] = await Promise.all([refreshing, revoking]);
  const successes = refreshed.filter(issued);
  return {
    grantId: String(decodeJwt(tokens.access_token).grant_id),
    refreshed,
    revoked,
    tokens: {
      access: new Set([tokens.access_token, ...successes.map(({ body }) => String(body.access_token))]),
      refresh: new Set([refreshToken, ...successes.map(({ body }) => String(body.refresh_token))]),
    },
    refreshToken,
  };
}

/** After a revocation that was answered, nothing of the grant lives: at once where the truth is asked, then everywhere. */
async function expectDead(origins: readonly string[], { grantId, tokens }: Race): Promise<void> {
  for (const origin of origins) {
    for (const token of [...tokens.access, ...tokens.refresh]) {
      expect((await introspectWith(token)(origin))?.body).toEqual({ active: false });
    }
    for (const token of tokens.refresh) {
      expect(await refreshWith(token)(origin)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    }
    for (const token of tokens.access) {
      await eventually(
        async () => (await userinfoWith(token)(origin))?.status,
        (status) => status === 401,
      );
    }
  }
  // Also a successor that was made and never arrived.
  expect(
    await rowsOf(own, 'SELECT 1 FROM auth.grants WHERE id = $1 AND revoked_at IS NULL', [grantId]),
  ).toEqual([]);
}

describe.each([
  ['a repetition is replay', () => strict],
  ['a repetition is a retry', () => lenient],
])('a revocation in the middle of refreshes, while %s', (_name, pair) => {
  test('A revocation amid refreshes leaves no live token at any process.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const outcome = await race(pair(), async () => undefined);
      expect(outcome.revoked.map(({ status }) => status)).toEqual(Array(revocations).fill(200));
      for (const answer of outcome.refreshed) {
        if (!issued(answer)) expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
      }
      await expectDead(pair().origins, outcome);
    }
  });

  test('With kill -9 of one process, no token is live after the revocation is answered, or after it is repeated.', async () => {
    let cut = 0;
    for (let round = 0; round < 5; round += 1) {
      const outcome = await race(pair(), async () => {
        await sleep(round * 8);
        await pair().killOne();
      });
      const survivor = pair().origins[1] ?? '';
      cut += refreshes + revocations - outcome.refreshed.length - outcome.revoked.length;
      if (!outcome.revoked.some(({ status }) => status === 200)) {
        expect((await revokeWith(outcome.refreshToken)(survivor))?.status).toBe(200);
      }
      await expectDead([survivor], outcome);
      await pair().revive();
      await expectDead(pair().origins, outcome);
    }
    expect(cut).toBeGreaterThan(0);
  });
});
