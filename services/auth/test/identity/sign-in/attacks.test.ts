import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { type Answer, type Browser, hiddenFields } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import {
  accountPath,
  addPasskey,
  moved,
  openAccount,
  setUpApp,
  startTwin,
} from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  rival,
  selfService,
  signIn,
  signInAndAllow,
  tenant,
} from '../../support/sign-in/service.ts';

setUpOneClient();

const sessionCookie = `__Host-ostiary-${tenant}`;
const chosen = 'quiet rivers run under stone';

/** Returns an invited user whose only credential is a passkey. */
async function withPasskeyOnly(
  userName: string,
): Promise<{ browser: Browser; authenticator: Authenticator }> {
  const { id } = service.directory.addUser(tenant, userName);
  const { body } = await service.internal('POST', `/tenants/${tenant}/invitations`, { subject: id });
  const { pathname, search } = new URL(String(body.url));
  const browser = service.browser();
  const page = await browser.get(pathname + search);
  const authenticator = new Authenticator();
  const credential = authenticator.create(passkeyOptions(page));
  expect((await browser.post(pathname, { ...hiddenFields(page), credential })).status).toBe(303);
  return { browser, authenticator };
}

/** Returns the forms of a page whose action has this ending, with their hidden fields. */
function formOf(page: Answer, end: string): { action: string; fields: Record<string, string> }[] {
  return [...page.text.matchAll(/<form[^>]* action="([^"]+)"[^>]*>(.*?)<\/form>/gs)]
    .filter((match) => match[1]?.endsWith(end))
    .map((match) => ({
      action: match[1] ?? '',
      fields: hiddenFields({ ...page, text: match[2] ?? '' }),
    }));
}

describe('a stolen copy of the session’s cookie', () => {
  test('A stolen copy of the session cookie is rejected after the password was changed.', async () => {
    await service.person('thief-victim');
    const browser = service.browser();
    const page = await openAccount(browser, 'thief-victim', '/password');
    const thief = browser.clone();
    expect((await thief.get(accountPath)).status).toBe(200);
    const fields = { present: password, password: chosen, repeated: chosen };
    expect((await browser.submit(page, fields)).status).toBe(303);
    expect((await browser.get(accountPath)).status).toBe(200);
    expect((await thief.get(accountPath)).status).toBe(303);
  });

  test('A stolen copy of the session cookie is rejected after a second factor was set up.', async () => {
    await service.person('thief-app');
    const browser = service.browser();
    await openAccount(browser, 'thief-app');
    const thief = browser.clone();
    await setUpApp(service, browser, 'thief-app');
    expect((await browser.get(accountPath)).status).toBe(200);
    expect((await thief.get(accountPath)).status).toBe(303);
  });
});

describe('the only credential', () => {
  test('The last two passkeys of a user cannot both be removed simultaneously, in two processes.', async () => {
    const { browser } = await withPasskeyOnly('two-keys');
    await addPasskey(browser, 'two-keys', new Authenticator());
    const twin = await startTwin(service);
    try {
      const page = await browser.get(accountPath);
      const forms = formOf(page, '/passkeys/remove');
      expect(forms).toHaveLength(2);
      await Promise.all(
        forms.map(({ action, fields }, n) =>
          (n === 0 ? browser : moved(browser, twin.origin)).post(action, fields),
        ),
      );
      expect(formOf(await browser.get(accountPath), '/passkeys/remove')).toHaveLength(1);
    } finally {
      await twin.stop();
    }
  });
});

describe('a correct password without the second factor', () => {
  async function pending(userName: string): Promise<{ browser: Browser; page: Answer; i: string }> {
    await service.person(userName);
    await setUpApp(service, service.browser(), userName);
    const browser = service.browser();
    const page = await signIn(browser, client, userName);
    expect(page.url).toContain('/login/verify');
    return { browser, page, i: hiddenFields(page).i ?? '' };
  }

  test('A correct password without the second factor gives no access when the step is skipped.', async () => {
    const { browser, i } = await pending('skipper');
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    for (const path of ['/consent', '/select-account']) {
      const answer = await browser.get(`/t/${tenant}${path}?i=${i}`);
      expect([path, answer.location]).toEqual([path, `/t/${tenant}/login?i=${i}`]);
    }
    expect((await browser.get(accountPath)).location).toContain('/login?i=');
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(silent.location).toContain('error=login_required');
  });

  test('A correct password without the second factor gives no access when another form is answered.', async () => {
    const { browser, page } = await pending('confuser');
    const fields = hiddenFields(page);
    for (const [path, more] of [
      ['/consent', { action: 'allow', scope: 'openid profile' }],
      ['/select-account', { action: 'continue' }],
      ['/login/passkey', { credential: '{}' }],
      ['/login/verify', { code: '', action: 'continue' }],
      ['/login/verify', { credential: 'null' }],
    ] as [string, Record<string, string>][]) {
      const answer = await browser.post(`/t/${tenant}${path}`, { ...fields, ...more });
      expect([path, answer.location?.includes('code=') ?? false]).toEqual([path, false]);
      expect(browser.cookies.has(sessionCookie)).toBe(false);
    }
  });

  test('A pending second step of one user does not carry over to another user who signs in in the meantime.', async () => {
    const { browser, page } = await pending('first-person');
    const other = await service.person('second-person');
    const login = await browser.get(`/t/${tenant}/login?i=${hiddenFields(page).i}`);
    const done = await browser.submit(login, { username: 'second-person', password, action: 'sign-in' });
    const { body } = await redeem(service, client, new URL(done.location ?? ''));
    const claims = JSON.parse(Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: other.id, acr: 'urn:ostiary:acr:1fa' });
  });
});

