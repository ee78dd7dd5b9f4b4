import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { Browser } from '../story/browser.ts';
import { unique } from '../story/demo.ts';
import { graph } from '../story/graph.ts';
import { type OwnSystem, ownSystem } from '../story/own-system.ts';
import {
  answered,
  inParallel,
  Pair,
  type Redeem,
  type Redemption,
  rowsOf,
  tokenRequest,
} from '../story/redemptions.ts';
import { adminToken, authorize, discover, signIn, walk } from '../story/sign-in.ts';

jest.setTimeout(180_000);

const parallel = 50;
const scope = 'openid offline_access';

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

/** Something that counts once: how it is got, how it is redeemed, and what success looks like. */
interface OneTime {
  name: string;
  get(): Promise<Redeem>;
  succeeded(answer: Redemption): boolean;
  /** What everybody else is told. */
  refusal: { status: number; error?: string };
}

const issued = (answer: Redemption): boolean =>
  answer.status === 200 && answer.body.access_token !== undefined;
const invalidGrant = { status: 400, error: 'invalid_grant' };

const oneTimes: OneTime[] = [
  {
    name: 'an authorization code',
    async get() {
      const { callback, verifier } = await authorize(own.demo, tenant(), tenant().users.alice, { scope });
      return tokenRequest({
        grant_type: 'authorization_code',
        client_id: tenant().clients.web.client_id,
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: `${callback.origin}${callback.pathname}`,
        code_verifier: verifier,
      });
    },
    succeeded: issued,
    refusal: invalidGrant,
  },
  {
    name: 'a refresh token',
    async get() {
      const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
      return tokenRequest({
        grant_type: 'refresh_token',
        client_id: tenant().clients.web.client_id,
        refresh_token: tokens.refresh_token ?? '',
      });
    },
    succeeded: issued,
    refusal: invalidGrant,
  },
  {
    name: 'a device code',
    async get() {
      const { client_id } = tenant().clients.device;
      const device = await client.initiateDeviceAuthorization(await discover(tenant(), client_id), { scope });
      const link = new URL(device.verification_uri_complete ?? '');
      const page = await walk(new Browser(own.demo.origin), link, tenant().users.alice);
      expect([page.status, page.url.pathname]).toEqual([200, '/t/demo/device/finished']);
      return tokenRequest({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id,
        device_code: device.device_code,
      });
    },
    succeeded: issued,
    refusal: invalidGrant,
  },
  {
    name: 'a pushed authorization request',
    async get() {
      const { client_id } = tenant().clients.web;
      const pushed = await fetch(`${tenant().issuer}/par`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id,
          response_type: 'code',
          redirect_uri: 'http://127.0.0.1:53123/callback',
          scope,
          code_challenge: 'a'.repeat(43),
          code_challenge_method: 'S256',
        }),
      });
      const { request_uri } = (await pushed.json()) as { request_uri: string };
      const query = new URLSearchParams({ client_id, request_uri });
      return (origin) => answered(`${origin}/t/demo/authorize?${query}`, {});
    },
    succeeded: (answer) => answer.status === 303 && (answer.location ?? '').startsWith('/t/demo/login?'),
    refusal: { status: 400 },
  },
  {
    name: 'the jti of a client assertion',
    async get() {
      const key = await generateKeyPair('ES256', { extractable: true });
      const jwks = JSON.stringify({
        keys: [{ ...(await exportJWK(key.publicKey)), alg: 'ES256', kid: 'k' }],
      });
      const input = {
        name: unique('machine'),
        tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT',
        grantTypes: ['client_credentials'],
        scopes: ['users:read'],
        jwks,
      };
      const { data } = await graph(
        own.demo,
        await adminToken(tenant()),
        'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
        { input },
      );
      const id = data.registerClient.client.id as string;
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuer(id)
        .setSubject(id)
        .setAudience(tenant().issuer)
        .setIssuedAt()
        .setExpirationTime('2 minutes')
        .sign(key.privateKey);
      return tokenRequest({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      });
    },
    succeeded: issued,
    refusal: { status: 401, error: 'invalid_client' },
  },
];

