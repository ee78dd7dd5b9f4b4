import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChallengedRoute, challengeRoutes, Prover, recordRoutes } from '@ostiary/access/testing';
import { rowsByTable } from '@ostiary/database/testing';
import { type KeptKey, redisContents } from '@ostiary/service/testing';
import {
  deviceCodeGuesses,
  mostPushedBytes,
  passkeysOfAddress,
  signInFailures,
} from '../../src/limits/domain/shared-limits.ts';
import { type Browser, hiddenFields } from '../support/sign-in/browser.ts';
import {
  authorizeUrl,
  callback,
  rival,
  startTestService,
  type TestService,
  tenant,
} from '../support/sign-in/service.ts';

/**
 * What somebody without any credentials can leave in Redis or PostgreSQL, at every route that answers them: how much from one
 * address, how large, and for how long. A route that isn't here fails the first test.
 */

const limits = {
  SIGN_INS_WAITING: 40,
  PUSHED_REQUESTS_PER_MINUTE: 20,
  REQUEST_URIS_PER_MINUTE: 20,
  DEVICE_REQUESTS_PER_MINUTE: 20,
  DPOP_PROOFS_PER_MINUTE: 20,
  SIGN_IN_TENANT_FAILURES: 80,
};
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const routes = recordRoutes();
let service: TestService;
let web: Awaited<ReturnType<TestService['client']>>;
let device: Awaited<ReturnType<TestService['client']>>;
let prover: Prover;
let answers: ChallengedRoute[];

beforeAll(async () => {
  service = await startTestService({
    env: {
      ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
      OUTGOING_ALLOW_PRIVATE: 'true',
    },
  });
  web = await service.client();
  device = await service.client({ grant_types: [deviceGrant], redirect_uris: [], scope: 'openid' });
  prover = await Prover.create();
  prover.nonce = await service.deps.proofs.nonce();
  answers = await challengeRoutes(service.origin, routes, {
    fill: { tenant, clientId: 'x', id: '01990000-0000-7000-8000-000000000000' },
  });
  // What the service keeps for itself is there now: keys, the tenants it has heard of.
  await service.deps.tenants.find(rival);
});
afterAll(() => service?.stop());

/** Where something comes from, of a network of its own. */
let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `10.7.${addresses >> 8}.${addresses & 255}`;
};

type Send = (address: string) => Promise<number>;

/** One way of leaving something. */
interface Writing {
  what: string;
  /** How many one address can leave, at once; after that so many more in a second. */
  bound: number;
  perSecond: number;
  /** Keys in Redis, and rows, that each of them may leave. */
  keys: number;
  rows: number;
  /** The largest key, in bytes, and the longest it lives, in seconds. */
  bytes: number;
  seconds: number;
  /** Prepared by somebody else, as far as the bound goes: returns what sends the request. */
  prepare: () => Promise<Send>;
}

