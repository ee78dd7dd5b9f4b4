import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser, Request } from 'playwright-core';
import { chromiumPath, launchChromium, newContext, why } from '../browser/chromium.ts';
import { runningDemo } from '../support/demo.ts';
import { openConsole, signIn } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Script that returns names and values of all stores of the page. */
const everythingKept = `(async () => JSON.stringify([
  Object.entries(localStorage), Object.entries(sessionStorage), await indexedDB.databases(), await caches.keys(), document.cookie,
]))()`;

/** Script that records each key pair that the page generates. */
const recordKeys = `(() => {
  const generate = crypto.subtle.generateKey;
  globalThis.generatedKeys = [];
  crypto.subtle.generateKey = async function (...given) {
    const pair = await generate.apply(this, given);
    globalThis.generatedKeys.push(pair);
    return pair;
  };
})()`;

/** Script that tries to export the private keys. */
const exportKeys = `Promise.all(generatedKeys.map(async ({ privateKey }) => ({
  isExtractable: privateKey.extractable,
  exported: await crypto.subtle.exportKey('jwk', privateKey).then(() => 'exported', ({ name }) => name),
})))`;

describeInBrowser('the session of the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  const here = () => {
    if (demo === undefined) throw new Error(why);
    return demo;
  };

  test('An administrator chooses a tenant, signs in and returns to the requested page, also after a reload.', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(`${here().origin}/console`);
    await page.getByLabel('Tenant').fill('demo');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, here().tenants.demo.users.admin);
    await page.waitForURL('**/console/t/demo');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Alice Archer' }).waitFor();
    await page.reload();
    await page.getByRole('rowheader', { name: 'Alice Archer' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/t/demo/users');
    await context.close();
  });

  test('The browser stores no token: no store contains a token that the console sends.', async () => {
    const sent: Request[] = [];
    const { page, context, complaints } = await openConsole(browser, here(), { path: 'users' });
    page.on('request', (request) => sent.push(request));
    await page.reload();
    await page.getByRole('rowheader', { name: 'Alice Archer' }).waitFor();
    const tokens = new Set(
      sent.flatMap((request) => /^DPoP (.+)$/.exec(request.headers().authorization ?? '')?.[1] ?? []),
    );
    expect(tokens.size).toBeGreaterThan(0);
    const kept = String(await page.evaluate(everythingKept));
    for (const token of tokens) expect(kept).not.toContain(token);
    expect(kept).not.toMatch(/refresh|access_token|eyJ/);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('The key of the access token cannot be exported from the page.', async () => {
    const context = await newContext(browser);
    await context.addInitScript(recordKeys);
    const page = await context.newPage();
    await page.goto(`${here().origin}/console/t/demo/users`);
    await signIn(page, here().tenants.demo.users.admin);
    await page.getByRole('rowheader', { name: 'Alice Archer' }).waitFor();
    expect(await page.evaluate(exportKeys)).toEqual([
      { isExtractable: false, exported: 'InvalidAccessError' },
    ]);
    await context.close();
  });

  test('The console renews an expiring access token with a refresh token, and uses each refresh token once.', async () => {
    const context = await newContext(browser);
    const renewals: { grant: string | null; refreshToken: string | null }[] = [];
    await context.route('**/t/demo/token', async (route, request) => {
      const response = await route.fetch();
      const parameters = new URLSearchParams(request.postData() ?? '');
      // The first proof has no nonce yet (RFC 9449 §8).
      if (!response.ok()) return route.fulfill({ response });
      renewals.push({
        grant: parameters.get('grant_type'),
        refreshToken: parameters.get('refresh_token'),
      });
      const json = await response.json();
      // The console renews a token 20 seconds before its expiry.
      if (renewals.length <= 2) json.expires_in = 20;
      return route.fulfill({ response, json });
    });
    const page = await context.newPage();
    const tokens = new Set<string>();
    page.on('request', (request) => {
      const { authorization } = request.headers();
      if (authorization !== undefined && request.url().endsWith('/graphql')) tokens.add(authorization);
    });
    await page.goto(`${here().origin}/console/t/demo/users`);
    await signIn(page, here().tenants.demo.users.admin);
    await page.getByRole('rowheader', { name: 'Alice Archer' }).waitFor();
    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
    await eventually(
      async () => renewals.map(({ grant }) => grant),
      (grants) => grants.length === 3,
    );
    expect(renewals.map(({ grant }) => grant)).toEqual([
      'authorization_code',
      'refresh_token',
      'refresh_token',
    ]);
    expect(new Set(renewals.map(({ refreshToken }) => refreshToken)).size).toBe(3);
    expect(tokens.size).toBeGreaterThan(0);
    expect(await page.getByText('Confirm it’s you').count()).toBe(0);
    await context.close();
  });

  test('The console requests operations by their ids and sends no text of an operation.', async () => {
    const { page, context } = await openConsole(browser, here());
    const sent: { method: string; body: Record<string, unknown> }[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname !== '/graphql') return;
      sent.push({ method: request.method(), body: JSON.parse(request.postData() ?? '{}') });
    });
    for (const link of ['Users', 'Groups', 'Logs', 'Overview']) {
      await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: link }).waitFor();
    }
    await page.getByText('live', { exact: true }).first().waitFor();
    expect(sent.length).toBeGreaterThan(4);
    for (const { method, body } of sent) {
      expect(method).toBe('POST');
      expect(body).not.toHaveProperty('query');
      expect(body).toMatchObject({ extensions: { persistedQuery: { sha256Hash: expect.any(String) } } });
    }
    await context.close();
  });

  test('Theme and language are kept after a reload; beside them, the browser keeps only scroll positions of the tab.', async () => {
    const { page, context, complaints } = await openConsole(browser, here());
    const bar = page.getByRole('banner');
    for (const theme of ['light', 'dark']) {
      await bar.getByRole('button', { name: 'Light or dark theme' }).click();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(theme);
    }
    await bar.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await page.evaluate('Object.entries(localStorage).sort()')).toEqual([
      ['ostiary-console.language', 'de'],
      ['ostiary-console.theme', 'dark'],
    ]);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([
      expect.stringContaining('scroll-restoration'),
    ]);
    // The theme of the system is the default, so it is not stored.
    await bar.getByRole('button', { name: 'Helles oder dunkles Design' }).click();
    expect(await page.evaluate('localStorage.getItem("ostiary-console.theme")')).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An access token of the console is rejected without a proof of possession of its key.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'users' });
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/graphql') && one.method() === 'POST'),
      page.reload(),
    ]);
    const { authorization = '', dpop = '' } = await request.allHeaders();
    expect(dpop).not.toBe('');
    const [, token = ''] = authorization.split(' ');
    const ask = async (headers: Record<string, string>) =>
      (
        await fetch(here().graphql, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query: '{ users(first: 1) { totalCount } }' }),
        })
      ).status;
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(401);
    expect(await ask({ authorization: `DPoP ${token}` })).toBe(401);
    // A proof is accepted once.
    expect(await ask({ authorization: `DPoP ${token}`, dpop })).toBe(401);
    await context.close();
  });

  test('Sign-out ends the session at the authorization server, and the page is not restored.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'users' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/console/t/'));
    await page.goto(`${here().origin}/console/t/demo/users`);
    await page.locator('input[type=password]').waitFor();
    await context.close();
  });

  test('A session of one tenant gives no access to another tenant.', async () => {
    const { page, context } = await openConsole(browser, here(), { path: 'users' });
    await page.goto(`${here().origin}/console/t/rival/users`);
    await page.locator('input[type=password]').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/t\/rival\//);
    await context.close();
  });

  test('A user of another tenant can’t open a user of this tenant by its address.', async () => {
    const own = await openConsole(browser, here(), { path: 'users?q=alice' });
    await own.page.getByRole('rowheader', { name: 'Alice Archer' }).click();
    await own.page.waitForURL('**/console/t/demo/users/*');
    const [, id = ''] = /users\/([^/?]+)/.exec(own.page.url()) ?? [];
    await own.context.close();
    const { page, context } = await openConsole(browser, here(), { tenant: 'rival', path: `users/${id}` });
    await page.getByText('User not found').first().waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/alice|Archer/i);
    await context.close();
  });

  test('A user without a role is not offered functions that the user may not use.', async () => {
    const { page, context } = await openConsole(browser, here(), { user: here().tenants.demo.users.alice });
    const navigation = page.getByRole('navigation');
    expect(await navigation.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
    await page.getByText('none of your roles').first().waitFor();
    await context.close();
  });

  test('An unsolicited authorization response signs no user in.', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    let redeemed = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/token')) redeemed += 1;
    });
    await page.goto(
      `${here().origin}/console/callback?code=stolen&state=guessed&iss=${here().origin}/t/demo`,
    );
    await page.getByText('You can close this window').waitFor();
    expect(redeemed).toBe(0);
    // The code is removed from the address bar, so that users cannot be tricked into copying it.
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });
});
