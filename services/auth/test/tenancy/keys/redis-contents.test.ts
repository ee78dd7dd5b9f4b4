import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type KeyFamilyName, keyStem, redisKeys } from '@ostiary/service';
import type { Client } from '../../../src/clients/domain/client.ts';
import { RedisInteractions } from '../../../src/identity/sign-in/data/interactions.ts';
import { RedisKnownNetworks } from '../../../src/identity/sign-in/data/known-networks.ts';
import type { Interaction } from '../../../src/identity/sign-in/domain/interaction.ts';
import { RedisAttempts } from '../../../src/platform/limits/data/attempts.ts';
import { SealedNotes } from '../../../src/tenancy/keys/data/sealed-notes.ts';
import { DigestNames } from '../../../src/tenancy/keys/data/sealed-store.ts';
import { double } from '../../support/double.ts';
import {
  type Backend,
  createBackend,
  type IssuedCode,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../../support/running-auth.ts';

/**
 * An attacker reads and writes everything in Redis and has own codes and sessions. No edited, moved or restored value
 * gives a token, a session or a permission.
 */

let backend: Backend;
let auth: RunningAuth;
let app: string;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  app = (await register(auth, publicClient)).client.clientId;
});
afterAll(async () => {
  await auth.stop();
  await backend.drop();
});

const redis = () => auth.deps.redis;
const keysOf = (family: KeyFamilyName) => redis().keys(`${keyStem(backend.prefix, family)}*`);

/** Returns the result of `make` and the key that it created. */
async function withKey<T>(family: KeyFamilyName, make: () => Promise<T>): Promise<[T, string]> {
  const before = new Set(await keysOf(family));
  const made = await make();
  const [key = ''] = (await keysOf(family)).filter((each) => !before.has(each));
  return [made, key];
}

const redeem = async ({ form }: IssuedCode) => auth.post('/t/demo/token', form);
const isLive = async (token: unknown): Promise<boolean> =>
  (await auth.get('/t/demo/userinfo', { authorization: `Bearer ${String(token)}` })).status === 200;

const purposes = Object.entries(redisKeys)
  .filter(([, { trust }]) => trust === 'sealed')
  .map(([name]) => name);

/** Every kind of trusted value has its attack below. */
test('Every kind of sealed value is covered by these tests.', () => {
  expect(purposes.toSorted()).toEqual(
    [
      'authorization_code',
      'device_code',
      'interaction',
      'known_network',
      'pushed_request',
      'shown_once',
      'user_code',
    ].toSorted(),
  );
});