const form = async (path: string, fields: Record<string, string>, headers: Record<string, string>) => {
  const response = await fetch(service.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  await response.text();
  return response.status;
};
const from = (address: string) => ({ 'x-forwarded-for': address });

/** A request as large as one may be. */
const long = 'x'.repeat(2_000);
const longRequest = () =>
  authorizeUrl(web, { state: long, nonce: long, login_hint: long, ui_locales: long, prompt: 'login' });

/** Begins a sign-in at the path. */
const opening =
  (path: () => string): Writing['prepare'] =>
  async () =>
  async (address) =>
    (await service.browser().get(path(), from(address))).status;

/** A browser with the sign-in page open, which anybody can have. */
async function atSignIn(): Promise<{ browser: Browser; fields: Record<string, string> }> {
  const browser = service.browser();
  const begun = await browser.get(authorizeUrl(web), from(newAddress()));
  const page = await browser.follow(begun);
  return { browser, fields: hiddenFields(page) };
}

/** Sends a form of the sign-in, each time with something else in it. */
const guessing =
  (path: string, guess: () => Record<string, string>): Writing['prepare'] =>
  async () => {
    const { browser, fields } = await atSignIn();
    return async (address) =>
      (await browser.post(`/t/${tenant}/${path}`, { ...fields, ...guess() }, from(address))).status;
  };

const counter = { keys: 1, rows: 0, bytes: 400, seconds: 1_900 };
const interaction = { bound: limits.SIGN_INS_WAITING, perSecond: 4, keys: 1, rows: 0, seconds: 1_900 };
const guesses = {
  bound: signInFailures.address(limits.SIGN_IN_TENANT_FAILURES).free,
  perSecond: 1,
  // The counters of the address and the tenant; of each account that is named, a row.
  keys: 1,
  rows: 1,
  bytes: 400,
  seconds: 1_900,
};
const proofs = (path: string, more: Record<string, string>): Writing => ({
  what: 'a mark of the proof',
  bound: limits.DPOP_PROOFS_PER_MINUTE,
  perSecond: 0,
  keys: 1,
  rows: 0,
  bytes: 400,
  seconds: 480,
  prepare: async () => async (address) => {
    const dpop = await prover.proof('POST', `${service.deps.issuer(tenant)}/${path}`);
    const fields = { client_id: web.clientId, ...more };
    return form(`/t/${tenant}/${path}`, fields, { ...from(address), dpop });
  },
});

const proofsAtToken = proofs('token', {
  grant_type: 'authorization_code',
  code: 'nonsense',
  redirect_uri: callback,
  code_verifier: 'v'.repeat(43),
});

const account = (path: string): Writing => ({
  what: 'the page to come back to',
  ...interaction,
  bytes: 2_000,
  prepare: opening(() => `/t/${tenant}/${path}`),
});
/** The same by a form of a page that its sender never saw. */
const accountForm = (path: string): Writing => ({
  ...account(path),
  prepare: async () => (address) => form(`/t/${tenant}/${path}`, { csrf: 'x' }, from(address)),
});

/** What each open route leaves; an empty list is nothing at all. */
const inventory: Readonly<Record<string, readonly Writing[]>> = {
  'GET /livez': [],
  'GET /readyz': [],
  'GET /.well-known/oauth-authorization-server/t/:tenant': [],
  'GET /.well-known/ssf-configuration/t/:tenant': [],
  'GET /t/:tenant/.well-known/openid-configuration': [],
  'GET /t/:tenant/.well-known/oauth-authorization-server': [],
  'GET /t/:tenant/jwks': [],
  'GET /t/:tenant/logo/:digest': [],
  'GET /t/:tenant/clients/:client/logo/:digest': [],
  'GET /t/:tenant/authorize': [
    {
      what: 'the request, while the person signs in',
      ...interaction,
      // At most a query of 12 KiB, or 16 KiB of a pushed request, sealed.
      bytes: 40_000,
      prepare: opening(longRequest),
    },
    {
      what: 'a count of the request objects fetched because of it',
      ...counter,
      bound: limits.REQUEST_URIS_PER_MINUTE,
      perSecond: 1,
      prepare: async () => {
        const request_uri = 'http://127.0.0.1:9/request';
        const asking = await service.client({ request_uris: [request_uri] });
        return opening(() => authorizeUrl(asking, { request_uri }))();
      },
    },
  ],
  'POST /t/:tenant/authorize': [],
  'GET /t/:tenant/login': [],
  'POST /t/:tenant/login': [
    {
      what: 'counts of guesses',
      ...guesses,
      prepare: guessing('login', () => ({
        username: `nobody-${randomUUID()}`,
        password: 'x',
        action: 'sign-in',
      })),
    },
    {
      what: 'how it ended, for a moment, when it is cancelled: another sign-in begun',
      ...interaction,
      bytes: 8_000,
      keys: 1,
      prepare: async () => async (address) => {
        const browser = service.browser();
        const begun = await browser.get(authorizeUrl(web), from(address));
        if (begun.status === 429) return 429;
        const fields = hiddenFields(await browser.follow(begun));
        return (await browser.post(`/t/${tenant}/login`, { ...fields, action: 'cancel' }, from(address)))
          .status;
      },
    },
  ],
  'GET /t/:tenant/login/verify': [],
  // Only after a password that was right.
  'POST /t/:tenant/login/verify': [],
  'POST /t/:tenant/login/passkey': [
    {
      what: 'a count',
      ...counter,
      bound: passkeysOfAddress.free,
      perSecond: 1,
      prepare: guessing('login/passkey', () => ({ credential: '{}' })),
    },
  ],
  'GET /t/:tenant/login/recover': [],
  'POST /t/:tenant/login/recover': [
    {
      what: 'counts of guesses',
      ...guesses,
      prepare: guessing('login/recover', () => ({
        username: `nobody-${randomUUID()}`,
        code: 'AAAAA-AAAAA',
        action: 'recover',
      })),
    },
  ],
  'GET /t/:tenant/select-account': [],
  'POST /t/:tenant/select-account': [],
  'GET /t/:tenant/consent': [],
  'POST /t/:tenant/consent': [],
  'GET /t/:tenant/invitation': [],
  'POST /t/:tenant/invitation': [],
  'GET /t/:tenant/logout': [],
  'POST /t/:tenant/logout': [],
  'GET /t/:tenant/signed-out': [],
  'GET /t/:tenant/device': [],
  'GET /t/:tenant/device/finished': [],
  'POST /t/:tenant/device': [
    {
      what: 'counts: of the address, and of each browser that it seems to be',
      ...counter,
      bound: deviceCodeGuesses.address.free,
      perSecond: 1,
      keys: 1,
      prepare: async () => async (address) => {
        const browser = service.browser();
        const page = await browser.get(`/t/${tenant}/device`, from(address));
        const fields = { ...hiddenFields(page), user_code: 'BBBB-BBBB' };
        return (await browser.post(`/t/${tenant}/device`, fields, from(address))).status;
      },
    },
  ],
  'POST /t/:tenant/device_authorization': [
    {
      what: 'a device that waits',
      bound: limits.DEVICE_REQUESTS_PER_MINUTE,
      perSecond: 1,
      keys: 2,
      rows: 0,
      bytes: 3_000,
      seconds: 1_300,
      prepare: async () => (address) =>
        form(
          `/t/${tenant}/device_authorization`,
          { client_id: device.clientId, scope: 'openid' },
          from(address),
        ),
    },
  ],
  'POST /t/:tenant/par': [
    {
      what: 'the request',
      bound: limits.PUSHED_REQUESTS_PER_MINUTE,
      perSecond: 1,
      keys: 1,
      rows: 0,
      // 16 KiB, sealed.
      bytes: 2 * mostPushedBytes,
      seconds: 61,
      prepare: async () => (address) => {
        const { searchParams } = new URL(longRequest(), service.origin);
        const more = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`more${at}`, long]));
        const fields = { ...Object.fromEntries(searchParams), ...more };
        return form(`/t/${tenant}/par`, fields, from(address));
      },
    },
    proofs('par', { response_type: 'code', redirect_uri: `${callback}/unknown` }),
  ],
  'POST /t/:tenant/token': [proofsAtToken],
  'POST /t/:tenant/revoke': [],
  'POST /t/:tenant/introspect': [],
  'GET /t/:tenant/account': [account('account')],
  'GET /t/:tenant/account/password': [account('account/password')],
  'GET /t/:tenant/account/passkeys': [account('account/passkeys')],
  'GET /t/:tenant/account/totp': [account('account/totp')],
  'GET /t/:tenant/account/recovery-codes': [account('account/recovery-codes')],
  'GET /t/:tenant/account/tokens': [account('account/tokens')],
  'GET /t/:tenant/account/tokens/made': [account('account/tokens/made')],
  'POST /t/:tenant/account/password': [accountForm('account/password')],
  'POST /t/:tenant/account/passkeys': [accountForm('account/passkeys')],
  'POST /t/:tenant/account/passkeys/remove': [accountForm('account/passkeys/remove')],
  'POST /t/:tenant/account/totp': [accountForm('account/totp')],
  'POST /t/:tenant/account/totp/remove': [accountForm('account/totp/remove')],
  'POST /t/:tenant/account/recovery-codes': [accountForm('account/recovery-codes')],
  'POST /t/:tenant/account/tokens': [accountForm('account/tokens')],
  'POST /t/:tenant/account/tokens/revoke': [accountForm('account/tokens/revoke')],
  'POST /t/:tenant/account/apps/withdraw': [accountForm('account/apps/withdraw')],
  'POST /t/:tenant/account/sessions/end': [accountForm('account/sessions/end')],
  'POST /t/:tenant/account/sessions/end-others': [accountForm('account/sessions/end-others')],
};

