import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, newContext, why } from '../browser/chromium.ts';
import { authorizeAddress, fillSignIn } from '../browser/tour.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { openConsole } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('the sign-ins of a user in the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  const user = { userName: unique('signs-in'), password: 'nine patient herons on the pier' };
  let browser: Browser;
  let id = '';

  beforeAll(async () => {
    browser = await launchChromium();
    const { tenants } = here();
    ({ id } = await new ScimClient(tenants.demo, tenants.demo.clients.scim.token).createUser({
      ...user,
      displayName: user.userName,
    }));
  });
  afterAll(() => browser?.close());
  const here = () => {
    if (demo === undefined) throw new Error(why);
    return demo;
  };

  /** Signs in to an app with a wrong password and then with the right one. */
  async function signInTwice(): Promise<void> {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(authorizeAddress(here().tenants.demo, { prompt: 'login consent' }));
    await fillSignIn(page, user.userName, 'not the password');
    await page.getByRole('alert').waitFor();
    await fillSignIn(page, user.userName, user.password);
    await page.waitForURL('**/consent?**');
    await context.close();
  }

  test('An administrator sees successful and failed sign-ins of a user as they happen, with the reason, the factor and the app.', async () => {
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `users/${id}?tab=signIns`,
    });
    await page.getByText('No sign-in attempts').waitFor();
    await signInTwice();
    const rows = page.getByRole('grid', { name: 'Sign-ins' }).getByRole('row');
    const success = rows.filter({ hasText: 'Signed in' });
    const failure = rows.filter({ hasText: 'Failed' });
    // A row has no size of its own; its cells have.
    await success.getByText('Signed in').waitFor();
    await failure.getByText('Failed', { exact: true }).waitFor();
    const clientId = here().tenants.demo.clients.web.client_id;
    expect(await success.textContent()).toContain('password');
    expect(await success.textContent()).toContain(clientId);
    expect(await failure.textContent()).toContain('Password is incorrect');
    expect(await failure.textContent()).toContain(clientId);
    // Newest first: the attempt with the right password was the second.
    expect(await rows.filter({ hasText: clientId }).first().textContent()).toContain('Signed in');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('The overview shows sign-ins by hour, and its address keeps this choice.', async () => {
    await signInTwice();
    const byHour = 'By hour';
    const { page, context, complaints } = await openConsole(browser, here());
    await page.getByRole('button', { name: byHour }).click();
    await page.waitForURL((url) => url.searchParams.get('signIns') === 'hours');
    await page.reload();
    const card = page.locator('section.card').filter({ hasText: 'Sign-ins by hour' });
    await card.getByText(/in 48 hours: [1-9]/).waitFor();
    await card.getByText('Show as table').click();
    expect(await card.getByRole('row').count()).toBe(1 + 48);
    await card.getByRole('button', { name: 'By day' }).click();
    await page.getByText(/in 30 days: [1-9]/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An administrator of another tenant sees neither the user nor the sign-ins.', async () => {
    const { page, context } = await openConsole(browser, here(), {
      tenant: 'rival',
      path: `users/${id}?tab=signIns`,
    });
    await page.getByText('User not found').waitFor();
    const shown = (await page.locator('main').textContent()) ?? '';
    for (const secret of [user.userName, 'Signed in', 'Password is incorrect']) {
      expect(shown).not.toContain(secret);
    }
    await context.close();
  });
});