describe('text from users, apps and administrators', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`;

  function expectHarmless(page: Answer): void {
    expect(page.status).toBeLessThan(500);
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).not.toContain('<img src=x');
    const scripts = [...page.text.matchAll(/<script/g)];
    expect(scripts.length).toBeLessThanOrEqual(1);
  }

  test('Text from users, apps and administrators is shown as text on every page that contains it.', async () => {
    const app = await service.client({ client_name: evil });
    const person = await service.person('xss');
    await service.deps.database.sql.query(
      `UPDATE auth.subjects SET profile = profile || jsonb_build_object('displayName', $2::text, 'zoneinfo', $2::text) WHERE id = $1`,
      [person.id, evil],
    );
    const browser = service.browser();
    const headers = { 'user-agent': evil, 'accept-language': evil };
    const pages: Answer[] = [];
    const hinted = await browser.follow(
      await browser.get(authorizeUrl(app, { login_hint: evil, ui_locales: evil }), headers),
    );
    pages.push(hinted);
    const consent = await browser.follow(
      await browser.post(
        `/t/${tenant}/login`,
        { ...hiddenFields(hinted), username: 'xss', password, action: 'sign-in' },
        headers,
      ),
    );
    pages.push(consent);
    await browser.submit(consent, { action: 'allow' });
    const scope = new URLSearchParams([['name', evil.slice(0, 90)]]);
    for (const form of formOf(await browser.get(`${accountPath}/tokens`), '/account/tokens')) {
      const body = new URLSearchParams({ ...form.fields, name: evil.slice(0, 90), days: '7' });
      body.append('scope', 'openid');
      pages.push(await browser.follow(await browser.post(form.action, body.toString())));
      const wrong = new URLSearchParams({ ...form.fields, name: evil.slice(0, 90), days: evil });
      pages.push(await browser.post(form.action, `${wrong}&${scope}`));
    }
    const authenticator = new Authenticator();
    const keys = await browser.get(`${accountPath}/passkeys`);
    const credential = authenticator.create(passkeyOptions(keys));
    pages.push(await browser.follow(await browser.submit(keys, { credential, name: evil })));
    for (const path of ['', '/password', '/totp', '/passkeys', '/recovery-codes', '/tokens']) {
      pages.push(await browser.get(`${accountPath}${path}`, headers));
    }
    pages.push(await browser.get(authorizeUrl(app, { prompt: 'select_account' })));
    pages.push(await browser.follow(await browser.get(authorizeUrl(app, { prompt: 'select_account' }))));
    pages.push(await browser.get(`/t/${tenant}/logout`));
    pages.push(await browser.get(`/t/${tenant}/device?user_code=${encodeURIComponent(evil)}`));
    pages.push(await browser.get(`/t/${tenant}/device/done?error=${encodeURIComponent(evil)}`));
    pages.push(await browser.get(`/t/${tenant}/signed-out?stayed=${encodeURIComponent(evil)}`));
    pages.push(await browser.get(`/t/${tenant}/invitation?token=${encodeURIComponent(evil)}`));
    for (const page of pages) expectHarmless(page);
    const account = pages.find(({ url, text }) => url === accountPath && text.includes('alert(1)'));
    expect(account?.text).toContain('&#60;script&#62;alert(1)');
  });

  test('Parameters that name another address do not redirect the user to it.', async () => {
    await service.person('led-astray');
    for (const name of ['next', 'returnTo', 'return_to', 'redirect', 'url', 'continue']) {
      const browser = service.browser();
      const page = await browser.follow(await browser.get(`${accountPath}?${name}=https://evil.example/`));
      const done = await browser.submit(page, {
        username: 'led-astray',
        password,
        action: 'sign-in',
        [name]: 'https://evil.example/',
      });
      expect([name, done.status, done.location]).toEqual([name, 303, accountPath]);
    }
  });
});

describe('the rival tenant’s session', () => {
  test('A session of the rival tenant gives no access at this tenant, under any cookie name.', async () => {
    const foreign = await service.client({ require_consent: false }, rival);
    await service.person('crosser', { tenant: rival });
    const browser = service.browser();
    await signIn(browser, foreign, 'crosser');
    const value = browser.cookies.get(`__Host-ostiary-${rival}`) ?? '';
    expect(value).not.toBe('');
    browser.cookies.set(sessionCookie, value);
    expect((await browser.get(accountPath)).location).toContain('/login?i=');
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(silent.location).toContain('error=login_required');
  });
});

