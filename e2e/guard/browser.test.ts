import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import type { Browser, Page } from 'playwright-core';
import { App, freePort, programOf, RealProxy } from '../../services/guard/test/support/proxies.ts';
import { chromiumPath, launchChromium, newContext } from '../browser/chromium.ts';
import { fillSignIn } from '../browser/tour.ts';
import { runningDemo } from '../support/demo.ts';
import type { GuardProcess } from './guard-process.ts';
import { WebApp } from './web-app.ts';

const isRun = chromiumPath !== undefined && programOf('caddy') !== undefined;
if (programOf('caddy') === undefined) recordSkip('CADDY_PATH names no caddy (apt: caddy)');

const describeInBrowser = isRun ? describe : describe.skip;

describeInBrowser('Chromium at a web app behind Caddy and the guard', () => {
  const demo = runningDemo();
  let browser: Browser;
  let app: App;
  let guard: GuardProcess;
  let proxy: RealProxy;
  let webApp: WebApp;

  beforeAll(async () => {
    const port = await freePort();
    // Browsers resolve this name to the loopback address (RFC 6761 §6.3).
    const host = `orders.localhost:${port}`;
    webApp = await new WebApp(demo, demo.tenants.demo, `https://${host}`).register();
    app = await App.start();
    guard = await webApp.guarded({ proxy: 'caddy' });
    proxy = await RealProxy.start('caddy', { proxy: port, guard: guard.port, app: app.port }, (text) =>
      text
        .replace('admin off', 'admin off\n  skip_install_trust\n  auto_https disable_redirects')
        .replace(`http://orders.example:${port} {`, `https://${host} {\n  tls internal`),
    );
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await guard?.stop();
    await app?.stop();
  });

  const textOf = (page: Page): Promise<string | null> => page.locator('body').textContent();

  test('A user signs in, sends a form, signs out, and is asked to sign in again; another site cannot send a form.', async () => {
    const user = await webApp.hire();
    const context = await newContext(browser, { ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`${webApp.origin}/orders/7?x=1`);
    await fillSignIn(page, user.userName, user.password);
    await page.waitForURL(`${webApp.origin}/orders/7?x=1`);
    expect(await textOf(page)).toBe('app');
    const cookies = (await context.cookies(webApp.origin)).filter(({ name }) =>
      name.startsWith('__Host-ostiary-'),
    );
    expect(cookies).toMatchObject([
      { name: '__Host-ostiary-session', secure: true, httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    const headers = app.received.find(({ url }) => url === '/orders/7?x=1')?.headers;
    expect([headers?.['x-ostiary-subject'], headers?.cookie ?? '']).toEqual([user.id, '']);

    const posted = () => app.received.filter(({ method }) => method === 'POST').length;
    const statusOf = (origin: Page) =>
      origin.evaluate(
        (address) =>
          fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors' }).then(() => 'sent'),
        `${webApp.origin}/orders`,
      );
    expect([await statusOf(page), posted()]).toEqual(['sent', 1]);
    const other = await context.newPage();
    await other.setContent(
      `<form method="post" action="${webApp.origin}/orders"><button>Send</button></form>`,
    );
    await Promise.all([other.waitForURL(`${webApp.origin}/orders`), other.locator('button').click()]);
    expect([(await textOf(other))?.includes('unauthorized'), posted()]).toEqual([true, 1]);

    await page.goto(`${webApp.origin}/.ostiary/sign-out`);
    await page.locator('#password').waitFor();
    await context.close();
  });

  test('Another tab uses the session, and an offboarding ends it.', async () => {
    const user = await webApp.hire();
    const context = await newContext(browser, { ignoreHTTPSErrors: true });
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(`${webApp.origin}/orders/1`);
    await fillSignIn(first, user.userName, user.password);
    await first.waitForURL(`${webApp.origin}/orders/1`);
    await second.goto(`${webApp.origin}/orders/2`);
    expect(await textOf(second)).toBe('app');
    await webApp.offboard(user.id);
    await eventually(async () => {
      await second.goto(`${webApp.origin}/orders`);
      return (await second.locator('#password').count()) > 0;
    });
    await context.close();
  });
});