/** A token whose grant is not in the database would be one that nothing can revoke. */
async function grantIsStored(answer: Redemption): Promise<boolean> {
  if (answer.body.access_token === undefined) return true;
  const { grant_id } = decodeJwt(answer.body.access_token);
  if (grant_id === undefined) return true;
  return (await rowsOf(own, 'SELECT 1 FROM auth.grants WHERE id = $1', [grant_id])).length === 1;
}

describe.each(oneTimes)('$name', ({ get, succeeded, refusal }) => {
  test(`${parallel} parallel redemptions at two processes: one succeeds`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = await inParallel(parallel, strict.origins, await get());
      expect(answers).toHaveLength(parallel);
      const [winner, ...more] = answers.filter(succeeded);
      expect([winner === undefined, more.length]).toEqual([false, 0]);
      if (winner) expect(await grantIsStored(winner)).toBe(true);
      for (const answer of answers.filter((one) => one !== winner)) {
        expect(answer.status).toBe(refusal.status);
        if (refusal.error) expect(answer.body.error).toBe(refusal.error);
      }
    }
  });

  test('with kill -9 of one process in the middle: never two, and no token without its grant', async () => {
    let answeredBefore = 0;
    let cut = 0;
    for (let round = 0; round < 5; round += 1) {
      const redeem = await get();
      const racing = inParallel(parallel, strict.origins, redeem);
      // From before the first statement to after the last answer.
      await sleep(round * 12);
      await strict.killOne();
      const answers = await racing;
      await strict.revive();
      const late = await inParallel(10, strict.origins, redeem);
      const winners = [...answers, ...late].filter(succeeded);
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const winner of winners) expect(await grantIsStored(winner)).toBe(true);
      expect([...answers, ...late].every((one) => one.status < 500 || one.status === 503)).toBe(true);
      answeredBefore += answers.length;
      cut += parallel - answers.length;
    }
    // It was in the middle, not only before or after.
    expect([answeredBefore > 0, cut > 0]).toEqual([true, true]);
  });
});

describe('a refresh token while a repetition is taken for a retry', () => {
  test(`${parallel} parallel refreshes at two processes: one rotation, and everybody gets the same successor`, async () => {
    const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
    const refresh = {
      grant_type: 'refresh_token',
      client_id: tenant().clients.web.client_id,
      refresh_token: tokens.refresh_token ?? '',
    };
    const answers = await inParallel(parallel, lenient.origins, tokenRequest(refresh));
    expect(answers.map((answer) => answer.status)).toEqual(Array(parallel).fill(200));
    expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1);
    const { grant_id } = decodeJwt(tokens.access_token);
    const families = await rowsOf(own, 'SELECT generation FROM auth.refresh_families WHERE grant_id = $1', [
      grant_id,
    ]);
    expect(families).toEqual([{ generation: 1 }]);
  });

  test('with kill -9 of one process in the middle: whoever was cut off repeats it and goes on', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
      const refresh = { grant_type: 'refresh_token', client_id: tenant().clients.web.client_id };
      const redeem = tokenRequest({ ...refresh, refresh_token: tokens.refresh_token ?? '' });
      const racing = inParallel(parallel, lenient.origins, redeem);
      await sleep(round * 12);
      await lenient.killOne();
      const answers = await racing;
      const again = await redeem(lenient.origins[1] ?? '');
      expect(again?.status).toBe(200);
      const successors = [...answers.filter(issued), again].map((answer) => answer?.body.refresh_token);
      expect(new Set(successors).size).toBe(1);
      const next = tokenRequest({ ...refresh, refresh_token: successors[0] });
      expect((await next(lenient.origins[1] ?? ''))?.status).toBe(200);
      await lenient.revive();
    }
  });
});