describe('an invitation of a user who is given a role later', () => {
  test('An invitation ends when its user is given a role, so that a caller who invites gains no administrator rights.', async () => {
    const { id } = service.directory.addUser(tenant, 'later-boss');
    const { body } = await service.internal('POST', `/tenants/${tenant}/invitations`, { subject: id });
    const { pathname, search } = new URL(String(body.url));
    const browser = service.browser();
    expect((await browser.get(pathname + search)).status).toBe(200);
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: id, role: 'tenant_admin' });
    expect((await browser.get(pathname + search)).status).toBe(410);
  });
});

describe('guesses at the sign-in page', () => {
  /** Too long to be hashed, but counted. */
  const wrong = 'x'.repeat(1_025);
  const hosts = (network: string): string =>
    `${network}:${(randomBytes(8).toString('hex').match(/..../g) ?? []).join(':')}`;

  test('Guesses from the addresses of one IPv6 /64 count as one source, and an adjacent /64 is not delayed.', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}:7`;
    const browser = service.browser();
    const page = await browser.follow(await browser.get(authorizeUrl(client)));
    const guess = (n: number, address: string) =>
      browser.post(
        `/t/${tenant}/login`,
        { ...hiddenFields(page), username: `v6-${network}-${n}`, password: wrong, action: 'sign-in' },
        { 'x-forwarded-for': address },
      );
    const answers = await Promise.all(Array.from({ length: 320 }, (_, n) => guess(n, hosts(network))));
    const counts = (status: number): number => answers.filter((answer) => answer.status === status).length;
    // On a slow machine more than the first delay passes.
    expect(counts(401) + counts(429)).toBe(320);
    expect(counts(401)).toBeGreaterThanOrEqual(300);
    expect(counts(429)).toBeGreaterThanOrEqual(10);
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(
      0,
    );
    expect((await guess(1_000, hosts(`${network.slice(0, -1)}8`))).status).toBe(401);
  });
});

describe('unfinished sign-ins', () => {
  const keys = async (pattern: string): Promise<string[]> => {
    const { redis, env } = service.deps;
    return redis.keys(`${env.REDIS_PREFIX}:auth:${pattern}`);
  };

  test('Unfinished sign-ins are bounded for each network, because each takes memory; those that end are not counted.', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const before = await keys('interaction:*');
    const attempts = new Set(await keys('attempts:opened:*'));
    await service.person('begins-and-ends');
    const browser = service.browser();
    const page = await browser.follow(await browser.get(accountPath, from));
    const [counter = ''] = (await keys('attempts:opened:*')).filter((key) => !attempts.has(key));
    expect(await service.deps.redis.hget(counter, 'count')).toBe('1');
    const fields = { ...hiddenFields(page), username: 'begins-and-ends', password, action: 'sign-in' };
    expect((await browser.post(`/t/${tenant}/login`, fields, from)).location).toBe(accountPath);
    await eventually(async () => (await service.deps.redis.exists(counter)) === 0);

    // Simulates 4,998 recent interactions.
    await service.browser().get(accountPath, from);
    await service.deps.redis.hset(counter, 'count', 4_998);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        service.browser().get(n % 2 === 0 ? accountPath : authorizeUrl(client), from),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.text).toContain('<h1>');
    const left = (await keys('interaction:*')).filter(
      (key) => !before.includes(key) && !key.endsWith(':outcome'),
    );
    expect(left.length).toBe(1 + answers.length - refused.length);
    expect((await service.browser().get(accountPath, { 'x-forwarded-for': '198.51.100.8' })).status).toBe(
      303,
    );
  });
});

describe('an app whose consent is withdrawn', () => {
  test('An app whose consent is withdrawn keeps no personal access token that it created in the name of the user.', async () => {
    const app = await service.client({ scope: `openid profile ${selfService}` });
    await service.person('pat-maker');
    const browser = service.browser();
    const { body } = await redeem(service, app, await signInAndAllow(browser, app, 'pat-maker'));
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      body: JSON.stringify({
        query: 'mutation { createPersonalAccessToken(input: { name: "x" }) { token } }',
      }),
    });
    const { data } = (await response.json()) as { data: { createPersonalAccessToken: { token: string } } };
    const { token } = data.createPersonalAccessToken;
    const status = async () =>
      (
        await fetch(`${service.origin}/t/${tenant}/userinfo`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await status()).toBe(200);
    const [withdraw] = formOf(await browser.get(accountPath), '/apps/withdraw');
    expect((await browser.post(withdraw?.action ?? '', withdraw?.fields ?? {})).status).toBe(303);
    expect(await status()).toBe(401);
  });
});
