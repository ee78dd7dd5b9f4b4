import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { clientId } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { pageLoad } from '../support/browser.ts';
import { TestGuard } from '../support/guard.ts';
import { App, freePort, programOf, programs, RealProxy, send, type TestedProxy } from '../support/proxies.ts';
import { SignInIssuer } from '../support/sign-in-issuer.ts';

const proxies = Object.keys(programs) as TestedProxy[];
for (const proxy of proxies)
  if (programOf(proxy) === undefined) recordSkip(`${programs[proxy]} names no ${proxy} (apt: ${proxy})`);

describe.each(proxies)('a web app behind %s', (name) => {
  const testWith = programOf(name) === undefined ? test.skip : test;
  let issuer: SignInIssuer;
  let guard: TestGuard;
  let app: App;
  let proxy: RealProxy;
  let port: number;

  beforeAll(async () => {
    if (programOf(name) === undefined) return;
    issuer = await new SignInIssuer().start();
    app = await App.start();
    guard = await TestGuard.start(issuer, { proxy: name, signIn: {} });
    port = await freePort();
    proxy = await RealProxy.start(name, { proxy: port, guard: guard.port, app: app.port });
    await eventually(async () => (await guard.ask({}, '/readyz')).status === 200);
  });

  afterAll(async () => {
    await proxy?.stop();
    await guard?.stop();
    await app?.stop();
    await issuer?.stop();
  });

  beforeEach(() => {
    app?.received.splice(0);
  });

  const pathOf = (location = ''): string => {
    const { origin, pathname, search } = new URL(location);
    expect(origin).toBe('https://orders.example');
    return pathname + search;
  };
  const cookiesIn = (lines: readonly string[] = []): string =>
    lines
      .filter((line) => !line.includes('Max-Age=0'))
      .map((line) => line.split(';', 1)[0])
      .join('; ');

  /** Signs in through the proxy, and returns the cookie of the session. */
  async function signIn(claims: Record<string, unknown> = {}): Promise<string> {
    const first = await send(port, '/orders/7?a=%2F&b', pageLoad);
    expect([first.status, first.headers['cache-control']]).toEqual([302, 'no-store']);
    const begun = await send(port, pathOf(first.headers.location), pageLoad);
    const query = issuer.authorize(new URL(begun.headers.location ?? ''), { claims });
    const cookie = cookiesIn(begun.headers['set-cookie']);
    const ended = await send(port, `/.ostiary/callback?${query}`, { ...pageLoad, cookie });
    expect([ended.status, ended.headers.location]).toEqual([303, 'https://orders.example/orders/7?a=%2F&b']);
    return cookiesIn(ended.headers['set-cookie']);
  }

  testWith(
    `Behind ${name}, a user signs in, and the app gets the user without the cookies of the guard.`,
    async () => {
      const session = await signIn();
      for (const cookie of [
        `a=1; ${session}; b=2`,
        `${session}; a=1; b=2`,
        `a=1; b=2; ${session}; __Host-ostiary-x=y`,
        session,
      ])
        expect((await send(port, '/orders/7', { ...pageLoad, cookie })).status).toBe(200);
      expect(app.received.map(({ headers }) => headers['x-ostiary-subject'])).toEqual(
        Array(4).fill('user-1'),
      );
      const seen = app.received.map(({ headers }) => (headers.cookie ?? '').split(/; */).filter(Boolean));
      expect(seen).toEqual([['a=1', 'b=2'], ['a=1', 'b=2'], ['a=1', 'b=2'], []]);
      expect(app.received.every(({ rawHeaders }) => !rawHeaders.join().includes('__Host-ostiary-'))).toBe(
        true,
      );
    },
  );

  testWith(
    `Behind ${name}, a session with the maximum size of a cookie reaches the browser, and is accepted.`,
    async () => {
      const cookie = await signIn({ roles: ['r'.repeat(2_400)] });
      expect(cookie.length).toBeGreaterThan(3_800);
      expect((await send(port, '/orders/7', { ...pageLoad, cookie })).status).toBe(200);
      expect(app.received.at(-1)?.headers['x-ostiary-subject']).toBe('user-1');
    },
  );

  testWith(
    `Behind ${name}, public pages get no cookies of the guard, and cookies of an app stay.`,
    async () => {
      const session = await signIn();
      await send(port, '/public/x', { cookie: `a=1; ${session}` });
      await send(port, '/public/x', { cookie: 'a=1; b=2' });
      expect(app.received.map(({ headers }) => headers.cookie?.trim())).toEqual(['a=1', 'a=1; b=2']);
    },
  );

  testWith(
    `Behind ${name}, a request of a script without a session gets 401 with the challenge.`,
    async () => {
      const { status, headers } = await send(port, '/orders', {
        'sec-fetch-mode': 'cors',
        accept: 'text/html',
      });
      expect([status, headers['www-authenticate'], headers.location]).toEqual([
        401,
        expect.stringContaining('Bearer'),
        undefined,
      ]);
      expect(app.received).toEqual([]);
    },
  );

  testWith(
    `Behind ${name}, a form of another site does not reach the app with the session of a user.`,
    async () => {
      const cookie = await signIn();
      const form = { method: 'POST', body: 'a=1' };
      const statuses = [
        await send(port, '/orders', { cookie, origin: 'https://evil.example' }, form),
        await send(port, '/orders', { cookie, 'sec-fetch-site': 'cross-site' }, form),
        await send(port, '/orders', { cookie, origin: 'https://orders.example' }, form),
      ].map(({ status }) => status);
      expect([statuses, app.received.length]).toEqual([[403, 403, 200], 1]);
    },
  );

  testWith(
    `Behind ${name}, a WebSocket of a page of another origin does not reach the app with the session of a user.`,
    async () => {
      const handshake = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        cookie: await signIn(),
      };
      const statusOf = async (origin: string) =>
        (await send(port, '/orders', { ...handshake, origin })).status;
      expect([await statusOf('https://evil.example'), app.received.length]).toEqual([403, 0]);
      expect([await statusOf('https://orders.example'), app.received.length]).toEqual([200, 1]);
    },
  );

  testWith(`Behind ${name}, the end of a session at the issuer ends it at the app.`, async () => {
    const sid = `session-${name}`;
    const cookie = await signIn({ sid });
    const load = async () => (await send(port, '/orders', { ...pageLoad, cookie })).status;
    expect(await load()).toBe(200);
    issuer.revoke('sid', sid);
    await eventually(async () => (await load()) === 302);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = await issuer.token(
      { aud: clientId, events, client_id: undefined, sid },
      { typ: 'logout+jwt' },
    );
    const sent = await send(
      port,
      '/.ostiary/backchannel-logout',
      { 'content-type': 'application/x-www-form-urlencoded' },
      { method: 'POST', body: `logout_token=${token}` },
    );
    expect(sent.status).toBe(200);
  });

  testWith(`Behind ${name}, a sign-out removes the session and continues at the issuer.`, async () => {
    const cookie = await signIn();
    const { status, headers } = await send(port, '/.ostiary/sign-out', { ...pageLoad, cookie });
    expect([status, headers.location]).toEqual([303, expect.stringContaining(`${issuer.issuer}/logout?`)]);
    expect(headers['set-cookie']?.join()).toContain('__Host-ostiary-session=; Path=/;');
  });

  testWith(
    `Behind ${name}, no spelling of the paths of the guard reaches the app or another path of the guard.`,
    async () => {
      const authorization = await issuer.bearer();
      for (const path of [
        '/.ostiary/../verify',
        '/.ostiary/%2e%2e/verify',
        '/.ostiary/x',
        '/.ostiary/verify',
        '/%2eostiary/verify',
        '/.ostiary//verify',
      ]) {
        const { status, headers } = await send(port, path, {
          authorization,
          'x-original-method': 'GET',
          'x-original-url': 'https://orders.example/public/x',
          'x-forwarded-uri': '/public/x',
        });
        expect([path, status, headers['x-ostiary-subject'] ?? '']).toEqual([path, expect.any(Number), '']);
      }
      expect(app.received.filter(({ url }) => url.startsWith('/.ostiary/'))).toEqual([]);
    },
  );
});
