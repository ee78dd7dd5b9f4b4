import type { DemoFile } from '@ostiary/embedded/system';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface OpenConsole {
  browser: Browser;
  context: BrowserContext;
  page: Page;
}

const waitMs = 60_000;

/**
 * Starts the browser of CHROMIUM_PATH and signs in to the console as the administrator of the demo tenant.
 * @throws Error if the variable is not set
 */
export async function openConsole(demo: DemoFile, origin: string): Promise<OpenConsole> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath)
    throw new Error('The scenario console requires CHROMIUM_PATH, for example /usr/bin/chromium.');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const context = await browser.newContext({ viewport: { width: 1_180, height: 760 }, locale: 'en' });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  await page.goto(`${origin}/console/t/demo/`);
  const { userName, password } = demo.tenants.demo.users.admin;
  await page.locator('input[name=username]').fill(userName);
  await page.locator('input[type=password]').fill(password);
  await page.locator('input[type=password]').press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/console/t/demo'));
  await page.locator('main h1').first().waitFor();
  return { browser, context, page };
}

/** Returns the bytes of the scripts that the page has loaded, as transferred. */
export const scriptBytes = (page: Page): Promise<number> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );

/**
 * Returns the milliseconds from an action of the user to the frame in which the page shows a text.
 * @param selector of the element that will contain the text
 * @param event of the action, which starts the measurement
 */
export async function shownAfter(
  page: Page,
  o: { event: 'click' | 'input'; selector: string; text: string; act: () => Promise<void> },
): Promise<number> {
  const measured = page.evaluate(
    ({ event, selector, text }) =>
      new Promise<number>((resolve) => {
        const isShown = () =>
          [...document.querySelectorAll(selector)].some((element) => element.textContent?.includes(text));
        addEventListener(
          event,
          () => {
            const began = performance.now();
            const observer = new MutationObserver(() => {
              if (!isShown()) return;
              observer.disconnect();
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
            });
            observer.observe(document.body, { childList: true, subtree: true, characterData: true });
          },
          { capture: true, once: true },
        );
      }),
    { event: o.event, selector: o.selector, text: o.text },
  );
  await o.act();
  return measured;
}
