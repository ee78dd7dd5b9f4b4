import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import {
  type Answer,
  type Backend,
  createBackend,
  type RunningAuth,
  register,
  startAuth,
} from '../../support/running-auth.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const perMinute = 20;
const maxWaiting = 15;
const parallel = 50;

let backend: Backend;
let auth: RunningAuth;
let twin: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  const env = { DEVICE_REQUESTS_PER_MINUTE: String(perMinute), DEVICE_CODES_WAITING: String(maxWaiting) };
  auth = await startAuth(backend, { env });
  twin = await startAuth(backend, { publicOrigin: auth.origin, env });
});

afterAll(async () => {
  await twin?.stop();
  await auth?.stop();
  await backend?.drop();
});

const television = async (tenant = 'demo'): Promise<string> => {
  const { client } = await register(
    auth,
    {
      token_endpoint_auth_method: 'none',
      grant_types: [deviceGrant],
      redirect_uris: [],
      scope: 'openid',
    },
    tenant,
  );
  return client.clientId;
};

const ask = (clientId: string, address: string, o: { at?: RunningAuth; tenant?: string } = {}) =>
  (o.at ?? auth).post(
    `/t/${o.tenant ?? 'demo'}/device_authorization`,
    { client_id: clientId, scope: 'openid' },
    { headers: { 'x-forwarded-for': address } },
  );

const refused = ({ status }: Answer): boolean => status === 429;
const granted = ({ status }: Answer): boolean => status === 200;

/**
 * Sends requests until one is rejected, and checks their number. The elapsed time permits further requests: one every
 * three seconds, and one a second after a delay.
 */
async function askedTooMuch(asking: (request: number) => Promise<Answer>): Promise<Answer> {
  const began = performance.now();
  for (let request = 0; ; request += 1) {
    await nobodyWaits();
    const answer = await asking(request);
    const most = perMinute + (2 * (performance.now() - began)) / 1_000;
    if (!refused(answer) && request < most) continue;
    expect([refused(answer), request >= perMinute]).toEqual([true, true]);
    return answer;
  }
}

/** Denies the request of a device. */
async function refuse(answer: Answer): Promise<void> {
  const device = await auth.deps.deviceCodes.find('demo', String(answer.body.user_code));
  if (!device) throw new Error('no device waits with this code');
  expect(await auth.deps.deviceCodes.deny('demo', device)).toBe('recorded');
}

/** Removes all waiting devices, so that only the other limit applies. */
const nobodyWaits = async (): Promise<void> => {
  const keys = await auth.deps.redis.keys(`${backend.prefix}:auth:devices_waiting:*`);
  if (keys.length > 0) await auth.deps.redis.del(...keys);
};

