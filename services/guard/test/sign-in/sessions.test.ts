import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { clientId } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { TestBrowser } from '../support/browser.ts';
import { TestGuard } from '../support/guard.ts';
import { SignInIssuer } from '../support/sign-in-issuer.ts';

let issuer: SignInIssuer;
let guard: TestGuard;
let browser: TestBrowser;
/** Milliseconds by which the clock of the guard is ahead. */
let aheadMs = 0;

beforeEach(async () => {
  aheadMs = 0;
  issuer = await new SignInIssuer().start();
  guard = await TestGuard.start(issuer, {
    signIn: {
      lifetimeSeconds: 3_600,
      idleSeconds: 1_200,
      postLogoutRedirectUri: 'https://orders.example/goodbye',
    },
    clock: () => Date.now() + aheadMs,
  });
  await eventually(async () => (await guard.ask({}, '/readyz')).status === 200);
  browser = new TestBrowser(guard);
});

afterEach(async () => {
  await guard?.stop();
  await issuer?.stop();
});

async function signIn(claims: Record<string, unknown> = {}, own = browser): Promise<void> {
  const { status } = await own.open(`/.ostiary/callback?${issuer.authorize(await own.begin(), { claims })}`);
  expect(status).toBe(303);
}

const statusNow = async (own = browser) => (await own.load('/', { accept: 'application/json' })).status;

/** Claims of an access token that expires now. */
const expiring = () => {
  const now = Math.floor(Date.now() / 1_000);
  return { iat: now - 600, exp: now + 1 };
};

/** Claims of an access token with a lifetime of two seconds, and so are the confirmations by the issuer. */
const brief = () => {
  const now = Math.floor(Date.now() / 1_000);
  return { iat: now, exp: now + 2 };
};

const hasExpired = (own = browser) =>
  eventually(async () => {
    await statusNow(own);
    return issuer.countOf('introspect') > 0;
  });

describe('revocation', () => {
  test.each([
    ['user', 'sub', 'user-1'],
    ['session', 'sid', 'session-1'],
    ['client', 'client_id', clientId],
  ])('The end of the %s ends the session, and a page load begins a sign-in.', async (_name, kind, value) => {
    await signIn();
    const other = new TestBrowser(guard);
    await signIn({ sub: 'user-2', sid: 'session-2' }, other);
    expect([await statusNow(), await statusNow(other)]).toEqual([200, 200]);
    issuer.revoke(kind, value);
    await eventually(async () => (await statusNow()) === 401);
    expect((await browser.load('/')).status).toBe(302);
    expect(await statusNow(other)).toBe(kind === 'client_id' ? 401 : 200);
    expect(issuer.countOf('introspect')).toBe(0);
  });

  test('A user with a new epoch gets a new session, and the earlier one stays ended.', async () => {
    await signIn({ sub_epoch: 1 });
    issuer.revoke('sub', 'user-1', { epoch: 2 });
    await eventually(async () => (await statusNow()) === 401);
    const again = new TestBrowser(guard);
    await signIn({ sub_epoch: 2 }, again);
    expect([await statusNow(), await statusNow(again)]).toEqual([401, 200]);
  });

  test('A session whose access token expired is confirmed by the issuer once, and ends if its grant has ended.', async () => {
    await signIn(expiring());
    await hasExpired();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusNow()));
    expect([statuses.every((status) => status === 200), issuer.countOf('introspect')]).toEqual([true, 1]);
    issuer.revoke('sid', 'session-1');
    await eventually(async () => (await statusNow()) === 401);
  });

  test('A revocation that the list no longer has ends a session whose access token expired.', async () => {
    await signIn(brief());
    issuer.families.clear();
    await eventually(async () => (await statusNow()) === 401);
    expect((await browser.load('/')).status).toBe(302);
  });

  test.each([
    ['has lost one of its scopes', { scope: 'profile' }],
    ['was narrowed', { client_epoch: 2 }],
  ])('A session ends if its client %s.', async (_name, change) => {
    await signIn(brief());
    for (const family of issuer.families.values()) Object.assign(family, change);
    await eventually(async () => (await statusNow()) === 401);
  });

  test('Without a current list each request is confirmed by the issuer, and gets 503 if it does not respond.', async () => {
    await signIn();
    issuer.failures.set('revocations', { status: 503 });
    issuer.cut();
    await eventually(async () => (await statusNow()) === 200 && issuer.countOf('introspect') > 1);
    issuer.failures.set('*', { status: 503 });
    expect([await statusNow(), (await browser.load('/')).status]).toEqual([503, 503]);
    expect((await browser.load('/public/x')).status).toBe(200);
    issuer.failures.delete('*');
    expect(await statusNow()).toBe(200);
    issuer.families.clear();
    expect(await statusNow()).toBe(401);
    issuer.failures.clear();
    await eventually(async () => (await statusNow()) === 200);
  });

  test('A sign-in gets 503 while the issuer does not respond, and succeeds afterwards.', async () => {
    const query = issuer.authorize(await browser.begin());
    issuer.failures.set('token', { status: 503 });
    expect((await browser.open(`/.ostiary/callback?${query}`)).status).toBe(403);
    issuer.failures.set('token', 'cut');
    const later = issuer.authorize(await browser.begin());
    expect((await browser.open(`/.ostiary/callback?${later}`)).status).toBe(503);
    issuer.failures.clear();
    expect((await browser.open(`/.ostiary/callback?${later}`)).status).toBe(303);
  });
});