describe('an authorization code', () => {
  const edits: [string, (value: string, admins: string) => string][] = [
    [
      'with the content of an administrator’s code',
      (own, admins) => `${own.split('\n')[0]}\n${admins.split('\n')[1]}`,
    ],
    ['with the whole value of an administrator’s code', (_own, admins) => admins],
    ['with one bit changed', (own) => own.slice(0, -3) + (own.at(-3) === 'A' ? 'B' : 'A') + own.slice(-2)],
    ['with nothing sealed', (own) => `${own.split('\n')[0]}\n`],
    ['as it was before values were sealed', (own) => own.split('\n')[0] ?? ''],
    ['with a table for what is compared', () => 'I[]\nAAAA'],
    ['with no JSON', () => 'I{\nAAAA'],
  ];

  test.each(edits)('An authorization code stored %s is rejected.', async (_name, edit) => {
    const [own, ownKey] = await withKey('authorization_code', () => issueCode(auth, app));
    const [admin, adminKey] = await withKey('authorization_code', () =>
      issueCode(auth, app, { roles: ['TENANT_ADMIN'] }),
    );
    const [ownValue, adminValue] = [(await redis().get(ownKey)) ?? '', (await redis().get(adminKey)) ?? ''];
    // The compared part matches the attacker's request, so only the sealed content prevents the redemption.
    const challenge = (value: string) => JSON.parse(value.slice(1).split('\n')[0] ?? '') as object;
    const compared = `I${JSON.stringify(challenge(ownValue))}`;
    const edited = edit(ownValue, adminValue);
    const value = edited === adminValue ? `${compared}\n${adminValue.split('\n')[1]}` : edited;
    await redis().set(ownKey, value, 'EX', 60);
    const answer = await redeem(own);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    // The administrator's code is still valid.
    expect((await redeem(admin)).status).toBe(200);
  });

  test('An authorization code moved to the key of a code of another tenant is rejected.', async () => {
    const rivals = (await register(auth, publicClient, 'rival')).client.clientId;
    const [, adminKey] = await withKey('authorization_code', () =>
      issueCode(auth, app, { roles: ['TENANT_ADMIN'] }),
    );
    const [own, ownKey] = await withKey('authorization_code', () =>
      issueCode(auth, rivals, { tenant: 'rival' }),
    );
    const [head] = ((await redis().get(ownKey)) ?? '').split('\n');
    await redis().set(ownKey, `${head}\n${((await redis().get(adminKey)) ?? '').split('\n')[1]}`);
    expect((await auth.post('/t/rival/token', own.form)).status).toBe(400);
  });

  test('An authorization code restored after its redemption is rejected and revokes the tokens it issued.', async () => {
    const [own, key] = await withKey('authorization_code', () => issueCode(auth, app));
    const value = (await redis().get(key)) ?? '';
    const first = await redeem(own);
    expect(first.status).toBe(200);
    expect(await isLive(first.body.access_token)).toBe(true);
    await redis().set(key, value, 'EX', 60);
    const second = await redeem(own);
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect(await isLive(first.body.access_token)).toBe(false);
    // Again, after the grant was revoked.
    await redis().set(key, value, 'EX', 60);
    expect((await redeem(own)).status).toBe(400);
  });

  test('An authorization code restored repeatedly during parallel redemptions succeeds at most once.', async () => {
    const [own, key] = await withKey('authorization_code', () => issueCode(auth, app));
    const value = (await redis().get(key)) ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await redis().set(key, value, 'EX', 60);
        return redeem(own);
      }),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect(await isLive(body.access_token)).toBe(false);
  });

  test('An authorization code kept beyond its lifetime is rejected.', async () => {
    let now = Date.now();
    const late = await startAuth(backend, { clock: () => now });
    try {
      const [own, key] = await withKey('authorization_code', () => issueCode(late, app));
      await redis().persist(key);
      now += 180_000;
      const answer = await late.post('/t/demo/token', own.form);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    } finally {
      await late.stop();
    }
  });
});

