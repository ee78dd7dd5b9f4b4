import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Request } from 'playwright-core';
import { chromiumPath, launchChromium, newContext, why } from '../browser/chromium.ts';
import { runningDemo } from '../support/demo.ts';
import { openConsole, signIn } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Script that returns names and values of all stores of the page. */
const everythingKept = `(async () => JSON.stringify([
  Object.entries(localStorage), Object.entries(sessionStorage), await indexedDB.databases(), await caches.keys(), document.cookie,
]))()`;

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