describe('lifetime', () => {
  test('A session ends after the idle time without a page load, and page loads renew it until its lifetime.', async () => {
    await signIn();
    const reload = async () => {
      const { status, headers } = await browser.load('/orders?x');
      if (status !== 302) return status;
      const { pathname, search } = new URL(headers.location ?? '');
      return (await browser.open(pathname + search)).headers.location;
    };
    aheadMs = 200_000;
    expect(await reload()).toBe(200);
    for (const seconds of [1_000, 2_000, 3_000]) {
      aheadMs = seconds * 1_000;
      expect([await reload(), await reload()]).toEqual(['https://orders.example/orders?x', 200]);
    }
    aheadMs = 3_601_000;
    expect([await statusNow(), String(await reload())]).toEqual([401, expect.stringContaining('/authorize')]);
  });

  test('Requests of scripts do not renew a session, and are answered until its end.', async () => {
    await signIn();
    aheadMs = 1_100_000;
    expect(await statusNow()).toBe(200);
    const script = { 'sec-fetch-mode': 'cors' };
    expect((await browser.open('/.ostiary/sign-in?return=%2F', script)).headers['set-cookie']).toBe(
      undefined,
    );
    aheadMs = 1_201_000;
    expect(await statusNow()).toBe(401);
  });

  test('An assertion is valid for at most 60 seconds, also after the access token expired.', async () => {
    await signIn(expiring());
    await hasExpired();
    const { identity } = await browser.load('/');
    const [, payload = ''] = (identity.assertion ?? '').split('.');
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    expect(exp - iat).toBe(60);
  });
});

describe('sign-out', () => {
  test('A sign-out removes the session, ends copies of it, and continues at the issuer.', async () => {
    await signIn();
    const { status, headers } = await browser.open('/.ostiary/sign-out');
    const address = new URL(headers.location ?? '');
    expect([status, address.origin + address.pathname]).toEqual([303, `${issuer.issuer}/logout`]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: clientId,
      id_token_hint: expect.any(String),
      post_logout_redirect_uri: 'https://orders.example/goodbye',
    });
    expect([browser.cookies.size, issuer.families.size]).toEqual([0, 0]);
  });

  test('A sign-out without a session continues at the issuer, and one without the issuer removes the session.', async () => {
    const { headers } = await browser.open('/.ostiary/sign-out');
    expect(new URL(headers.location ?? '').searchParams.get('client_id')).toBe(clientId);
    await signIn();
    issuer.failures.set('*', { status: 503 });
    expect((await browser.open('/.ostiary/sign-out', {}, 'POST')).status).toBe(303);
    expect(browser.cookies.size).toBe(0);
  });

  test('A sign-out ends copies of the session, also after its idle time and without the issuer.', async () => {
    await signIn();
    const copy = new TestBrowser(guard);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    aheadMs = 400_000;
    await copy.open('/.ostiary/sign-in?return=%2F');
    aheadMs = 1_300_000;
    expect([await statusNow(), await statusNow(copy)]).toEqual([401, 200]);
    await browser.open('/.ostiary/sign-out');
    expect(issuer.families.size).toBe(0);
    const other = new TestBrowser(guard);
    await signIn({ sid: 'session-2' }, other);
    for (const [name, value] of other.cookies) copy.cookies.set(name, value);
    expect(await statusNow(copy)).toBe(200);
    issuer.failures.set('revoke', { status: 503 });
    await other.open('/.ostiary/sign-out');
    expect(await statusNow(copy)).toBe(401);
  });

  test('A sign-in ends the previous session, and succeeds if that is impossible.', async () => {
    const requests = [await browser.begin(), await browser.begin(), await browser.begin()];
    const [first, second, third] = requests.map(
      (request) => `/.ostiary/callback?${issuer.authorize(request)}`,
    );
    await browser.open(first ?? '');
    const [previous = ''] = issuer.families.keys();
    await browser.open(second ?? '');
    expect([issuer.families.has(previous), issuer.families.size]).toEqual([false, 1]);
    issuer.failures.set('revoke', { status: 503 });
    await browser.open(third ?? '');
    expect([await statusNow(), issuer.families.size]).toEqual([200, 2]);
  });

  test('Another site cannot sign a user out.', async () => {
    await signIn();
    for (const site of ['cross-site', 'same-site']) {
      const answer = await browser.open('/.ostiary/sign-out', { 'sec-fetch-site': site });
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('<form method="post"')]);
    }
    const { status } = await guard.ask(
      { host: 'orders.example', cookie: browser.cookie },
      '/.ostiary/sign-out',
    );
    const origin = 'https://evil.example';
    const form = await browser.open(
      '/.ostiary/sign-out',
      { origin, 'sec-fetch-site': 'same-origin' },
      'POST',
    );
    expect([status, form.status]).toEqual([403, 403]);
    expect(await statusNow()).toBe(200);
  });
});