/** What there is, but for what processes do by themselves. */
async function contents(): Promise<{ keys: Map<string, KeptKey>; rows: number }> {
  const { redis, database, env } = service.deps;
  const keys = await redisContents(redis, env.REDIS_PREFIX);
  for (const name of keys.keys()) {
    if (/:(events-|live|revocations)/.test(name)) keys.delete(name);
  }
  const tables = await rowsByTable(database.sql, 'auth');
  // One row for a tenant, a day and an outcome.
  tables.delete('sign_in_counts');
  return { keys, rows: [...tables.values()].reduce((sum, each) => sum + each, 0) };
}

/** Keys that have come since. */
const newKeys = (before: Map<string, KeptKey>, now: Map<string, KeptKey>): [string, KeptKey][] =>
  [...now].filter(([name]) => !before.has(name));

async function press(send: Send, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < times; sent += 10) {
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => send(address)))));
  }
  return statuses;
}

const wasLetIn = (status: number): boolean => status !== 429;

test('every route that answers without a token is in the inventory', () => {
  const open = answers.filter(
    ({ isProtected, status, url }) => !isProtected && status !== 405 && !url.startsWith('/internal/'),
  );
  const found = new Set(open.map(({ method, url }) => `${method} ${url}`));
  expect([...found].filter((route) => !Object.hasOwn(inventory, route)).toSorted()).toEqual([]);
  expect(Object.keys(inventory).filter((route) => !found.has(route))).toEqual([]);
});

