import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { audience, clientId } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { SealedCookies } from '../../src/sign-in/index.ts';
import { pageLoad, TestBrowser } from '../support/browser.ts';
import { TestGuard } from '../support/guard.ts';
import { SignInIssuer } from '../support/sign-in-issuer.ts';

let issuer: SignInIssuer;
let guard: TestGuard;
let browser: TestBrowser;

beforeAll(async () => {
  issuer = await new SignInIssuer().start();
  guard = await TestGuard.start(issuer, { signIn: { scopes: ['orders:read'] } });
  await eventually(async () => (await guard.ask({}, '/readyz')).status === 200);
});

afterAll(async () => {
  await guard?.stop();
  await issuer?.stop();
});

beforeEach(() => {
  browser = new TestBrowser(guard);
});

const session = '__Host-ostiary-session';
type Answer = Parameters<SignInIssuer['authorize']>[1];

/** Signs a user in, and returns the answer of the callback. */
async function signIn(returnTo = '/', o: Answer = {}) {
  const query = issuer.authorize(await browser.begin(returnTo), o);
  return browser.open(`/.ostiary/callback?${query}`);
}

describe('a sign-in', () => {
  test('A page load without a session is redirected to the sign-in, and returns to its path and query.', async () => {
    const { status, headers, identity } = await browser.load('/orders/7?page=2&x=%2F');
    expect([status, identity, headers['cache-control']]).toEqual([302, {}, 'no-store']);
    const address = new URL(headers.location ?? '');
    expect(address.origin + address.pathname).toBe('https://orders.example/.ostiary/sign-in');
    const begun = await browser.open(address.pathname + address.search);
    const request = new URL(begun.headers.location ?? '');
    expect(Object.fromEntries(request.searchParams)).toEqual({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://orders.example/.ostiary/callback',
      scope: 'openid orders:read',
      resource: audience,
      state: expect.any(String),
      nonce: expect.any(String),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
    });
    for (const line of begun.headers['set-cookie'] ?? [])
      expect(line).toMatch(
        /^__Host-ostiary-sign-in-[^=]+=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=900$/,
      );
    const ended = await browser.open(`/.ostiary/callback?${issuer.authorize(request)}`);
    expect([ended.status, ended.headers.location]).toEqual([
      303,
      'https://orders.example/orders/7?page=2&x=%2F',
    ]);
    expect([...browser.cookies.keys()]).toEqual([session]);
    const loaded = await browser.load('/orders/7?page=2');
    expect([loaded.status, loaded.identity]).toMatchObject([
      200,
      {
        kind: 'user',
        subject: 'user-1',
        client: clientId,
        session: 'session-1',
        scopes: 'openid orders:read',
      },
    ]);
  });

  test.each([
    ['a request of a script', { 'sec-fetch-mode': 'cors', accept: 'text/html' }, 'GET'],
    ['a request for data', { accept: 'application/json' }, 'GET'],
    ['a form', {}, 'POST'],
    ['a page that the browser loads in advance', { 'sec-purpose': 'prefetch' }, 'GET'],
  ])('Without a session, %s gets 401 with the challenge.', async (_name, headers, method) => {
    const answer = await browser.load('/orders', headers as Record<string, string>, method);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Bearer'),
    ]);
  });

  test('A bearer token is accepted at the same host, and a wrong one is not replaced by the session.', async () => {
    expect((await browser.load('/', { authorization: await issuer.bearer() })).status).toBe(200);
    await signIn();
    expect((await browser.load('/', { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  test('Sign-ins in parallel tabs all succeed, in any order.', async () => {
    const requests = await Promise.all(['/a', '/b', '/c'].map((path) => browser.begin(path)));
    const queries = requests.map((request) => issuer.authorize(request)).toReversed();
    const answers = await Promise.all(queries.map((query) => browser.open(`/.ostiary/callback?${query}`)));
    expect(answers.map(({ headers }) => headers.location)).toEqual(
      ['/c', '/b', '/a'].map((path) => `https://orders.example${path}`),
    );
  });

  test('The cookies of unfinished sign-ins have a maximum size, and the latest sign-in succeeds.', async () => {
    for (let begun = 0; begun < 30; begun += 1) {
      const requests = [await browser.begin(), await browser.begin(`/${'a'.repeat(900)}`)];
      expect(browser.cookie.length).toBeLessThan(4_400);
      for (const request of begun % 10 === 0 ? requests : [])
        expect((await browser.open(`/.ostiary/callback?${issuer.authorize(request)}`)).status).toBe(303);
      browser.cookies.delete(session);
    }
  });

  test('Unfinished sign-ins and a large session together have a maximum size.', async () => {
    const rules = [{ path: '/payments/**', acr: ['urn:ostiary:acr:2fa'] }, { path: '/**' }];
    const own = await TestGuard.start(issuer, { signIn: {}, rules });
    try {
      await eventually(async () => (await own.ask({}, '/readyz')).status === 200);
      browser = new TestBrowser(own);
      await signIn('/', { claims: { roles: ['r'.repeat(2_200)] } });
      for (let begun = 0; begun < 6; begun += 1) {
        await browser.begin(`/payments/${'a'.repeat(900)}`);
        expect(browser.cookie.length).toBeLessThan(6_300);
      }
    } finally {
      await own.stop();
    }
  });

  test('A rule with acr and maxAge requests such a sign-in, and a weaker one does not lead to a loop.', async () => {
    const rules = [{ path: '/payments', acr: ['urn:ostiary:acr:2fa'], maxAge: 300 }, { path: '/**' }];
    const own = await TestGuard.start(issuer, { signIn: {}, rules });
    try {
      await eventually(async () => (await own.ask({}, '/readyz')).status === 200);
      browser = new TestBrowser(own);
      await signIn('/');
      expect((await browser.load('/')).status).toBe(200);
      const { status, headers } = await browser.load('/payments');
      const { pathname, search } = new URL(headers.location ?? '');
      const request = new URL((await browser.open(pathname + search)).headers.location ?? '');
      expect([status, request.searchParams.get('acr_values'), request.searchParams.get('max_age')]).toEqual([
        302,
        'urn:ostiary:acr:2fa',
        '300',
      ]);
      const weak = await browser.open(`/.ostiary/callback?${issuer.authorize(request)}`);
      expect([weak.status, weak.body]).toEqual([403, expect.stringContaining('stronger or more recent')]);
      expect(
        (await browser.load('/payments', { accept: 'application/json' })).headers['www-authenticate'],
      ).toContain('insufficient_user_authentication');
      await signIn('/payments', { claims: { acr: 'urn:ostiary:acr:2fa' } });
      expect((await browser.load('/payments')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});

describe('attacks on a sign-in', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/a\r\nSet-Cookie: x=y',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/.ostiary/sign-out',
    '/%2eostiary/sign-out',
    '/.OSTIARY/sign-out',
    '',
  ])('The return address %j is rejected.', async (address) => {
    const answer = await browser.open(`/.ostiary/sign-in?return=${encodeURIComponent(address)}`);
    expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toEqual([
      400,
      undefined,
      undefined,
    ]);
  });

  test('After a path that is too long for a cookie, the sign-in leads to the first page.', async () => {
    const { headers } = await browser.load(`/${'a'.repeat(3_000)}`);
    expect(headers.location).toBe('https://orders.example/.ostiary/sign-in?return=%2F');
  });

  test('The callback of another browser is rejected, so that no user gets the session of another one.', async () => {
    const query = issuer.authorize(await browser.begin());
    const victim = new TestBrowser(guard);
    const answer = await victim.open(`/.ostiary/callback?${query}`);
    expect([answer.status, victim.cookies.size]).toEqual([400, 0]);
    const theirs = await victim.begin();
    query.set('state', theirs.searchParams.get('state') ?? '');
    // The verifier of the victim's sign-in does not fit the code.
    expect((await victim.open(`/.ostiary/callback?${query}`)).status).toBe(403);
    expect(victim.cookies.has(session)).toBe(false);
  });

  test('A callback is accepted once, and parallel repetitions redeem its code once.', async () => {
    const query = issuer.authorize(await browser.begin());
    const { cookie } = browser;
    const twin = () => guard.ask({ host: 'orders.example', cookie }, `/.ostiary/callback?${query}`);
    const statuses = (await Promise.all(Array.from({ length: 5 }, twin))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 403, 403, 403, 403]);
    await signIn();
    expect((await browser.open(`/.ostiary/callback?${query}`)).status).not.toBe(303);
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['with an invented code', { code: 'invented' }],
    ['without a code', { code: undefined }],
    ['with an error', { code: undefined, error: 'access_denied' }],
  ])('An answer %s creates no session.', async (_name, change) => {
    const query = issuer.authorize(await browser.begin());
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
    const answer = await browser.open(`/.ostiary/callback?${query}`);
    expect([answer.status, browser.cookies.has(session)]).toEqual([403, false]);
  });

  test('An answer with a repeated parameter creates no session.', async () => {
    for (const name of ['code', 'state', 'iss']) {
      const query = issuer.authorize(await browser.begin());
      query.append(name, query.get(name) ?? '');
      const answer = await browser.open(`/.ostiary/callback?${query}`);
      expect([name, answer.status >= 400, browser.cookies.has(session)]).toEqual([name, true, false]);
    }
  });

  test.each([
    ['another nonce', { idClaims: { nonce: 'other' } }, 403],
    ['no nonce', { idClaims: { nonce: undefined } }, 403],
    ['another audience', { idClaims: { aud: 'other-client' } }, 403],
    ['another issuer', { idClaims: { iss: 'https://evil.example' } }, 403],
    ['an expired time', { idClaims: { exp: 1_000_000 } }, 403],
    ['another user than the access token', { idClaims: { sub: 'user-2' } }, 500],
  ])('An ID token with %s creates no session.', async (_name, change, status) => {
    const answer = await signIn('/', change as Answer);
    expect([answer.status, browser.cookies.has(session)]).toEqual([status, false]);
  });

  test.each([
    ['for another API', { aud: 'https://other.example' }],
    ['of a client that acts for itself', { sub: clientId, sub_epoch: undefined }],
    ['that is bound to a key', { cnf: { jkt: 'x'.repeat(43) } }],
  ])('An access token %s creates no session.', async (_name, claims) => {
    const answer = await signIn('/', { claims });
    expect([answer.status, browser.cookies.has(session)]).toEqual([500, false]);
  });

  test('A session that does not fit into a cookie is rejected with a page, and one without the ID token is stored.', async () => {
    expect((await signIn('/', { idClaims: { name: 'n'.repeat(2_500) } })).status).toBe(303);
    expect((await browser.load('/')).status).toBe(200);
    browser.cookies.clear();
    const answer = await signIn('/', { claims: { roles: ['r'.repeat(3_000)] } });
    expect([answer.status, browser.cookies.has(session)]).toEqual([500, false]);
  });
});

describe('the cookie of a session', () => {
  const statusWith = async (value: string, own = browser) => {
    own.cookies.set(session, value);
    return (await own.load('/orders', { accept: 'application/json' })).status;
  };

  test('A changed, shortened, invented or foreign cookie is no session.', async () => {
    const pending = new URL((await browser.begin()).href);
    const ofSignIn = browser.cookies.get(`__Host-ostiary-sign-in-${pending.searchParams.get('state')}`) ?? '';
    await signIn();
    const value = browser.cookies.get(session) ?? '';
    expect(await statusWith(value)).toBe(200);
    const changed = Array.from({ length: 40 }, (_, index) => {
      const at = Math.floor((value.length * index) / 40);
      return value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1);
    });
    for (const wrong of [...changed, value.slice(0, -1), `${value}=`, '', 'x', ofSignIn])
      expect([wrong, await statusWith(wrong)]).toEqual([wrong, 401]);
    expect(await statusWith(value, new TestBrowser(guard, 'shop.example'))).toBe(401);
    const { status } = await guard.request('/orders', { cookie: `${session}=${value}; ${session}=${value}` });
    expect(status).toBe(401);
  });

  // Another host of the same site can set them, because browsers do not reserve such names (RFC 6265bis §5.6).
  test.each(['\xa0', '\x85', '\v', '\f'])(
    'A cookie whose name begins with %j is no session.',
    async (prefix) => {
      await signIn();
      const cookie = `a=1; ${prefix}${browser.cookie}`;
      const { status } = await guard
        .request('/orders', { cookie })
        .catch((error: NodeJS.ErrnoException) => ({ status: error.code }));
      expect([401, 'ERR_INVALID_CHAR']).toContain(status);
    },
  );

  test('Several cookies of sessions lead to a page instead of a redirect to the app.', async () => {
    const query = issuer.authorize(await browser.begin('/orders'));
    const cookie = `${session}=a; ${session}=b; ${browser.cookie}`;
    const answer = await browser.open(`/.ostiary/callback?${query}`, { cookie });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('Delete the cookies')]);
  });

  test('A session is valid at guards with the same key, and after a rotation with the former one as second.', async () => {
    await signIn();
    const [a, b] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const statusAt = async (cookies: SealedCookies) => {
      const other = await TestGuard.start(issuer, { signIn: { scopes: ['orders:read'] }, cookies });
      try {
        await eventually(async () => (await other.ask({}, '/readyz')).status === 200);
        return (await other.request('/', { cookie: browser.cookie })).status;
      } finally {
        await other.stop();
      }
    };
    expect([
      await statusAt(new SealedCookies(a)),
      await statusAt(new SealedCookies(b, a)),
      await statusAt(new SealedCookies(b)),
    ]).toEqual([200, 200, 401]);
  });

  test('A session of the same host at a guard of another issuer is rejected.', async () => {
    await signIn();
    const rival = await new SignInIssuer().start();
    const other = await TestGuard.start(rival, { signIn: {} });
    try {
      await eventually(async () => (await other.ask({}, '/readyz')).status === 200);
      expect((await other.request('/', { cookie: browser.cookie })).status).toBe(401);
    } finally {
      await other.stop();
      await rival.stop();
    }
  });

  test('The app receives its own cookies, and none of the guard.', async () => {
    await signIn();
    await browser.begin('/other?x').catch(() => undefined);
    const cookie = `a=1; ${browser.cookie}; __host-OSTIARY-x=2; b="\xe9\t"; c`;
    const { headers } = await browser.load('/', { cookie });
    expect(headers.cookie).toBe('a=1; b="\xe9\t"; c');
    expect((await browser.load('/public/x', { cookie })).headers.cookie).toBe('a=1; b="\xe9\t"; c');
  });

  test.each([
    ['POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', { origin: 'https://shop.orders.example', 'sec-fetch-site': 'same-site' }, 403],
    ['POST', { origin: 'null' }, 403],
    ['DELETE', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', { 'sec-fetch-mode': 'websocket', origin: 'https://evil.example' }, 403],
    ['GET', { 'sec-websocket-key': 'x', origin: 'https://evil.example', 'sec-fetch-mode': '' }, 403],
    ['GET', { 'sec-websocket-version': '13', origin: 'https://orders.example' }, 200],
    ['POST', { origin: 'https://orders.example', 'sec-fetch-site': 'same-origin' }, 200],
    ['POST', { 'sec-fetch-site': 'same-origin' }, 200],
    ['GET', { 'sec-fetch-site': 'cross-site' }, 200],
  ])('A request %s with %j and a session gets %i.', async (method, headers, status) => {
    await signIn();
    const sent = { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', ...headers };
    const asked = Object.fromEntries(Object.entries({ cookie: browser.cookie, ...sent }));
    expect((await guard.request('/', asked, method)).status).toBe(status);
  });

  test('A token does not replace the check of the origin for a browser with cookies.', async () => {
    const headers = { authorization: await issuer.bearer(), origin: 'https://evil.example' };
    const statusOf = async (own: object) => (await guard.request('/', { ...headers, ...own }, 'POST')).status;
    expect([await statusOf({ cookie: 'a=1' }), await statusOf({})]).toEqual([403, 200]);
  });

  test('A request for a path of the guard that the proxy would route to the app gets 403.', async () => {
    const paths = [
      '/.ostiary/callback?code=x',
      '/%2eostiary/sign-in',
      '//.OSTIARY/x',
      '/%2F.ostiary',
      '/.ostiaryx',
    ];
    const statuses = await Promise.all(
      paths.map(async (path) => (await guard.request(path, { accept: 'application/json' })).status),
    );
    expect(statuses).toEqual([403, 403, 403, 403, 401]);
  });

  test('Page loads of another site are redirected, and the sign-in does not repeat for a user with a session.', async () => {
    await signIn();
    expect((await browser.load('/', { ...pageLoad, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    const again = await browser.open('/.ostiary/sign-in?return=%2Forders');
    expect(again.headers.location).toBe('https://orders.example/orders');
  });
});