describe('back-channel logout', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };

  /** Sends a logout token. Undefined claims are omitted. */
  async function logout(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
    const token = await issuer.token(
      { aud: clientId, events: event, sub: undefined, client_id: undefined, ...claims },
      { typ: 'logout+jwt', ...header },
    );
    return send(`logout_token=${token}`);
  }

  const send = (content: string) =>
    guard.ask(
      { host: 'orders.example', 'content-type': 'application/x-www-form-urlencoded' },
      '/.ostiary/backchannel-logout',
      'POST',
      content,
    );

  test('A logout token ends the session that it names, and no other one.', async () => {
    await signIn();
    const other = new TestBrowser(guard);
    await signIn({ sid: 'session-2' }, other);
    const { status, headers } = await logout({ sid: 'session-1' });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect([await statusNow(), await statusNow(other)]).toEqual([401, 200]);
    expect((await logout({ sub: 'user-1' })).status).toBe(200);
    expect(await statusNow(other)).toBe(401);
    aheadMs = 2_000;
    await signIn({ sid: 'session-3' });
    expect(await statusNow()).toBe(200);
  });

  test.each([
    ['for another client', { aud: 'other' }, {}],
    ['of another issuer', { iss: 'https://evil.example' }, {}],
    ['without the event', { events: { other: {} } }, {}],
    ['without events', { events: undefined }, {}],
    ['with a nonce', { nonce: 'x' }, {}],
    ['without sub and sid', { sid: undefined }, {}],
    ['that is expired', { exp: 1_000_000 }, {}],
    ['without an end', { exp: undefined }, {}],
    ['of another type', {}, { typ: 'JWT' }],
    ['that is an access token', {}, { typ: 'at+jwt' }],
    ['with an unknown key', {}, { kid: 'other' }],
  ])('A logout token %s is rejected with 400.', async (_name, claims, header) => {
    await signIn();
    const answer = await logout({ sid: 'session-1', ...claims }, header);
    expect([answer.status, await statusNow()]).toEqual([400, 200]);
  });

  test('Other content than one logout token is rejected with 400.', async () => {
    for (const content of ['', 'logout_token=', 'logout_token=a.b.c', 'logout_token=a&logout_token=b', 'x=y'])
      expect([content, (await send(content)).status]).toEqual([content, 400]);
    expect((await send('x'.repeat(20_000))).status).toBe(413);
  });
});

test('A session is permitted by its roles, and by its groups until its access token expires.', async () => {
  const other = new TestBrowser(guard);
  const statusOf = async (path: string, accept = 'application/json', own = browser) =>
    (await own.load(path, { accept })).status;
  await signIn({ roles: ['approver'], groups: ['Finance'] });
  await signIn({ groups: ['Sales'] }, other);
  expect([await statusOf('/approvals/1'), await statusOf('/reports/1')]).toEqual([200, 200]);
  expect(await statusOf('/approvals/1', 'text/html', other)).toBe(403);
  expect(await statusOf('/reports/1', 'text/html', other)).toBe(403);
  aheadMs = 700_000;
  expect([await statusOf('/reports/1'), await statusOf('/reports/1', 'text/html')]).toEqual([401, 302]);
});
