import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, waitBoundMs } from '@ostiary/service/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type DemoTenant, runningDemo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';
import { violations } from './axe.ts';
import {
  chromiumPath,
  launchChromium,
  newContext,
  type Screen,
  screens,
  type Theme,
  why,
} from './chromium.ts';
import { authorizeAddress, fillSignIn, type Stop, tour } from './tour.ts';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Records the browser's errors from now on: blocked styles, scripts and pictures, and failed scripts. */
function listen(page: Page, heard: string[]): void {
  page.on('console', (message) => {
    // A rejected sign-in returns 401, which the console reports.
    const expected = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !expected) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(String(error)));
}

/** Image of two pixels. */
const logo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DA0MAAAAcBAYCZKJN9AAAAAElFTkSuQmCC';

async function brand(tenant: DemoTenant, input: Record<string, unknown>): Promise<void> {
  const { errors } = await graph(
    runningDemo(),
    await adminToken(tenant),
    'mutation($input: UpdateTenantBrandingInput!) { updateTenantBranding(input: $input) { tenantBranding { color } } }',
    { input },
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}

/** Returns the target of a button. A field named `action` would shadow the form's own property. */
const actionOf = ({ form }: { form: { getAttribute(name: string): string | null } | null }): string =>
  form?.getAttribute('action') ?? '';

/** Serves a page of another site. */
async function site(html: string): Promise<{ origin: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

describeInBrowser('the pages in a browser', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  const stops = demo === undefined ? [] : tour(demo);
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const shared = new Map<string, BrowserContext>();

  const open = async (o: Parameters<typeof newContext>[1] = {}): Promise<BrowserContext> => {
    const context = await newContext(browser, o);
    context.setDefaultTimeout(waitBoundMs);
    contexts.push(context);
    return context;
  };
  /**
   * Returns a shared context for a language, or without JavaScript, and clears its cookies. One of its pages stays
   * open, so that its renderer process and compiled scripts stay in memory.
   */
  const reopen = async (o: { language?: string; javaScriptEnabled?: false }): Promise<BrowserContext> => {
    const key = JSON.stringify(o);
    let context = shared.get(key);
    if (context === undefined) {
      context = await open(o);
      shared.set(key, context);
      await (await context.newPage()).goto(`${tenant().issuer}/signed-out`);
    }
    await Promise.all(
      context
        .pages()
        .slice(1)
        .map((page) => page.close()),
    );
    context.removeAllListeners('page');
    await context.clearCookies();
    return context;
  };
  /** Cookies of the user of `signedIn` stops, kept for the next context. */
  let session: Cookies = [];
  const visit = async (stop: Stop, context: BrowserContext): Promise<Page> => {
    if (stop.signedIn) await context.addCookies(session);
    const page = await stop.open(context);
    if (stop.signedIn) session = await context.cookies();
    return page;
  };
  const tenant = () => {
    if (demo === undefined) throw new Error(why);
    return demo.tenants.demo;
  };

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Each page is tested in its longest language and in one other, on a desktop in light and on a phone in dark. */
  const others = ['en', 'es', 'fr'];
  const looks: [Theme, Screen][] = [
    ['light', 'desktop'],
    ['dark', 'phone'],
  ];
  const openings = stops.flatMap((stop, index) =>
    ['de', others[index % others.length] ?? 'en'].map((language) => ({ ...stop, language })),
  );

  test.each(openings)(
    'The page $name in $language is accessible and fits a narrow screen.',
    async ({ language, ...stop }) => {
      const context = await reopen({ language });
      const heard: string[] = [];
      context.on('page', (opened) => listen(opened, heard));
      const page = await visit(stop, context);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      for (const [theme, screen] of looks) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize(screens[screen]);
        expect([theme, screen, await violations(page)]).toEqual([theme, screen, []]);
      }
      // Nothing overflows at 320 CSS pixels (WCAG 2.2 §1.4.10).
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(heard).toEqual([]);
    },
  );

  test.each(stops)('The page $name needs no JavaScript.', async (stop) => {
    const context = await reopen({ javaScriptEnabled: false });
    const page = await visit(stop, context);
    expect(await page.locator('h1').count()).toBe(1);
    // Buttons that need a script are not shown.
    for (const button of await page.locator('button:visible').all()) {
      expect(await button.evaluate(actionOf)).toMatch(/^\/t\//);
    }
    expect(await page.locator('form[data-passkey]:visible').count()).toBe(0);
  });

  test('A user signs in, allows and refuses with the keyboard alone and without JavaScript.', async () => {
    const context = await open({ javaScriptEnabled: false });
    const page = await context.newPage();
    const { userName, password } = tenant().users.alice;
    const app = await site('Back at the app');
    const back = `${app.origin}/callback`;
    await page.goto(authorizeAddress(tenant(), { prompt: 'login consent', redirect_uri: back }));
    // The first field has the focus. A browser drops keys that arrive before the first paint.
    await eventually(
      () =>
        page.evaluate<[string | undefined, number]>(
          "[document.activeElement?.getAttribute('name'), performance.getEntriesByType('paint').length]",
        ),
      ([focused, paints]) => focused === 'username' && paints > 0,
    );
    await page.keyboard.type(userName);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/consent?**');
    const pressed = () =>
      page.locator('button:focus').evaluateAll(([button]) => button?.getAttribute('value'));
    for (let tabs = 0; tabs < 10 && (await pressed()) !== 'deny'; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.origin}/**`);
    app.close();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  test('Another site cannot show a page of this server in a frame.', async () => {
    const context = await open();
    const page = await context.newPage();
    const evil = await site(`<iframe src="${authorizeAddress(tenant()).replaceAll('&', '&amp;')}"></iframe>`);
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    await page.goto(evil.origin);
    for (let wait = 0; wait < 100 && heard.length === 0; wait += 1) await page.waitForTimeout(100);
    evil.close();
    expect(heard.join()).toMatch(/frame-ancestors|X-Frame-Options/);
    for (const frame of page.frames().slice(1)) {
      expect(await frame.locator('form').count()).toBe(0);
    }
  });

  test('Another site cannot submit a form of this server, even with every value that it can know.', async () => {
    const context = await open();
    const page = await context.newPage();
    await page.goto(authorizeAddress(tenant()));
    const action = new URL((await page.locator('form').first().getAttribute('action')) ?? '', page.url())
      .href;
    const field = (name: string) => page.locator(`form >> input[name=${name}]`).first().inputValue();
    const { alice } = tenant().users;
    const fields = {
      i: await field('i'),
      csrf: await field('csrf'),
      username: alice.userName,
      password: alice.password,
      action: 'sign-in',
    };
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const evil = await site(
      `<form method="post" action="${action}">${inputs.join('')}<button>Win a prize</button></form>`,
    );
    const bait = await context.newPage();
    await bait.goto(evil.origin);
    const [answer] = await Promise.all([
      bait.waitForResponse((response) => response.url() === action),
      bait.locator('button').click(),
    ]);
    evil.close();
    expect(answer.status()).toBe(403);
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['__Host-ostiary_browser']);
  });

  test('The session cookie is new at each sign-in, hidden from scripts and limited to this host.', async () => {
    const context = await open();
    const page = await context.newPage();
    const { alice } = tenant().users;
    const session = async () =>
      (await context.cookies()).find(({ name }) => name.startsWith('__Host-ostiary-'));
    const signIn = async (): Promise<void> => {
      await page.goto(authorizeAddress(tenant(), { prompt: 'login consent' }));
      await fillSignIn(page, alice.userName, alice.password);
      await page.waitForURL('**/consent?**');
    };
    await signIn();
    const first = await session();
    expect(first).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      domain: 'localhost',
    });
    expect(await page.evaluate('document.cookie')).toBe('');
    await signIn();
    expect((await session())?.value).not.toBe(first?.value);
  });

  test('A script that is injected into a page does not run.', async () => {
    const context = await open();
    const page = await context.newPage();
    await page.goto(authorizeAddress(tenant(), { login_hint: '"><script>document.title="taken"</script>' }));
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken"';
      document.body.append(script);
      const style = document.createElement('style');
      style.textContent = 'h1 { display: none }';
      document.body.append(style);
      const picture = new Image();
      picture.src = 'https://elsewhere.example/?stolen';
      document.body.append(picture);`);
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('h1').isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'A colour and logo set by the tenant keep a %s page readable.',
    async (theme) => {
      const { rival } = (demo ?? runningDemo()).tenants;
      // Yellow text on white would have too little contrast.
      await brand(rival, { color: '#ffdd00', logo });
      try {
        const context = await open({ theme });
        const heard: string[] = [];
        context.on('page', (page) => listen(page, heard));
        const page = await context.newPage();
        await page.goto(authorizeAddress(rival));
        expect(
          await page
            .locator('header img')
            .evaluate(({ naturalWidth }: { naturalWidth: number }) => naturalWidth),
        ).toBe(2);
        expect(await violations(page)).toEqual([]);
        expect(heard).toEqual([]);
      } finally {
        await brand(rival, { color: null, logo: null });
      }
    },
  );

  test('A page stays intact with increased contrast or larger text.', async () => {
    const context = await open({ forcedColors: 'active', screen: 'phone' });
    const page = await context.newPage();
    await page.goto(authorizeAddress(tenant()));
    await page.evaluate('document.documentElement.style.fontSize = "200%"').catch(() => undefined);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});
