import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { ElapsedTime, type KeptTokens, Verifier } from '../src/core.ts';
import { audience, clientId, clientSecret, StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;
let verifier: Verifier;
/** Milliseconds by which the clock of the verifier is ahead. */
let aheadMs = 0;
/** Scope of the active refresh token; undefined after its end. */
let scope: string | undefined;
/** User of the refresh token. */
let sub: string;
/** Epoch of the client; undefined for issuers without one. */
let epoch: number | undefined;

beforeEach(async () => {
  aheadMs = 0;
  scope = 'openid orders:read';
  sub = 'user-1';
  epoch = 1;
  issuer = await new StubIssuer().start();
  issuer.endpoints.set('introspect', () =>
    scope === undefined ? { active: false } : { active: true, sub, scope, client_epoch: epoch },
  );
  const time = new ElapsedTime(() => performance.now() + aheadMs, Date.now);
  verifier = new Verifier(
    { issuer: issuer.issuer, audience, clientId, clientSecret, maxStalenessSeconds: 3_000 },
    time,
  );
  await verifier.ready(10_000);
});

afterEach(async () => {
  verifier.stop();
  await issuer.stop();
});

const now = () => Math.floor(Date.now() / 1_000);

/** @param ageSeconds time since the issue of the access token, which lives for 600 seconds */
async function kept(ageSeconds: number, claims: Record<string, unknown> = {}): Promise<KeptTokens> {
  const iat = now() - ageSeconds;
  const token = await issuer.token({ iat, exp: iat + 600, scope: 'openid', ...claims });
  return {
    claims: decodeJwt(token),
    keyId: issuer.kid,
    refreshToken: randomUUID(),
    expiresAt: now() + 3_600,
  };
}

const verified = (tokens: KeptTokens, rule = {}) =>
  verifier.verifyKept(tokens, rule).then(
    () => 200,
    ({ status, code }) => [status, code],
  );

describe('kept tokens', () => {
  test('Until the access token expires, kept tokens are verified without the issuer.', async () => {
    const tokens = await kept(10, { scope: 'openid orders:read' });
    const principal = await verifier.verifyKept(tokens, { scopes: ['orders:read'] });
    expect(principal).toMatchObject({ kind: 'user', subject: 'user-1', expiresAt: tokens.expiresAt });
    expect(issuer.countOf('introspect')).toBe(0);
  });

  test('Afterwards the issuer confirms the refresh token once per lifetime of an access token.', async () => {
    const tokens = await kept(1_000);
    for (const seconds of [0, 1, 590]) {
      aheadMs = seconds * 1_000;
      expect(await verified(tokens)).toBe(200);
    }
    expect(issuer.countOf('introspect')).toBe(1);
    aheadMs = 602_000;
    expect(await verified(tokens)).toBe(200);
    expect(issuer.countOf('introspect')).toBe(2);
    scope = undefined;
    aheadMs = 1_300_000;
    expect(await verified(tokens)).toEqual([401, 'invalid_token']);
  });

  test.each([
    ['sub', 'user-1'],
    ['client_id', 'shop'],
    ['sid', 'session-1'],
    ['grant_id', 'grant-1'],
  ])('An entry of the list with %s ends kept tokens that the issuer has confirmed.', async (kind, value) => {
    const tokens = await kept(1_000, { sid: 'session-1', grant_id: 'grant-1' });
    expect(await verified(tokens)).toBe(200);
    issuer.revoke(kind, value);
    await eventually(async () => Array.isArray(await verified(tokens)));
    expect(issuer.countOf('introspect')).toBe(1);
  });

  test('An entry that arrives during the confirmation ends the kept tokens.', async () => {
    const tokens = await kept(1_000, { sid: 'session-1' });
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((done) => {
      issuer.endpoints.set('introspect', async () => {
        done();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return { active: true, sub, scope, client_epoch: epoch };
      });
    });
    const verifying = verified(tokens);
    await asked;
    issuer.revoke('sid', 'session-1');
    await eventually(async () => verifier.state.entries > 0);
    answer?.();
    expect(await verifying).toEqual([401, 'invalid_token']);
  });

  test('A confirmation counts for the same claims only, and must have the epoch of the client if the token has one.', async () => {
    const tokens = await kept(1_000);
    expect(await verified(tokens)).toBe(200);
    const other = { ...tokens, claims: { ...tokens.claims, sub: 'user-2' } };
    expect(await verified(other)).toEqual([401, 'invalid_token']);
    epoch = undefined;
    expect(await verified(await kept(1_000, { client_epoch: 1 }))).toEqual([401, 'invalid_token']);
    const { client_epoch: _, ...claims } = (await kept(1_000)).claims;
    expect(await verified({ ...(await kept(1_000)), claims })).toBe(200);
  });

  test('Kept tokens are rejected after their end, for another audience, without a scope that they had, and with the refresh token of another user.', async () => {
    const tokens = await kept(10);
    expect(await verified({ ...tokens, expiresAt: now() })).toEqual([401, 'invalid_token']);
    expect(await verified(await kept(10, { aud: 'https://other.example' }))).toEqual([401, 'invalid_token']);
    expect(await verified(tokens, { scopes: ['orders:read'] })).toEqual([403, 'insufficient_scope']);
    expect(await verified(tokens, { acr: 'x' })).toEqual([401, 'insufficient_user_authentication']);
    scope = 'profile';
    expect(await verified(await kept(1_000))).toEqual([401, 'invalid_token']);
    scope = 'openid';
    sub = 'user-2';
    expect(await verified(await kept(1_000))).toEqual([401, 'invalid_token']);
  });

  test('Kept tokens end if the client was narrowed after they were issued, also when the list no longer has the entry.', async () => {
    epoch = 2;
    expect(await verified(await kept(1_000))).toEqual([401, 'invalid_token']);
    expect(await verified(await kept(1_000, { client_epoch: undefined }))).toEqual([401, 'invalid_token']);
    expect(await verified(await kept(1_000, { client_epoch: 2 }))).toBe(200);
    epoch = undefined;
    expect(await verified(await kept(1_000, { client_epoch: undefined }))).toBe(200);
  });

  test('Parallel requests with the same tokens are confirmed once, and rejected tokens cause one introspection in 30 seconds.', async () => {
    const tokens = await kept(1_000);
    const parallel = async () =>
      new Set((await Promise.all(Array.from({ length: 20 }, () => verified(tokens)))).flat());
    expect([await parallel(), issuer.countOf('introspect')]).toEqual([new Set([200]), 1]);
    scope = undefined;
    for (const [seconds, count] of [
      [602, 2],
      [631, 2],
      [633, 3],
    ] as const) {
      aheadMs = seconds * 1_000;
      expect([await parallel(), issuer.countOf('introspect')]).toEqual([
        new Set([401, 'invalid_token']),
        count,
      ]);
    }
  });

  test('Without the issuer, kept tokens are not remembered as rejected.', async () => {
    const tokens = await kept(1_000);
    issuer.failures.set('introspect', { status: 503 });
    expect(await verified(tokens)).toEqual([503, 'temporarily_unavailable']);
    issuer.failures.clear();
    expect(await verified(tokens)).toBe(200);
  });

  test('Without a current list the issuer confirms each request, and without the issuer it is rejected with 503.', async () => {
    const tokens = await kept(10);
    issuer.failures.set('revocations', { status: 503 });
    issuer.cut();
    aheadMs = 4_000_000;
    expect([await verified(tokens), await verified(tokens)]).toEqual([200, 200]);
    expect(issuer.countOf('introspect')).toBe(2);
    issuer.failures.set('introspect', { status: 503 });
    expect(await verified(tokens)).toEqual([503, 'temporarily_unavailable']);
  });
});