describe('a device', () => {
  const content = async (o: { roles?: readonly string[] } = {}) => ({
    ...(await signedIn(auth, o)),
    clientId: app,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: ['openid', 'profile'],
    resources: [],
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
  });
  const asked = { tenant: 'demo', clientEpoch: 0, scopes: ['openid'], resources: [] };
  const begin = () =>
    withKey('device_code', async () => {
      const issued = await auth.deps.deviceCodes.issue({ ...asked, clientId: app });
      if ('waitMs' in issued) throw new Error('too many devices');
      return issued;
    });
  const poll = async (deviceCode: string) =>
    auth.deps.deviceCodes.poll('demo', double<Client>({ clientId: app, epoch: 0 }), deviceCode);
  const answered = async (o: { roles?: readonly string[] } = {}) => {
    const [device, key] = await begin();
    const waiting = await auth.deps.deviceCodes.find('demo', device.userCode);
    if (!waiting) throw new Error('the device does not wait');
    await auth.deps.deviceCodes.approve(waiting, await content(o));
    return { device, key };
  };

  test('A device with the answer of another device, or with an invented answer, receives nothing.', async () => {
    const admins = await answered({ roles: ['TENANT_ADMIN'] });
    const theirs = (await redis().hget(admins.key, 'content')) ?? '';
    for (const forged of [theirs, '', JSON.stringify(await content()), theirs.slice(0, -4)]) {
      const [device, key] = await begin();
      await redis().hset(key, 'state', 'approved', 'content', forged, 'next', '0');
      expect(await poll(device.deviceCode)).toEqual({ outcome: 'unknown' });
    }
    // The device's own request in place of the answer is also rejected.
    const [device, key] = await begin();
    await redis().hset(key, 'state', 'approved', 'content', (await redis().hget(key, 'request')) ?? '');
    expect(await poll(device.deviceCode)).toEqual({ outcome: 'unknown' });
  });

  test('A device code restored after its redemption is rejected, and its tokens are revoked.', async () => {
    const flow = { ...publicClient, grant_types: [...(publicClient.grant_types ?? []), deviceGrant] };
    const { clientId } = (await register(auth, flow)).client;
    const issued = await auth.deps.deviceCodes.issue({ ...asked, clientId });
    if ('waitMs' in issued) throw new Error('too many devices');
    const waiting = await auth.deps.deviceCodes.find('demo', issued.userCode);
    if (!waiting) throw new Error('the device does not wait');
    await auth.deps.deviceCodes.approve(waiting, { ...(await content()), clientId });
    const form = { grant_type: deviceGrant, device_code: issued.deviceCode, client_id: clientId };
    const key = keyStem(backend.prefix, 'device_code') + waiting.id;
    const first = await auth.post('/t/demo/token', form);
    expect(first.status).toBe(200);
    await redis().hset(key, 'state', 'approved');
    expect((await auth.post('/t/demo/token', form)).body.error).toBe('invalid_grant');
    expect(await isLive(first.body.access_token)).toBe(false);
  });

  test('A device is not found by a user code that was redirected to it.', async () => {
    const [[victims, victimKey], [own, ownKey]] = [
      await withKey('user_code', async () => (await begin())[0]),
      await withKey('user_code', async () => (await begin())[0]),
    ];
    // The attacker's user code must not approve another device.
    await redis().set(victimKey, (await redis().get(ownKey)) ?? '', 'EX', 60);
    expect(await auth.deps.deviceCodes.find('demo', victims.userCode)).toBeUndefined();
    expect(await auth.deps.deviceCodes.find('demo', own.userCode)).toBeDefined();
    expect(await auth.deps.deviceCodes.find('rival', own.userCode)).toBeUndefined();
  });

  test('A device is not shown with the request of another device.', async () => {
    const [[own, key], [, otherKey]] = [await begin(), await begin()];
    await redis().hset(key, 'request', (await redis().hget(otherKey, 'request')) ?? '');
    expect(await auth.deps.deviceCodes.find('demo', own.userCode)).toBeUndefined();
  });
});

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

describe('interactions and values that are shown once', () => {
  const stores = () => {
    const o = { redis: redis(), prefix: backend.prefix, values: auth.deps.sealedValues };
    return { interactions: new RedisInteractions(o), notes: new SealedNotes(o) };
  };
  const interaction = (sessionId: string): Interaction => ({
    request: {} as Interaction['request'],
    browser: 'digest',
    sessionId,
  });

  test('An interaction is rejected when it is edited or moved to another browser or another tenant.', async () => {
    const { interactions } = stores();
    const [, own] = await withKey('interaction', () => interactions.put('demo', 'own', interaction('mine')));
    const [, admins] = await withKey('interaction', () =>
      interactions.put('demo', 'admins', interaction('theirs')),
    );
    const [, rivals] = await withKey('interaction', () =>
      interactions.put('rival', 'own', interaction('rivals')),
    );
    expect(await interactions.find('demo', 'own')).toMatchObject({ sessionId: 'mine' });
    const genuine = (await redis().get(own)) ?? '';
    for (const forged of [
      await redis().get(admins),
      await redis().get(rivals),
      JSON.stringify(interaction('theirs')),
      genuine.slice(0, -2),
      '',
    ]) {
      await redis().set(own, forged ?? '');
      expect(await interactions.find('demo', 'own')).toBeUndefined();
      expect(await interactions.take('demo', 'own')).toBeUndefined();
    }
    // An outcome that is edited or moved is also rejected.
    await interactions.put('demo', 'end', interaction('mine'));
    const [, outcome] = await withKey('interaction', () => interactions.take('demo', 'end'));
    await interactions.conclude('demo', 'end', Buffer.from('https://app.example'));
    expect(await interactions.outcome('demo', 'end')).toEqual(Buffer.from('https://app.example'));
    await redis().set(outcome, genuine);
    expect(await interactions.outcome('demo', 'end')).toBeUndefined();
  });

  test('A value that is shown once is not readable for another browser or another tenant.', async () => {
    const { notes } = stores();
    const [, own] = await withKey('shown_once', () => notes.keep('demo', 'own', Buffer.from('a'), 60));
    const [, other] = await withKey('shown_once', () => notes.keep('demo', 'other', Buffer.from('b'), 60));
    expect(await notes.kept('demo', 'own')).toEqual(Buffer.from('a'));
    expect(await notes.kept('rival', 'own')).toBeUndefined();
    await redis().set(own, (await redis().get(other)) ?? '');
    expect(await notes.kept('demo', 'own')).toBeUndefined();
  });

  test('A network does not become known by a key that was forged for it.', async () => {
    const names = auth.deps.keys.of('network');
    const known = new RedisKnownNetworks({
      redis: redis(),
      prefix: backend.prefix,
      values: auth.deps.sealedValues,
      names,
    });
    const [, key] = await withKey('known_network', () => known.note('demo\0alice', '192.0.2.1'));
    expect(await known.find('demo\0alice', '192.0.2.1')).toBe('today');
    for (const whose of ['demo', 'demo\0root', 'rival\0alice']) {
      const name = new DigestNames({ prefix: backend.prefix, names }, 'known_network').current(
        whose,
        '192.0.2.1',
      );
      for (const value of ['', (await redis().get(key)) ?? '']) {
        await redis().set(name, value);
        expect(await known.find(whose, '192.0.2.1')).toBeUndefined();
      }
    }
  });
});

