import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { PasswordHasher } from '../../../src/identity/sign-in/domain/password.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';
import { waitingAnew } from '../../support/sign-in/attempts.ts';
import {
  authorizeUrl,
  callback,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ asInProduction: true });
});
afterAll(() => service.stop());

const sessionCookie = `__Host-ostiary-${tenant}`;

describe('signing in', () => {
  test('Signing in leads through login and consent to a code that can be redeemed.', async () => {
    const client = await service.client();
    const person = await service.person('alice');
    const browser = service.browser();

    const login = await browser.follow(await browser.get(authorizeUrl(client)));
    expect(login.status).toBe(200);
    expect(login.text).toContain('Notes &#60;App&#62;');
    expect(login.text).toContain('Demo &#38; Sons');
    const posted = await browser.submit(login, { username: 'ALICE', password, action: 'sign-in' });
    expect(posted.status).toBe(303);
    const consent = await browser.follow(posted);
    expect(consent.text).toContain('The alice');
    expect(consent.text).toContain('See your name');

    const answer = await browser.submit(consent, { action: 'allow' });
    expect(answer.status).toBe(303);
    const location = new URL(answer.location ?? '');
    expect(location.origin + location.pathname).toBe(callback);
    expect(location.searchParams.get('state')).toBe('the state');
    expect(location.searchParams.get('iss')).toBe(`http://localhost:4000/t/${tenant}`);
    const tokens = await redeem(service, client, location);
    expect(tokens.status).toBe(200);
    const claims = JSON.parse(Buffer.from(tokens.body.id_token?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: person.id, aud: client.clientId });
  });

  test('A user who is new to this service is read from the directory once.', async () => {
    const client = await service.client();
    service.directory.asked.length = 0;
    // The password check needs the user's names, so they are requested here.
    await service.person('newcomer');
    await signInAndAllow(service.browser(), client, 'newcomer');
    await signInAndAllow(service.browser(), client, 'newcomer');
    expect(service.directory.asked.filter((line) => line.includes('/Users'))).toHaveLength(1);
  });

  test('Consent is remembered, and is required again for more scopes or with prompt=consent.', async () => {
    const client = await service.client();
    await service.person('carol');
    const browser = service.browser();
    await signInAndAllow(browser, client, 'carol');

    const again = await browser.get(authorizeUrl(client));
    expect(again.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
    const more = await browser.follow(await browser.get(authorizeUrl(client, { scope: 'openid email' })));
    expect(more.text).toContain('See your email address');
    const asked = await browser.follow(await browser.get(authorizeUrl(client, { prompt: 'consent' })));
    expect(asked.text).toContain('action="/t/demo/consent"');
  });

  test('The organisation’s own apps need no consent.', async () => {
    const client = await service.client({ require_consent: false });
    await service.person('dora');
    const answer = await signIn(service.browser(), client, 'dora');
    expect(answer.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  test('The session cookie is new at every sign-in, and the old one is rejected.', async () => {
    const client = await service.client();
    await service.person('erin');
    const browser = service.browser();
    await signInAndAllow(browser, client, 'erin');
    const before = browser.clone();
    await signIn(browser, client, 'erin', { fields: { prompt: 'login' } });
    expect(browser.cookies.get(sessionCookie)).not.toBe(before.cookies.get(sessionCookie));
    const stale = await before.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(stale.location ?? '').searchParams.get('error')).toBe('login_required');
  });

  test('The client is notified when the user denies or cancels.', async () => {
    const client = await service.client();
    await service.person('frank');
    const browser = service.browser();
    const consent = await signIn(browser, client, 'frank');
    const denied = new URL((await browser.submit(consent, { action: 'deny' })).location ?? '');
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });

    const other = service.browser();
    const login = await other.follow(await other.get(authorizeUrl(client)));
    const cancelled = new URL((await other.submit(login, { action: 'cancel' })).location ?? '');
    expect(cancelled.searchParams.get('error')).toBe('access_denied');
  });

  test('The parameters max_age, prompt=login and prompt=none decide whether the session is sufficient.', async () => {
    const client = await service.client({ require_consent: false });
    await service.person('grace');
    const browser = service.browser();
    const anonymous = new URL((await browser.get(authorizeUrl(client, { prompt: 'none' }))).location ?? '');
    expect(anonymous.searchParams.get('error')).toBe('login_required');

    await signIn(browser, client, 'grace');
    expect((await browser.get(authorizeUrl(client, { prompt: 'none' }))).location).toMatch(/\?code=/);
    expect((await browser.get(authorizeUrl(client, { max_age: '600' }))).location).toMatch(/\?code=/);
    expect((await browser.get(authorizeUrl(client, { max_age: '0' }))).location).toMatch(/^\/t\/demo\/login/);
    expect((await browser.get(authorizeUrl(client, { prompt: 'login' }))).location).toMatch(
      /^\/t\/demo\/login/,
    );
    const renewed = await signIn(browser, client, 'grace', { fields: { max_age: '0', prompt: 'login' } });
    expect(renewed.location).toMatch(/\?code=/);
  });

  test('An API scope is granted to a user only through a role.', async () => {
    const client = await service.client({ require_consent: false });
    const person = await service.person('henry');
    const fields = { scope: 'openid users:read' };
    const plain = await redeem(
      service,
      client,
      await signInAndAllow(service.browser(), client, 'henry', fields),
    );
    expect(plain.body.scope).toBe('openid');

    const path = `/tenants/${tenant}/roles`;
    expect((await service.internal('POST', path, { subject: person.id, role: 'tenant_admin' })).status).toBe(
      204,
    );
    const admin = await redeem(
      service,
      client,
      await signInAndAllow(service.browser(), client, 'henry', fields),
    );
    expect(admin.body.scope ?? 'openid users:read').toBe('openid users:read');

    const nothing = await service.client({ require_consent: false });
    const only = await signIn(service.browser(), nothing, (await service.person('ivy')).userName, {
      fields: { scope: 'users:read' },
    });
    expect(new URL(only.location ?? '').searchParams.get('error')).toBe('access_denied');
  });

  test('A form that is posted to /authorize is redirected as a GET.', async () => {
    const client = await service.client();
    const browser = service.browser();
    const query = authorizeUrl(client).split('?')[1] ?? '';
    const posted = await browser.post(`/t/${tenant}/authorize`, query, { 'sec-fetch-site': 'cross-site' });
    expect(posted.status).toBe(303);
    expect(posted.location).toMatch(/^\/t\/demo\/authorize\?/);
    expect((await browser.follow(posted)).text).toContain('Sign in');
  });
});

describe('a rejected sign-in', () => {
  test('The hash of a sign-in has the cost of production unless another hasher is injected.', async () => {
    expect(await service.deps.passwords.hash(acceptable('secret'))).toContain('$m=19456,t=2,p=1$');
    expect(await readFile(new URL('../../../src/main.ts', import.meta.url), 'utf8')).not.toContain('quicker');
  });

  test('A rejected sign-in has the same text and verifies as many passwords whether the user exists or not.', async () => {
    const client = await service.client();
    await service.person('judy');
    await signIn(service.browser(), client, 'judy');
    const verify = jest.spyOn(PasswordHasher.prototype, 'verify');
    const refusal = async (userName: string) => {
      const before = verify.mock.calls.length;
      const answer = await signIn(service.browser(), client, userName, { password: 'wrong' });
      const computed = verify.mock.calls.length - before;
      const text = answer.text
        .replaceAll(userName, '')
        .replace(/name="(i|csrf)" value="[^"]+"|challenge&#34;:&#34;[\w-]+|\?i&#61;[\w-]+/g, '');
      return { status: answer.status, text, computed };
    };
    const wrong = await refusal('judy');
    expect(wrong.status).toBe(401);
    expect(wrong.computed).toBeGreaterThan(0);
    expect(await refusal('nobody')).toEqual(wrong);
    verify.mockRestore();
  });

  test('An inactive user is rejected like a user with a wrong password.', async () => {
    const client = await service.client();
    const person = await service.person('ken');
    await signIn(service.browser(), client, 'ken');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === false);
    const answer = await signIn(service.browser(), client, 'ken');
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('User name or password is incorrect.');
  });

  test('Parallel guesses are counted and then delayed.', async () => {
    const client = await service.client();
    await service.person('lena');
    const pages = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const browser = service.browser();
        return { browser, page: await browser.follow(await browser.get(authorizeUrl(client))) };
      }),
    );
    // Sent only now: guesses that take longer than the first delay of five seconds permit one more.
    const answers = await Promise.all(
      pages.map(({ browser, page }) =>
        browser.submit(page, { username: 'lena', password: 'wrong', action: 'sign-in' }),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(answers.find((answer) => answer.status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
    // The correct password is also rejected until the delay ends.
    await waitingAnew(service);
    expect((await signIn(service.browser(), client, 'lena')).status).toBe(429);
  });

  test('Missing fields are named, with focusable links to them.', async () => {
    const client = await service.client();
    const browser = service.browser();
    const login = await browser.follow(await browser.get(authorizeUrl(client)));
    const answer = await browser.submit(login, { username: '', password: '', action: 'sign-in' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<a href="#username">Enter your user name.</a>');
    expect(answer.text).toContain('aria-invalid="true" aria-describedby="password-problem"');
    expect(answer.text).toContain('<title>Error: Sign in');
  });

  test('Without the directory, known users sign in, and other users are asked to try again.', async () => {
    const client = await service.client({ require_consent: false });
    await service.person('mike');
    await signIn(service.browser(), client, 'mike');
    service.directory.available = false;
    try {
      expect((await signIn(service.browser(), client, 'mike')).location).toMatch(/\?code=/);
      const unknown = await signIn(service.browser(), client, 'somebody-else');
      expect(unknown.status).toBe(503);
      expect(unknown.text).toContain('Sign-in is unavailable right now');
    } finally {
      service.directory.available = true;
    }
  });
});

describe('the rival tenant', () => {
  test('The rival tenant has neither the users, nor the clients, nor the sessions of the other tenant.', async () => {
    const client = await service.client();
    const theirs = await service.client({}, rival);
    await service.person('nora');
    const browser = service.browser();
    await signInAndAllow(browser, client, 'nora');

    expect((await browser.get(authorizeUrl({ ...client, tenant: rival }))).status).toBe(400);
    const silent = await browser.get(authorizeUrl(theirs, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    const answer = await signIn(service.browser(), theirs, 'nora');
    expect(answer.status).toBe(401);
  });

  test('The rival tenant cannot continue an interaction of the other tenant.', async () => {
    const client = await service.client();
    const browser = service.browser();
    const login = await browser.get(authorizeUrl(client));
    const elsewhere = await browser.get((login.location ?? '').replace(`/t/${tenant}/`, `/t/${rival}/`));
    expect(elsewhere.status).toBe(400);
  });
});

test('No secret is written to the log.', () => {
  const log = service.logs.join('');
  expect(log).toContain('session.signed_in');
  expect(log).not.toContain(password);
  expect(log).not.toContain('wrong');
  expect(log).not.toMatch(/code=|csrf|__Host-/);
});
