import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import { english as words } from '../../../src/platform/pages/http/words/english.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import {
  authorizeUrl,
  password,
  redeem,
  signIn,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client();
  await service.person('alice');
});
afterAll(() => service.stop());

const loginPage = async (browser: Browser): Promise<Answer> =>
  browser.follow(await browser.get(authorizeUrl(client)));

/** Returns a page without its passkey script. */
const withoutScript = (page: Answer): string => page.text.replace(/<script>[\s\S]*?<\/script>/, '');

describe('every page', () => {
  test('Every page forbids framing, foreign scripts, caching and referrers.', async () => {
    const browser = service.browser();
    const login = await loginPage(browser);
    const consent = await browser
      .submit(login, { username: 'alice', password })
      .then((answer) => browser.follow(answer));
    const error = await browser.get(authorizeUrl(client, { client_id: 'nobody' }));
    const signedOut = await browser.get(`/t/${tenant}/signed-out`);
    const asking = await browser.get(`/t/${tenant}/logout`);
    for (const page of [login, consent, error, signedOut, asking]) {
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain('unsafe');
      // The only script is permitted by its hash; it may not load or request anything.
      const script = /<script>([\s\S]*?)<\/script>/.exec(page.text)?.[1];
      expect(/script-src [^;]*/.exec(policy)?.[0]).toBe(
        script && `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      );
      expect(policy).not.toContain('connect-src');
      const style = /<style>([\s\S]*?)<\/style>/.exec(page.text)?.[1] ?? '';
      expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(withoutScript(page)).not.toMatch(/<script|style="|\son\w+="/i);
    }
  });

  test('Every page has one heading, landmarks, a language, and a label for every field.', async () => {
    const browser = service.browser();
    const login = await loginPage(browser);
    const consent = await browser
      .submit(login, { username: 'alice', password })
      .then((answer) => browser.follow(answer));
    for (const page of [login, consent]) {
      expect(page.text).toContain('<html lang="en">');
      expect(page.text.match(/<h1>/g)).toHaveLength(1);
      for (const landmark of ['<header>', '<main>', '<footer>']) expect(page.text).toContain(landmark);
      for (const [, id] of page.text.matchAll(/<input id="([^"]+)"/g))
        expect(page.text).toContain(`<label for="${id}">`);
    }
    expect(login.text).toContain('autocomplete="username webauthn"');
    expect(login.text).toContain('autocomplete="current-password"');
  });

  test('Every page shows names as escaped text.', async () => {
    const odd = await service.client({ client_name: '"><script>alert(1)</script>' });
    const browser = service.browser();
    const login = await browser.follow(
      await browser.get(authorizeUrl(odd, { login_hint: '" autofocus onfocus="alert(1)' })),
    );
    expect(withoutScript(login)).not.toContain('<script>');
    expect(login.text).not.toContain('" onfocus');
    expect(login.text).not.toContain('" autofocus onfocus');
  });

  test('The page allows a form to lead only to this server and the app.', async () => {
    const native = await service.client({
      redirect_uris: ['http://127.0.0.1/cb'],
      application_type: 'native',
    });
    const browser = service.browser();
    const login = await browser.follow(
      await browser.get(authorizeUrl(native, { redirect_uri: 'http://127.0.0.1:5000/cb' })),
    );
    expect(login.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:5000;",
    );
  });
});

describe('the sign-in page', () => {
  test('It offers a passkey after a divider, shows the password on request, and cancels by a link.', async () => {
    const { text } = await loginPage(service.browser());
    const order = ['id="username"', 'id="password"', 'value="sign-in"', 'class="or"', 'value="cancel"'];
    const places = order.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain('<button type="button" hidden data-shows="password"');
    expect(text).toMatch(/<button type="submit" form="sign-in" name="action" value="cancel" class="link"/);
  });

  test('A rejected sign-in has one alert, which names neither field.', async () => {
    const browser = service.browser();
    const { text, status } = await browser.submit(await loginPage(browser), {
      username: 'alice',
      password: 'wrong',
      action: 'sign-in',
    });
    expect(status).toBe(401);
    expect(text.match(/role="alert"/g)).toHaveLength(1);
    expect(text.match(/User name or password is incorrect\./g)).toHaveLength(1);
    expect(text).not.toContain('aria-invalid="true"');
  });

  test('A bookmark of the sign-in page leads to the account page, which begins a sign-in.', async () => {
    const browser = service.browser();
    const answer = await browser.get(`/t/${tenant}/login`);
    expect([answer.status, answer.location]).toEqual([303, `/t/${tenant}/account`]);
    expect((await browser.follow(answer)).text).toContain('name="password"');
  });
});

describe('the consent page', () => {
  const consentFor = async (scope: string) => {
    const browser = service.browser();
    const page = await browser.follow(await browser.get(authorizeUrl(client, { scope })));
    return browser.follow(await browser.submit(page, { username: 'alice', password, action: 'sign-in' }));
  };

  test('Signing in is not listed as a permission, but is part of the consent.', async () => {
    const page = await consentFor('openid email');
    expect(page.text).not.toContain(words.scopes.openid);
    expect(page.text).toContain(words.scopes.email);
    expect(hiddenFields(page).scope).toBe('openid email');
  });

  test('Scopes of the API are listed under the name of the tenant.', async () => {
    const asking = await service.client({ scope: 'openid email users:read' });
    await service.internal('POST', `/tenants/${tenant}/roles`, {
      subject: (await service.person('consenting-admin')).id,
      role: 'tenant_admin',
    });
    const browser = service.browser();
    const page = await browser.follow(
      await browser.get(authorizeUrl(asking, { scope: 'openid email users:read' })),
    );
    const { text } = await browser.follow(
      await browser.submit(page, { username: 'consenting-admin', password, action: 'sign-in' }),
    );
    const [before = '', after = ''] = text.split('id="asked-of-api"');
    expect(before).toContain(words.scopes.email);
    expect(after).toContain(words.scopes['users:read']);
    expect(before).not.toContain(words.scopes['users:read']);
  });
});

test('An unknown address of a tenant is a page for browsers and JSON for other clients.', async () => {
  const path = `${service.origin}/t/${tenant}/no-such-page`;
  const page = await fetch(path, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<html lang="de">');
  const other = await fetch(path, { headers: { accept: 'application/json' } });
  expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })]);
});

test('The page after signing out offers a sign-in.', async () => {
  const { text } = await service.browser().get(`/t/${tenant}/signed-out`);
  expect(text).toContain(`<a class="button quiet" href="/t/${tenant}/account">`);
});

test('Cookies are bound to the host, to https and to same-site use.', async () => {
  const browser = service.browser();
  const login = await loginPage(browser);
  const answer = await browser.submit(login, { username: 'alice', password });
  const cookie =
    answer.headers.getSetCookie().find((text) => text.startsWith(`__Host-ostiary-${tenant}=`)) ?? '';
  expect(cookie).toMatch(
    /^__Host-ostiary-demo=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
  );
});

describe('a forged form', () => {
  test('A form without a CSRF token or with a wrong one is rejected.', async () => {
    const browser = service.browser();
    const login = await loginPage(browser);
    const { csrf: _csrf, ...rest } = hiddenFields(login);
    const without = await browser.post(`/t/${tenant}/login`, { ...rest, username: 'alice', password });
    const wrong = await browser.submit(login, { csrf: 'x'.repeat(43), username: 'alice', password });
    const crossSite = await browser.post(
      `/t/${tenant}/login`,
      { ...hiddenFields(login), username: 'alice', password },
      { 'sec-fetch-site': 'cross-site' },
    );
    for (const answer of [without, wrong, crossSite]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie().join()).not.toContain(`__Host-ostiary-${tenant}=`);
    }
  });

  test('A form with the token or the page of another browser is rejected.', async () => {
    const mine = service.browser();
    const theirs = service.browser();
    const myPage = await loginPage(mine);
    const theirPage = await loginPage(theirs);
    const mixed = await mine.submit(myPage, {
      csrf: hiddenFields(theirPage).csrf ?? '',
      username: 'alice',
      password,
    });
    expect(mixed.status).toBe(403);
    const carried = await theirs.submit(myPage, { username: 'alice', password });
    expect(carried.status).toBe(403);
    expect((await theirs.get(`/t/${tenant}/login?i=${hiddenFields(myPage).i}`)).status).toBe(403);
  });

  test('A forged form does not sign the user out.', async () => {
    const browser = service.browser();
    await signIn(browser, client, 'alice');
    const answer = await browser.post(`/t/${tenant}/logout`, { csrf: 'x'.repeat(43), action: 'sign-out' });
    expect(answer.status).toBe(403);
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('consent_required');
  });
});

describe('single use of an interaction', () => {
  test('Twenty parallel answers to one consent give one code and the same answer.', async () => {
    const browser = service.browser();
    const consent = await signIn(browser, client, 'alice');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.submit(consent, { action: 'allow' })),
    );
    const locations = new Set(answers.map((answer) => answer.location));
    expect(locations.size).toBe(1);
    const [location = ''] = locations;
    expect((await redeem(service, client, new URL(location))).status).toBe(200);
  });

  test('A second click receives the first answer, and another browser receives nothing.', async () => {
    const browser = service.browser();
    const consent = await signIn(browser, client, 'alice', { fields: { prompt: 'consent' } });
    const first = await browser.submit(consent, { action: 'deny' });
    const second = await browser.submit(consent, { action: 'allow' });
    expect(second.location).toBe(first.location);
    expect(second.location).toContain('error=access_denied');
    const stranger = service.browser();
    await loginPage(stranger);
    const stolen = await stranger.submit(consent, { action: 'allow' });
    expect([stolen.status, stolen.location]).toEqual([403, undefined]);
    const keys = await service.deps.redis.keys(`${service.deps.env.REDIS_PREFIX}:auth:interaction:*:outcome`);
    for (const key of keys) expect(await service.deps.redis.get(key)).not.toContain('app.example');
  });

  test('A page of an expired interaction reports that it is no longer valid.', async () => {
    const other = await service.client({ require_consent: false });
    const browser = service.browser();
    const login = await browser.follow(await browser.get(authorizeUrl(other)));
    await browser.submit(login, { username: 'alice', password });
    for (const key of await service.deps.redis.keys(`${service.deps.env.REDIS_PREFIX}:auth:interaction:*`)) {
      await service.deps.redis.del(key);
    }
    const again = await browser.submit(login, { username: 'alice', password });
    expect(again.status).toBe(400);
    expect(again.text).toContain('no longer valid');
  });

  test('Redis contains neither the id of the interaction nor the secret of the browser.', async () => {
    const browser = service.browser();
    const login = await loginPage(browser);
    const prefix = service.deps.env.REDIS_PREFIX;
    const keys = await service.deps.redis.keys(`${prefix}:auth:*`);
    const interactions = keys.filter((key) => key.includes('interaction'));
    const values = await Promise.all(interactions.map((key) => service.deps.redis.get(key)));
    const all = [...keys, ...values].join();
    expect(all).not.toContain(hiddenFields(login).i);
    for (const value of browser.cookies.values()) expect(all).not.toContain(value);
  });

  test('A user cannot consent to more scopes than the page has shown.', async () => {
    const asking = await service.client();
    const browser = service.browser();
    const consent = await signIn(browser, asking, 'alice', { fields: { scope: 'openid profile email' } });
    const answer = await browser.submit(consent, {
      action: 'allow',
      scope: 'openid email users:read offline_access',
    });
    const tokens = await redeem(service, asking, new URL(answer.location ?? ''));
    expect(tokens.body.scope).toBe('openid email');
  });
});

test('Bad requests to the pages are answered with error pages and never with 500.', async () => {
  const browser = service.browser();
  const login = await loginPage(browser);
  const answers = [
    await browser.get(`/t/${tenant}/login?i=nonsense`),
    await browser.get(`/t/${tenant}/consent?i=${'A'.repeat(43)}`),
    await browser.get(`/t/${tenant}/logout?state=%ff`),
    await browser.post(`/t/${tenant}/login`, '%%%'),
    await browser.post(`/t/${tenant}/login`, 'a=1', { 'content-type': 'application/json' }),
    await browser.post(`/t/${tenant}/authorize`, '{}', { 'content-type': 'application/json' }),
    await browser.post(`/t/${tenant}/consent`, { ...hiddenFields(login), action: 'dance' }),
    await browser.submit(login, { username: 'x'.repeat(2_000), password: 'y', action: 'sign-in' }),
    await browser.submit(login, { username: 'alice', password: 'y'.repeat(2_000), action: 'sign-in' }),
  ];
  for (const answer of answers) {
    expect([answer.url, answer.status >= 400 && answer.status < 500]).toEqual([answer.url, true]);
    expect(answer.headers.get('content-type')).toContain('text/html');
  }
});
