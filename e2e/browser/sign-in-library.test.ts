import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { codeBlocksOf } from '../start/code-blocks.ts';
import { adaptedTo, folderWith, hired, offboarded, registeredBy } from '../start/sign-in-app.ts';
import { runningDemo } from '../support/demo.ts';
import { chromiumPath, launchChromium, newContext } from './chromium.ts';
import { fillSignIn } from './tour.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;
const blocks = codeBlocksOf('guides/add-sign-in-to-clients.md');
const codeOf = (language: string, part: string): string =>
  blocks.find((block) => block.language === language && block.text.includes(part))?.text ?? '';

const html = `<!doctype html><title>Dashboard</title><p id="user"></p>
<button id="sign-in">Sign in</button><button id="sign-out">Sign out</button><button id="load">Load</button>
<script type="module" src="/app.js"></script>`;

describeInBrowser('a single-page app with oidc-client-ts', () => {
  const demo = runningDemo();
  const { demo: tenant, rival } = demo.tenants;
  let browser: Browser;
  let server: Server;
  let origin: string;
  const contexts: BrowserContext[] = [];

  /** Bundles the module of the guide as a bundler of single-page apps does. */
  async function bundled(clientId: string): Promise<string> {
    const folder = await folderWith(['oidc-client-ts']);
    try {
      await writeFile(join(folder, 'app.js'), adaptedTo(codeOf('js', 'oidc-client-ts'), demo, origin));
      const { outputFiles } = await build({
        entryPoints: [join(folder, 'app.js')],
        bundle: true,
        write: false,
        format: 'esm',
        define: { 'import.meta.env.CLIENT_ID': JSON.stringify(clientId) },
      });
      return outputFiles[0]?.text ?? '';
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Waits until the token endpoint has received the origin of the app, which takes a moment. */
  async function isAllowed(): Promise<void> {
    const headers = { origin, 'access-control-request-method': 'POST' };
    await eventually(
      async () =>
        (await fetch(`${tenant.issuer}/token`, { method: 'OPTIONS', headers })).headers.get(
          'access-control-allow-origin',
        ),
      (allowed) => allowed === origin,
    );
  }

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const mutation = adaptedTo(codeOf('graphql', 'SINGLE_PAGE'), demo, origin);
    const script = await bundled((await registeredBy(demo, tenant, mutation)).id);
    server = createServer(({ url }, response) => {
      const isScript = url === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : html);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    browser = await launchChromium();
    await isAllowed();
  });

  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    server?.close();
  });

  const shown = (page: Page, text: string): Promise<void> =>
    page.locator('#user', { hasText: text }).waitFor();
  const tokenOf = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const [stored = '{}'] = Object.keys(sessionStorage)
        .filter((key) => key.startsWith('oidc.user:'))
        .map((key) => sessionStorage.getItem(key) ?? '{}');
      return (JSON.parse(stored) as { access_token?: string }).access_token ?? '';
    });

  /** Signs a user in, in a browser whose clock the test advances. */
  async function signedIn(user: { userName: string; password: string }): Promise<Page> {
    const context = await newContext(browser);
    contexts.push(context);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(origin);
    await shown(page, 'Signed out');
    await page.locator('#sign-in').click();
    await fillSignIn(page, user.userName, user.password);
    await page.locator('button[value=allow]').click();
    await shown(page, user.userName);
    return page;
  }

  test('A user signs in, stays signed in after a reload, signs out, and is asked for the password again.', async () => {
    const page = await signedIn(await hired(tenant));
    expect(page.url()).toBe(`${origin}/`);
    const token = await tokenOf(page);
    await page.reload();
    await page.locator('#user', { hasNotText: 'Signed out' }).waitFor();
    expect(await tokenOf(page)).toBe(token);
    await page.locator('#sign-out').click();
    await page.waitForURL(`${origin}/`);
    await shown(page, 'Signed out');
    await page.locator('#sign-in').click();
    await page.locator('#password').waitFor();
  });

  test('Tokens are renewed before they expire, and an offboarded user is signed out by the next renewal.', async () => {
    const user = await hired(tenant);
    const page = await signedIn(user);
    const token = await tokenOf(page);
    await page.clock.fastForward('09:30');
    await eventually(async () => ![token, ''].includes(await tokenOf(page)));
    await shown(page, user.userName);
    await offboarded(tenant, user);
    // The library can set its timer after it has stored the token.
    await eventually(async () => {
      await page.clock.fastForward('09:30');
      return (await page.locator('#user').textContent()) === 'Signed out';
    });
    expect(await tokenOf(page)).toBe('');
  });

  test('A request after an offboarding is rejected and signs the user out.', async () => {
    const user = await hired(tenant);
    const page = await signedIn(user);
    await page.locator('#load').click();
    await shown(page, user.userName);
    await offboarded(tenant, user);
    await eventually(async () => {
      await page.locator('#load').click();
      return (await page.locator('#user').textContent()) === 'Signed out';
    });
  });

  test('A user of another tenant cannot sign in to the app.', async () => {
    const context = await newContext(browser);
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(origin);
    await page.locator('#sign-in').click();
    const stranger = await hired(rival);
    await fillSignIn(page, stranger.userName, stranger.password);
    await page.getByText('User name or password is incorrect').waitFor();
    expect(page.url().startsWith(tenant.issuer)).toBe(true);
  });
});
