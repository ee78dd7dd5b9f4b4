import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitBoundMs } from '@ostiary/service/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { runningDemo } from '../support/demo.ts';
import { violations } from './axe.ts';
import { chromiumPath, launchChromium, newContext, why } from './chromium.ts';
import { accept, appCode, device, invited as invitedTo, linkFor, password } from './newcomer.ts';
import { fillSignIn } from './tour.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('second factors, the account and invitations in a browser', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  const tenant = () => {
    if (demo === undefined) throw new Error(why);
    return demo.tenants.demo;
  };
  const invited = () => invitedTo(demo ?? runningDemo());
  const account = (path = '') => `${tenant().issuer}/account${path}`;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  const open = async (o: Parameters<typeof newContext>[1] = {}): Promise<Page> => {
    const context = await newContext(browser, o);
    context.setDefaultTimeout(waitBoundMs);
    contexts.push(context);
    return context.newPage();
  };

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Waits until the app shows another code, because each code is accepted once. */
  async function nextCode(page: Page, secret: string, last: string): Promise<string> {
    while (appCode(secret) === last) await page.waitForTimeout(500);
    return appCode(secret);
  }

  async function signOut(page: Page): Promise<void> {
    await page.goto(`${tenant().issuer}/logout`);
    await page.locator('button[value=sign-out]').click();
    await page.waitForURL('**/signed-out');
  }

  test('Invitation, authenticator app, second step, recovery code and new password work without JavaScript.', async () => {
    const { userName, link } = await invited();
    const page = await open({ javaScriptEnabled: false });
    await accept(page, link);

    await page.locator('a[href$="/account/totp"]').click();
    const secret = (await page.locator('code.typed').textContent())?.replaceAll(' ', '') ?? '';
    const first = appCode(secret);
    await page.locator('#code').fill(first);
    await page.locator('main form button').click();
    await page.waitForURL('**/recovery-codes?**');
    const codes = await page.locator('.codes code').allTextContents();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('link', { name: 'I saved the codes' }).click();
    await page.getByText('10 left').waitFor();

    await signOut(page);
    await page.goto(account());
    await fillSignIn(page, userName, password);
    await page.waitForURL('**/login/verify?**');
    await page.locator('#code').fill('000000');
    await page.locator('button[value=continue]').click();
    await page.getByRole('alert').waitFor();
    await page.locator('#code').fill(await nextCode(page, secret, first));
    await page.locator('button[value=continue]').click();
    await page.waitForURL('**/account');

    await signOut(page);
    await page.goto(account());
    await fillSignIn(page, userName, password);
    await page.locator('#code').fill(codes[0] ?? '');
    await page.locator('button[value=continue]').click();
    await page.getByText('9 left').waitFor();

    await page.goto(account('/password'));
    await page.locator('#present').fill(password);
    await page.locator('#password').fill(`${password} again`);
    await page.locator('#repeated').fill(`${password} again`);
    await page.locator('main form button').click();
    await page.getByRole('status').waitFor();
  });

  test('A passkey is added, signs a user in alone and serves as the second step after a password.', async () => {
    const { userName, link } = await invited();
    const page = await open();
    const heard: string[] = [];
    page.on('pageerror', (error) => heard.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) heard.push(message.text());
    });
    const { touch } = await device(page);
    await page.goto(link);
    expect(await violations(page)).toEqual([]);
    await accept(page, link);
    await page.locator('a[href$="/account/passkeys"]').click();
    await page.locator('#name').fill('Work laptop');
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/recovery-codes?**');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'I saved the codes' }).click();
    await page.getByText('Work laptop').waitFor();
    expect(await violations(page)).toEqual([]);

    await signOut(page);
    await touch(false);
    await page.goto(account());
    await fillSignIn(page, userName, password);
    await page.waitForURL('**/login/verify?**');
    expect(await violations(page)).toEqual([]);
    await touch(true);
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/account');

    // With the button.
    await signOut(page);
    await touch(false);
    await page.goto(account());
    await page.locator('form.passkey button').waitFor();
    await touch(true);
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/account');

    // With the browser's autofill of the user name field.
    await signOut(page);
    await page.goto(account());
    await page.waitForURL('**/account');
    await page.getByText('Work laptop').waitFor();
    await page.goto(link);
    await page.getByText('no longer valid').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(heard).toEqual([]);
  });

  test('A user accepts an invitation with a passkey instead of a password.', async () => {
    const { link } = await invited();
    const page = await open();
    await device(page);
    await page.goto(link);
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/recovery-codes?**');
    await page.getByText('You have no password').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'I saved the codes' }).click();
    await page.getByText('Not set').waitFor();
    // The only credential cannot be removed.
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.waitForURL('**/account/password');
  });

  test('A user who loses their only passkey regains access by a recovery code and by an administrator’s link.', async () => {
    const { id, userName, link } = await invited();
    const page = await open();
    const lost = await device(page);
    await page.goto(link);
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/recovery-codes?**');
    const [code = ''] = await page.locator('.codes code').allTextContents();
    await signOut(page);
    await lost.lose();

    await page.goto(account());
    await page.getByRole('link', { name: 'Lost your passkey?' }).click();
    await page.locator('#username').fill(userName);
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/invitation?**');
    expect(await violations(page)).toEqual([]);
    const next = await device(page);
    await page.locator('form.passkey button').click();
    await page.waitForURL('**/recovery-codes?**');
    expect(await page.locator('.codes code').allTextContents()).not.toContain(code);
    await page.goto(account());
    await page.getByText('10 left').waitFor();

    await next.lose();
    const colleague = await open({ javaScriptEnabled: false });
    await colleague.goto(await linkFor(demo ?? runningDemo(), 'resetUserAccess', id));
    expect(await page.goto(account()).then(() => page.url())).toBe(account());
    await colleague.locator('#password').fill(password);
    await colleague.locator('#repeated').fill(password);
    await colleague.locator('main form:not(.passkey) button').click();
    await colleague.waitForURL('**/account');
    // The earlier session ended with the earlier passkey.
    await page.goto(account());
    await page.waitForURL('**/login?**');
    await fillSignIn(page, userName, password);
    await page.waitForURL('**/account');
  });

  test('A refusal by the device leaves the user on the page with a message about it.', async () => {
    const { link } = await invited();
    const page = await open();
    await device(page, { verifies: false });
    await page.goto(link);
    await page.locator('form.passkey button').click();
    await page.getByRole('status').filter({ hasText: 'No passkey was used' }).waitFor();
    await accept(page, link);
  });

  test('Without JavaScript, no passkey button is shown.', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(account());
    expect(await page.locator('form.passkey').isVisible()).toBe(false);
  });
});
