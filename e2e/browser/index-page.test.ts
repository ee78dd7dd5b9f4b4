import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { runningDemo } from '../support/demo.ts';
import { violations } from './axe.ts';
import { chromiumPath, launchChromium, newContext, type Screen, screens, type Theme } from './chromium.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('the page at the origin in a browser', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test('The index page is accessible in both themes, fits a narrow screen, and its links lead to pages.', async () => {
    const context = await newContext(browser, {});
    const page = await context.newPage();
    await page.goto(demo?.origin ?? '');
    const looks: [Theme, Screen][] = [
      ['light', 'desktop'],
      ['dark', 'phone'],
    ];
    for (const [theme, screen] of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(screens[screen]);
      expect([theme, screen, await violations(page)]).toEqual([theme, screen, []]);
    }
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    const links = await page
      .locator('li a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(['/console/', '/t/demo/account', '/graphiql']));
    for (const link of links) {
      const response = await page.goto(`${demo?.origin}${link}`);
      expect([link, response?.status()]).toEqual([link, 200]);
    }
  });
});
