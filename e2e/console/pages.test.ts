import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser } from 'playwright-core';
import { violations } from '../browser/axe.ts';
import { chromiumPath, launchChromium, screens, type Theme } from '../browser/chromium.ts';
import { runningDemo } from '../support/demo.ts';
import { type ConsolePage, openConsole } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Paths of all entries of the navigation. */
const paths = [
  '',
  'users',
  'users/deleted',
  'groups',
  'roles',
  'applications',
  'apis',
  'service-accounts',
  'trusted-issuers',
  'initial-access-tokens',
  'sources',
  'signals',
  'webhooks',
  'deliveries',
  'logs',
  'keys',
  'schemas',
  'tenant',
  'branding',
  'system',
];

const looks: [Theme, keyof typeof screens][] = [
  ['light', 'desktop'],
  ['dark', 'phone'],
];

describeInBrowser('the pages of the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  let opened: ConsolePage;
  beforeAll(async () => {
    browser = await launchChromium();
    if (demo) opened = await openConsole(browser, demo);
  });
  afterAll(() => browser?.close());

  test('The navigation has exactly the pages that are tested here.', async () => {
    const links = await opened.page.getByRole('navigation').getByRole('link').all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    const shown = targets.flatMap((target) => /^\/console\/t\/demo\/?(.*)$/.exec(target ?? '')?.[1] ?? []);
    expect(new Set(shown)).toEqual(new Set(paths.filter((path) => path !== 'users/deleted')));
  });

  test.each(paths)(
    'The page /%s is accessible, fits a narrow screen, and breaks no policy.',
    async (path) => {
      const { page, complaints } = opened;
      complaints.length = 0;
      await page.setViewportSize(screens.desktop);
      await page.goto(`${demo?.origin}/console/t/demo/${path}`);
      await page.locator('main h1').first().waitFor();
      // An event stream keeps the network busy, so `networkidle` would never be reached.
      await page.getByText('Loading …').first().waitFor({ state: 'detached' });
      // Every part has its data: an administrator has all scopes, and all services run.
      expect(await page.locator('main .note[data-tone=bad]').allTextContents()).toEqual([]);
      for (const [theme, screen] of looks) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        await page.setViewportSize(screens[screen]);
        expect([theme, screen, await violations(page)]).toEqual([theme, screen, []]);
      }
      // Nothing overflows at 320 CSS pixels (WCAG 2.2 §1.4.10).
      await page.setViewportSize({ width: 320, height: 640 });
      // Charts are redrawn after the resize event.
      await eventually(
        () => page.evaluate<number>('document.documentElement.scrollWidth'),
        (width) => width <= 320,
      );
      expect(await page.title()).toMatch(/.+ · Ostiary Console$/);
      expect(complaints).toEqual([]);
    },
  );
});