describe('leaves nothing', () => {
  const silent = Object.entries(inventory).filter(([, writings]) => writings.length === 0);

  test.each(silent.map(([route]) => route))('%s', async (route) => {
    const [method = '', url = ''] = route.split(' ');
    const { browser, fields } = await atSignIn();
    const before = await contents();
    const path = url.replace(':tenant', tenant).replace(/:\w+/g, 'x');
    for (let sent = 0; sent < 12; sent += 1) {
      const about = { ...fields, client_id: web.clientId, token: randomUUID(), user_code: 'BBBB-BBBB' };
      const query = new URLSearchParams(about);
      if (method === 'GET') await browser.get(`${path}?${query}`);
      else await browser.post(path, { ...about, action: 'continue', credential: '{}' });
    }
    const after = await contents();
    expect(newKeys(before.keys, after.keys).map(([name]) => name)).toEqual([]);
    expect(after.rows).toBe(before.rows);
  });
});

describe('leaves as much from one address as the inventory says, and no more', () => {
  const writing = Object.entries(inventory).flatMap(([route, writings]) =>
    writings.map((each) => [`${route}: ${each.what}`, each] as const),
  );

  test.each(writing)('%s', async (_name, { bound, perSecond, keys, rows, bytes, seconds, prepare }) => {
    const send = await prepare();
    const address = newAddress();
    const before = await contents();
    const begun = performance.now();
    const statuses = await press(send, address, 2 * bound + 20);
    const most = () => bound + Math.ceil(((performance.now() - begun) / 1_000) * perSecond) + 1;
    expect(statuses.filter(wasLetIn).length).toBeLessThanOrEqual(most());
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter(wasLetIn).length).toBeGreaterThanOrEqual(Math.floor(bound * 0.9) - 1);

    const after = await contents();
    const left = newKeys(before.keys, after.keys);
    // Beside those, the counters of the address, the client and the tenant.
    expect(left.length).toBeLessThanOrEqual(most() * keys + 4);
    expect(after.rows - before.rows).toBeLessThanOrEqual(most() * rows);
    expect(left.filter(([, { ms }]) => ms < 0 || ms > seconds * 1_000)).toEqual([]);
    expect(left.filter((key) => key[1].bytes > bytes)).toEqual([]);

    // Who presses on leaves nothing more, and is nobody else's trouble.
    const more = await press(send, address, 30);
    const letIn = more.filter(wasLetIn).length;
    const then = await contents();
    expect(newKeys(after.keys, then.keys).length).toBeLessThanOrEqual(letIn * keys);
    expect(then.rows - after.rows).toBeLessThanOrEqual(letIn * rows);
    expect(wasLetIn(await send(newAddress()))).toBe(true);
  });
});

test('however many addresses press on at once, from two networks each has its own', async () => {
  const send = await proofsAtToken.prepare();
  const network = randomBytes(2).toString('hex');
  const statuses = await Promise.all(
    Array.from({ length: 3 * limits.DPOP_PROOFS_PER_MINUTE }, (_, at) =>
      send(`2001:db8:${network}:1::${(at + 1).toString(16)}`),
    ),
  );
  // All addresses of an IPv6 /64 are one.
  expect(statuses.filter(wasLetIn)).toHaveLength(limits.DPOP_PROOFS_PER_MINUTE);
  expect(wasLetIn(await send(`2001:db8:${network}:2::1`))).toBe(true);
});