describe('requests of one client from one address', () => {
  test('Requests beyond the limit receive 429 slow_down with Retry-After, and other clients are not affected.', async () => {
    const [own, other] = [await television(), await television()];
    const { status, headers, body } = await askedTooMuch(() => ask(own, '192.0.2.1'));
    expect([status, body.error]).toEqual([429, 'slow_down']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    await nobodyWaits();
    expect((await ask(own, '192.0.2.2')).status).toBe(200);
    expect((await ask(other, '192.0.2.1')).status).toBe(200);
  });

  test('The same client id in another tenant counts as another client.', async () => {
    const { client } = await auth.deps.clientRegistry.register(
      'rival',
      { client_name: 'TV', token_endpoint_auth_method: 'none', grant_types: [deviceGrant], scope: 'openid' },
      { clientId: await television() },
    );
    await askedTooMuch(() => ask(client.clientId, '192.0.2.3'));
    await nobodyWaits();
    expect((await ask(client.clientId, '192.0.2.3', { tenant: 'rival' })).status).toBe(200);
  });

  test('All addresses of an IPv6 /64 count as one address.', async () => {
    const own = await television();
    await askedTooMuch((request) => ask(own, `2001:db8:1:2::${(request + 1).toString(16)}`));
    expect((await ask(own, '2001:db8:1:3::1')).status).toBe(200);
  });

  test(`${parallel} parallel requests over two processes are counted like serial ones.`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => television()).map(async (client, index) => {
        const own = await client;
        const from = `198.51.100.${index}`;
        return Promise.all(
          Array.from({ length: parallel }, (_, request) => ask(own, from, { at: request % 2 ? twin : auth })),
        );
      }),
    );
    for (const ofOne of answers) {
      // The other limit is lower.
      expect(ofOne.filter(granted)).toHaveLength(maxWaiting);
      expect(ofOne.filter(refused)).toHaveLength(parallel - maxWaiting);
    }
  });

  test('Only authenticated requests are counted; a request with a wrong secret is not.', async () => {
    const { client, clientSecret } = await register(auth, {
      grant_types: [deviceGrant],
      redirect_uris: [],
      scope: 'openid',
    });
    const asking = (secret: string) =>
      auth.post('/t/demo/device_authorization', { scope: 'openid' }, { basic: [client.clientId, secret] });
    for (let request = 0; request <= perMinute; request += 1) {
      expect((await asking('wrong')).status).toBe(401);
    }
    expect((await asking(clientSecret ?? '')).status).toBe(200);
  });

  test('The library openid-client reports slow_down to the application.', async () => {
    const config = await oauth.discovery(
      new URL(auth.issuer('demo')),
      await television(),
      undefined,
      oauth.None(),
      {
        execute: [oauth.allowInsecureRequests],
      },
    );
    const asking = async () => {
      for (let request = 0; request < 2 * perMinute; request += 1) {
        await nobodyWaits();
        await oauth.initiateDeviceAuthorization(config, { scope: 'openid' });
      }
    };
    await expect(asking()).rejects.toMatchObject({
      code: 'OAUTH_RESPONSE_BODY_ERROR',
      error: 'slow_down',
      status: 429,
    });
  });
});

describe('waiting devices of one client', () => {
  const from = (request: number): string => `203.0.113.${request}`;

  test('Pending devices of one client are limited across all addresses, and an answered one frees its place.', async () => {
    const own = await television();
    const waiting: Answer[] = [];
    for (let request = 0; request < maxWaiting; request += 1) waiting.push(await ask(own, from(request)));
    expect(waiting.every(granted)).toBe(true);
    const { status, headers, body } = await ask(own, from(100));
    expect([status, body.error]).toEqual([429, 'slow_down']);
    // The delay lasts until the oldest device expires.
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect((await ask(await television(), from(100))).status).toBe(200);
    if (waiting[3]) await refuse(waiting[3]);
    expect((await ask(own, from(101))).status).toBe(200);
    expect((await ask(own, from(102))).status).toBe(429);
  });

  test('Expired devices no longer count towards the limit.', async () => {
    const own = await television();
    for (let request = 0; request < maxWaiting; request += 1) await ask(own, from(request));
    expect((await ask(own, from(100))).status).toBe(429);
    const key = `${backend.prefix}:auth:devices_waiting:demo:${own}`;
    for (const id of await auth.deps.redis.zrange(key, '0', '1')) await auth.deps.redis.zadd(key, '1', id);
    expect((await ask(own, from(101))).status).toBe(200);
    expect((await ask(own, from(102))).status).toBe(200);
    expect((await ask(own, from(103))).status).toBe(429);
  });

  test('A rejected request leaves no keys in Redis, and every key expires.', async () => {
    const own = await television();
    for (let request = 0; request < maxWaiting; request += 1) await ask(own, from(request));
    const before = (await auth.deps.redis.keys(`${backend.prefix}:auth:*_code:*`)).length;
    expect((await ask(own, from(100))).status).toBe(429);
    expect(await auth.deps.redis.keys(`${backend.prefix}:auth:*_code:*`)).toHaveLength(before);
    for (const key of await auth.deps.redis.keys(`${backend.prefix}:auth:*`)) {
      expect(await auth.deps.redis.ttl(key)).toBeGreaterThan(0);
    }
  });
});