test('Redis contains nothing readable that names a user, and no user code.', async () => {
  const person = await signedIn(auth);
  await issueCode(auth, app, { ...person, nonce: 'a-nonce-to-look-for' });
  const issued = await auth.deps.deviceCodes.issue({
    tenant: 'demo',
    clientId: app,
    clientEpoch: 0,
    scopes: ['openid'],
    resources: [],
  });
  if ('waitMs' in issued) throw new Error('too many devices');
  const found: string[] = [];
  for (const key of await redis().keys(`*${backend.prefix}*`)) {
    const type = await redis().type(key);
    const value =
      type === 'string'
        ? await redis().get(key)
        : type === 'hash'
          ? JSON.stringify(await redis().hgetall(key))
          : '';
    found.push(`${key}\n${value ?? ''}`);
  }
  const text = found.join('\n');
  for (const secret of [
    person.subjectId,
    person.sessionId,
    'a-nonce-to-look-for',
    issued.userCode,
    issued.deviceCode,
  ]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.replace('-', ''));
  }
});

test.each<[string, (key: string) => Promise<unknown>]>([
  ['a list', (key) => redis().rpush(key, 'x')],
  ['text', (key) => redis().set(key, 'x')],
  ['counted beyond all', (key) => redis().hset(key, { count: '1e300', at: '0', next: '0' })],
  ['put off for ever', (key) => redis().hset(key, { count: '5', at: String(Date.now()), next: '1e300' })],
  ['of the future', (key) => redis().hset(key, { count: '5', at: '1e300', next: '0' })],
  ['no numbers', (key) => redis().hset(key, { count: 'x', at: 'nan', next: '-inf' })],
])('A count of attempts that is %s delays no caller for longer than its limit.', async (_name, spoil) => {
  const limit = { free: 3, firstMs: 50, maxMs: 200, forgetMs: 60_000 };
  const attempts = new RedisAttempts(redis(), backend.prefix);
  const key = `${keyStem(backend.prefix, 'attempts')}spoilt`;
  const clear = () => redis().del(key);
  await clear();
  await spoil(key);
  await attempts.succeed('spoilt', 'this');
  await clear();
  await spoil(key);
  const waits: number[] = [];
  for (let n = 0; n < 5; n += 1) waits.push(await attempts.begin('spoilt', limit));
  // Counting restarts at the first attempt.
  expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
  for (const wait of waits.slice(3)) expect(wait).toBeLessThanOrEqual(limit.maxMs);
  expect(await redis().pttl(key)).toBeLessThanOrEqual(limit.forgetMs * 2);
});
